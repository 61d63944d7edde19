// The noun: one maintenance of a lake, as the API shows it: a run with its attempts, and how far it is.

import { z } from "@hono/zod-openapi";
import { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import { orNull } from "../../../http/answer.ts";
import { MAINTENANCE_KINDS, RUN_CAUSES } from "../../../platform/db/schema/work-schema.ts";
import type { MaintenanceDryRun } from "../../../lake/maintenance/dry-run.ts";
import type { LakeName } from "../../../lake/lake.ts";
import { MaintenancePlan } from "../../automations/maintenance/plan.ts";
import type { Run } from "../../automations/runs/run.ts";
import { lastRunOf, stateOf } from "../../automations/runs/wire-mapping.ts";
import { AutomationAttempt, RUN_STATES } from "../../automations/runs/wire-schema.ts";
import type { listAttempts } from "../../work-model/attempts.ts";
import { waitingFields, type Waiting } from "../../work-model/waiting/waiting.ts";

const count = z.number().int();
const instant = z.iso.datetime();

export const MaintenanceKind = z
  .enum(MAINTENANCE_KINDS)
  .openapi({
    description:
      "`daily`: merges small files, deletes files that are due, collects orphans. `full`: that, and writes files anew " +
      "that are past `rewrite_delete_threshold`, expires snapshots, and makes statistics exact.",
  });
export type MaintenanceKind = z.infer<typeof MaintenanceKind>;

export const MaintenanceRequest = z
  .strictObject({
    kind: MaintenanceKind.default("full"),
    dryRun: z.boolean().default(false).openapi({ description: "Only say what would be done; nothing is kept of it." }),
  })
  .openapi("MaintenanceRequest", { example: { kind: "daily" } });
export type MaintenanceRequest = z.infer<typeof MaintenanceRequest>;

/** Null asks for as much as none: a full one. */
export const MaintenanceBody = orNull(MaintenanceRequest);
export const MAINTENANCE_EXAMPLE = { kind: "daily" };
export const askedOf = (body: MaintenanceRequest | null): MaintenanceRequest => body ?? MaintenanceRequest.parse({});

const ids = {
  maintenanceId: z.uuid(),
  engineJobId: z
    .string()
    .nullable()
    .openapi({ description: "The engine's job of its last attempt; null while the engine has no capacity for one." }),
  integrationId: z.uuid().openapi({ description: "The lake." }),
  kind: MaintenanceKind,
  state: z.enum(RUN_STATES),
};

export const SubmittedMaintenance = z
  .object({
    ...ids,
    maintenanceId: ids.maintenanceId.nullable().openapi({ description: "Null of a dry run." }),
    state: ids.state.nullable().openapi({ description: "Null of a dry run." }),
    plan: orNull(MaintenancePlan).openapi({ description: "Of a dry run." }),
  })
  .openapi("SubmittedMaintenance");
export type SubmittedMaintenance = z.infer<typeof SubmittedMaintenance>;

export const Maintenance = z
  .object({
    ...ids,
    teamId: z.uuid(),
    jobId: z
      .uuid()
      .nullable()
      .openapi({ description: "Of the automation job whose run it is; null: asked for alone." }),
    cause: z.enum(RUN_CAUSES),
    attempt: count.openapi({ description: "Attempts begun so far." }),
    error: z.string().nullable().openapi({ description: "Why it ended as it did, or is tried again." }),
    isCancelling: z.boolean(),
    created_at: instant,
    startedAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationMs: count.nullable().openapi({ description: "Once it has ended." }),
    ...waitingFields,
    attempts: z.array(AutomationAttempt),
    progress: orNull(MaintenanceProgress.openapi("MaintenanceProgress")).openapi({
      description: "Step by step and table by table; null before its engine has said anything.",
    }),
  })
  .openapi("Maintenance");
export type Maintenance = z.infer<typeof Maintenance>;

/** The answer about a run that has just been asked for, or was found under way. */
export const submittedOf = (run: Run, engineJobId: string | null): SubmittedMaintenance => ({
  maintenanceId: run.id,
  engineJobId,
  integrationId: run.resourceId,
  kind: run.kind!,
  state: stateOf(run),
  plan: null,
});

export const dryRunOf = (
  { lakeId }: LakeName,
  kind: MaintenanceKind,
  plan: MaintenanceDryRun,
): SubmittedMaintenance => ({ maintenanceId: null, engineJobId: null, integrationId: lakeId, kind, state: null, plan });

type AttemptRow = Awaited<ReturnType<typeof listAttempts>>["items"][number];

function attemptOf({ attempt, runId, state, workId, error, startedAt, endedAt }: AttemptRow): AutomationAttempt {
  const durationMs = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  const work = { engineJobId: workId, docRunId: null, resultsUrl: null };
  return { id: attempt, runId, state, ...work, error, startedAt, endedAt, durationMs };
}

type Progress = z.infer<typeof MaintenanceProgress>;
type Known = {
  run: Run;
  waiting: Waiting;
  engineJobId: string | null;
  attempts: AttemptRow[];
  progress: Progress | null;
};

export function maintenanceOf({ run, waiting, engineJobId, attempts, progress }: Known): Maintenance {
  const { id: maintenanceId, state, cause, error, created_at, startedAt, endedAt } = lastRunOf(run);
  return {
    maintenanceId,
    engineJobId,
    integrationId: run.resourceId,
    teamId: run.teamId,
    jobId: run.automationId,
    kind: run.kind!,
    state,
    cause,
    attempt: run.attempt,
    error,
    isCancelling: run.cancelRequested && endedAt === null,
    created_at,
    startedAt,
    endedAt,
    durationMs: endedAt === null || startedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
    ...waiting,
    attempts: attempts.map((attempt) => attemptOf(attempt)),
    progress,
  };
}

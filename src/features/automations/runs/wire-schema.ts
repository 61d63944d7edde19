// Runs, attempts and lines of a log as the API shows them.

import { z } from "@hono/zod-openapi";
import { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import { orNull } from "../../../http/answer.ts";
import { CANCEL_CODES, MAINTENANCE_KINDS, RUN_CAUSES } from "../../../platform/db/schema/work-schema.ts";
import { RESOURCE_TYPES } from "../../../core/resource-types.ts";
import { LOG_LEVELS } from "../../../platform/logs/log-lines.ts";
import { waitingFields } from "../../work-model/waiting/waiting.ts";
import { MaintenancePlan } from "../maintenance/plan.ts";

export const RUN_STATES = ["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "skipped"] as const;
export type RunState = (typeof RUN_STATES)[number];

const instant = z.iso.datetime();

const shared = {
  id: z.uuid(),
  state: z.enum(RUN_STATES),
  cause: z.enum(RUN_CAUSES),
  scheduledFor: instant.nullable().openapi({ description: "Of a run that the schedule started." }),
  error: z.string().nullable().openapi({ description: "Why it ended as it did, or is tried again." }),
  created_at: instant,
  startedAt: instant.nullable().openapi({ description: "When its first attempt began." }),
  endedAt: instant.nullable(),
};

export const LastRun = z.object(shared).openapi("LastAutomationRun");
export type LastRun = z.infer<typeof LastRun>;

const RunPlan = z
  .object({
    datasets: z
      .array(z.object({ key: z.string(), engine: z.string(), isSelected: z.boolean() }))
      .optional()
      .openapi({ description: "Of a doc: what would run, in an order in which each comes after what it needs." }),
    maintenance: MaintenancePlan.optional(),
    notes: z.array(z.string()).openapi({ description: "What would keep it from running now." }),
  })
  .openapi("AutomationRunPlan");
export type RunPlan = z.infer<typeof RunPlan>;

const resultsUrl = z
  .string()
  .nullable()
  .openapi({
    description: "Of a doc: the path of the doc's run, whose executions have its results. Null until there is one.",
  });

const runFields = {
  ...shared,
  jobId: z.uuid().nullable().openapi({ description: "Null for a maintenance that was asked for by itself." }),
  resourceType: z.enum(RESOURCE_TYPES),
  resourceId: z.uuid(),
  kind: z.enum(MAINTENANCE_KINDS).optional(),
  datasetKeys: z.array(z.string()).nullable().optional(),
  replayOf: z.uuid().nullable().openapi({ description: "The run that it repeats." }),
  attempt: z.number().int().openapi({ description: "Attempts begun so far." }),
  engineJobId: z
    .string()
    .nullable()
    .openapi({ description: "Of a maintenance: the engine's job of its last attempt." }),
  docRunId: z.uuid().nullable().openapi({ description: "Of a doc: the doc's run of its last attempt." }),
  resultsUrl,
  isCancelling: z.boolean(),
  cancelCode: z.enum(CANCEL_CODES).nullable().openapi({ description: "Why it was cancelled; null where it was not." }),
  durationMs: z.number().int().nullable().openapi({ description: "Once it has ended." }),
  ...waitingFields,
  progress: orNull(MaintenanceProgress.openapi("MaintenanceProgress"))
    .optional()
    .openapi({ description: "Of a maintenance that is asked for by itself: how far it is." }),
};

export const AutomationRun = z.object(runFields).openapi("AutomationRun");
export type AutomationRun = z.infer<typeof AutomationRun>;

export const ProcessedRun = z
  .object({
    ...runFields,
    id: runFields.id.nullable().openapi({ description: "Null with `dryRun`, which keeps no run." }),
    plan: RunPlan.optional().openapi({ description: "Only with `dryRun`: what would run. Nothing is kept of it." }),
  })
  .openapi("ProcessedAutomationRun");
export type ProcessedRun = z.infer<typeof ProcessedRun>;

export const AutomationAttempt = z
  .object({
    id: z.number().int().openapi({ description: "Counts the run's attempts from 1." }),
    runId: z.uuid(),
    state: z.enum(["running", "succeeded", "failed", "cancelled", "timed_out"]),
    engineJobId: z.string().nullable(),
    docRunId: z.uuid().nullable(),
    resultsUrl,
    error: z.string().nullable(),
    startedAt: instant,
    endedAt: instant.nullable(),
    durationMs: z.number().int().nullable(),
  })
  .openapi("AutomationAttempt");
export type AutomationAttempt = z.infer<typeof AutomationAttempt>;

export const AutomationLogEntry = z
  .object({
    offset: z.number().int().openapi({ description: "Counts the lines of the run, all attempts together, from 0." }),
    at: instant,
    level: z.enum(LOG_LEVELS),
    source: z.string().openapi({ description: "`platform`, `engine`, or the dataset that said it." }),
    message: z.string(),
    attempt: z.number().int(),
  })
  .openapi("AutomationLogEntry");
export type AutomationLogEntry = z.infer<typeof AutomationLogEntry>;

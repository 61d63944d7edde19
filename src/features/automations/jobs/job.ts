// The noun: an automation job, on the wire and as it is kept. Pure.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { DOC_LIMITS } from "../../docs/limits.ts";
import { RESOURCE_FACTS, RESOURCE_TYPES, type ResourceType } from "../../../core/resource-types.ts";
import { orNull } from "../../../http/answer.ts";
import {
  type automationJobs,
  type JobPayload,
  MAINTENANCE_KINDS,
  OVERLAPS,
  PAUSED_REASONS,
} from "../../../platform/db/schema/work-schema.ts";
import { LastRun } from "../runs/wire-schema.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";

/** A job as its row has it. */
export type Job = typeof automationJobs.$inferSelect;

const { automationTimeoutSecondsMin: timeoutMin, automationTimeoutSecondsMax: timeoutMax } = DOC_LIMITS;

const Name = z.string().trim().min(1).max(LIMITS.nameCharactersMax);
const Schedule = z
  .strictObject({
    cron: z.string().openapi({ description: "Five fields: minute, hour, day of month, month, day of week." }),
    timezone: z.string().default("UTC").openapi({ description: "An IANA zone, such as `Europe/Berlin`." }),
  })
  .openapi("AutomationSchedule", { example: { cron: "30 6 * * 1-5", timezone: "Europe/Berlin" } });
export type AutomationSchedule = z.infer<typeof Schedule>;
const Retry = z.strictObject({
  attempts: z.number().int().min(1).max(DOC_LIMITS.automationAttemptsMax),
  backoffSeconds: z
    .number()
    .int()
    .min(1)
    .max(DOC_LIMITS.automationBackoffSecondsMax)
    .openapi({ description: "About the wait before a second attempt; doubles with each further one." }),
});
const TimeoutSeconds = z
  .number()
  .int()
  .min(timeoutMin)
  .max(timeoutMax)
  .openapi({ description: "Of a run with all its attempts." });
const Overlap = z
  .enum(OVERLAPS)
  .openapi({
    description: "What becomes of a run that falls due while another goes on: it is skipped, or waits for its turn.",
  });
const DatasetKeys = z.array(z.string().min(1)).min(1).max(DOC_LIMITS.datasetsMax);

const Data = z
  .unknown()
  .openapi({ description: "Of a doc's job, JSON: its runs find it where they find a webhook's data." });
const EnvironmentVariables = z
  .record(z.string(), z.string())
  .openapi({
    description:
      "Of a doc's job: in its Python datasets' environment, as a webhook's are. Whoever reads jobs reads them: what is " +
      "secret belongs among the team's secrets.",
  });

const settings = {
  name: Name,
  enabled: z.boolean(),
  schedule: orNull(Schedule).openapi({ description: "Null: it runs when somebody asks for it." }),
  retry: Retry.partial(),
  timeoutSeconds: TimeoutSeconds,
  overlap: Overlap,
};
const newSettings = {
  name: Name.optional().openapi({ description: "By default that of its resource." }),
  enabled: settings.enabled.default(true),
  schedule: settings.schedule.default(null),
  retry: settings.retry.default({}),
  timeoutSeconds: settings.timeoutSeconds.optional(),
  overlap: settings.overlap.default("skip"),
};

const NewDocJob = z
  .strictObject({
    resourceType: z.literal("doc"),
    resourceId: z.uuid().openapi({ description: "The doc." }),
    datasetKeys: DatasetKeys.optional().openapi({ description: "All datasets when absent. What they need runs too." }),
    data: Data.optional(),
    environmentVariables: EnvironmentVariables.optional(),
    ...newSettings,
  })
  .openapi("NewDocJob");
const NewLakeMaintenanceJob = z
  .strictObject({
    resourceType: z.literal("lake_integration_maintenance"),
    resourceId: z.uuid().openapi({ description: "The integration that is the lake." }),
    kind: z.enum(MAINTENANCE_KINDS).default("full"),
    ...newSettings,
  })
  .openapi("NewLakeMaintenanceJob");
const NewDeliveryJob = z
  .strictObject({
    resourceType: z.literal("delivery"),
    resourceId: z.uuid().openapi({ description: "The delivery." }),
    ...newSettings,
  })
  .openapi("NewDeliveryJob");
const NEW_JOBS = {
  doc: NewDocJob,
  lake_integration_maintenance: NewLakeMaintenanceJob,
  delivery: NewDeliveryJob,
} satisfies Record<ResourceType, z.ZodObject>;
const [newJob, ...newJobs] = RESOURCE_TYPES.map((type) => NEW_JOBS[type]);
export const NewAutomationJob = z
  .discriminatedUnion("resourceType", [newJob!, ...newJobs])
  .openapi("NewAutomationJob", {
    example: {
      resourceType: "doc",
      resourceId: "0190a6f2-6f0a-7c3e-8f3b-2f1c5a7d9e01",
      name: "Morning scores",
      schedule: { cron: "30 6 * * 1-5", timezone: "Europe/Berlin" },
    },
  });
export type NewAutomationJob = z.infer<typeof NewAutomationJob>;

/** What a new job hands its runs; null where that is nothing. */
export const payloadOf = (input: NewAutomationJob): JobPayload | null =>
  packPayload(
    "data" in input ? input.data : undefined,
    "environmentVariables" in input ? input.environmentVariables : null,
  );

/** `data` undefined or null: none; code reads null then. */
export function packPayload(data: unknown, environmentVariables: Record<string, string> | null | undefined) {
  const hasVariables = Object.keys(environmentVariables ?? {}).length > 0;
  const payload: JobPayload = {
    ...(data !== undefined && data !== null && { data }),
    ...(hasVariables && { environmentVariables: environmentVariables! }),
  };
  return Object.keys(payload).length === 0 ? null : payload;
}

/** A new job's choice from its resource; null where its type has no such choice. */
export const choiceOf = (input: NewAutomationJob): Pick<Job, "kind" | "datasetKeys"> => ({
  kind: "kind" in input ? input.kind : null,
  datasetKeys: "datasetKeys" in input ? (input.datasetKeys ?? null) : null,
});

export const AutomationJobPatch = z
  .strictObject({
    ...settings,
    datasetKeys: DatasetKeys.nullable().openapi({ description: "Of a doc's job; null: all datasets." }),
    data: Data.nullable(),
    environmentVariables: EnvironmentVariables.nullable(),
    ownerId: z.uuid().openapi({ description: "Only your own: its runs have your rights from then on." }),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("AutomationJobPatch", { example: { enabled: false } });
export type AutomationJobPatch = z.infer<typeof AutomationJobPatch>;

const instant = z.iso.datetime();

export const AutomationJob = z
  .object({
    id: z.uuid(),
    name: z.string(),
    enabled: z
      .boolean()
      .openapi({ description: "Whether its schedule starts it; it can be run by hand all the same." }),
    pausedReason: z
      .enum(PAUSED_REASONS)
      .nullable()
      .openapi({
        description:
          "Why the job has disabled itself: its doc was archived, or its owner is gone or may not do this any more. " +
          "`enabled: true` resumes it, once the doc is restored, or together with `ownerId`.",
      }),
    resourceType: z.enum(RESOURCE_TYPES),
    resourceId: z.uuid(),
    kind: z.enum(MAINTENANCE_KINDS).optional().openapi({ description: "Of a lake's maintenance." }),
    datasetKeys: z
      .array(z.string())
      .nullable()
      .optional()
      .openapi({ description: "Of a doc; null: all its datasets, of every engine." }),
    data: Data.optional(),
    environmentVariables: EnvironmentVariables.optional(),
    docAutomation: z
      .string()
      .nullable()
      .openapi({
        description:
          "The entry of its doc's `automations` that made it; it goes with the entry. Null: somebody made it by itself.",
      }),
    schedule: orNull(Schedule),
    retry: Retry,
    timeoutSeconds: z.number().int(),
    overlap: Overlap,
    nextRunAt: instant.nullable().openapi({ description: "Null while nothing is scheduled." }),
    lastRun: orNull(LastRun).openapi({ description: "The newest of its runs, skipped ones included." }),
    owner: z
      .object({
        id: z.uuid(),
        name: z
          .string()
          .nullable()
          .openapi({ description: "Null once they are gone; and of an operator of the platform in another team." }),
      })
      .openapi({ description: "Whose rights its runs have." }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("AutomationJob");
export type AutomationJob = z.infer<typeof AutomationJob>;

export const scheduleOf = ({ cron, timezone }: Pick<Job, "cron" | "timezone">): AutomationSchedule | null =>
  cron === null || timezone === null ? null : { cron, timezone };

type Shown = { lastRun: z.infer<typeof LastRun> | null; ownerName: string | null };

export const shownJob = (job: Job, { lastRun, ownerName }: Shown): AutomationJob => ({
  id: job.id,
  name: job.name,
  enabled: job.isEnabled,
  pausedReason: job.pausedReason,
  resourceType: job.resourceType,
  resourceId: job.resourceId,
  ...(job.kind === null ? {} : { kind: job.kind }),
  ...(RESOURCE_FACTS[job.resourceType].hasDatasets ? { datasetKeys: job.datasetKeys } : {}),
  ...job.payload,
  docAutomation: job.docEntry,
  schedule: scheduleOf(job),
  retry: { attempts: job.attemptsMax, backoffSeconds: job.backoffSeconds },
  timeoutSeconds: job.timeoutSeconds,
  overlap: job.overlap,
  nextRunAt: job.nextRunAt,
  lastRun,
  owner: { id: job.ownerId, name: ownerName },
  created_at: job.createdAt,
  updated_at: job.updatedAt,
});

/** The audit log's facts of a job. */
export const auditedJob = (job: Job): AuditFacts => ({
  name: job.name,
  enabled: job.isEnabled,
  owner_id: job.ownerId,
  resource_type: job.resourceType,
  resource_id: job.resourceId,
  kind: job.kind,
  schedule: scheduleOf(job),
  overlap: job.overlap,
  attempts: job.attemptsMax,
  backoff_seconds: job.backoffSeconds,
  timeout_seconds: job.timeoutSeconds,
  dataset_keys: job.datasetKeys,
  doc_automation: job.docEntry,
  payload_bytes: job.payload && new TextEncoder().encode(JSON.stringify(job.payload)).byteLength,
});

// A job's requests to the platform besides its commits: kept state, tables, plans, and its reports on itself.

import { z } from "zod";
import { AS_OF, LakeRoot, LakeTable, PlanAnswer, PlanRequest, SignRequest } from "../lake/lake.ts";
import { MaintenanceProgress } from "../lake/maintenance.ts";
import { SyncProgress } from "./progress.ts";

/** POST /internal/jobs/{jobId}/state: what was kept under each key; null where nothing is. */
export const StateRequest = z.strictObject({ keys: z.array(z.string().max(1_000)).min(1).max(1_000) });
export const StateAnswer = z.object({ values: z.record(z.string(), z.string().nullable()) });

/** POST /internal/jobs/{jobId}/tables: one schema's tables as of now; none where there is no such schema. */
export const TablesRequest = z.strictObject({ schema: z.string() });
export const TablesAnswer = z.object({ snapshotId: z.number().int(), tables: z.array(LakeTable) });
export type TablesAnswer = z.infer<typeof TablesAnswer>;

/**
 * POST /internal/jobs/{jobId}/plan and …/sign: as a lake token's, at `snapshotId` or, without it, the newest snapshot.
 */
export const JobPlanRequest = PlanRequest.safeExtend(AS_OF);
export const JobPlanAnswer = PlanAnswer.extend({ snapshotId: z.number().int(), root: LakeRoot });
export const JobSignRequest = SignRequest.extend(AS_OF);

/** How far a job is, in the form of its kind of work. */
export const JobProgress = z.discriminatedUnion("kind", [MaintenanceProgress, SyncProgress]);
export type JobProgress = z.infer<typeof JobProgress>;

/**
 * POST /internal/jobs/{jobId}/heartbeat: keeps the job's lease. A job that is answered it is cancelled may not write
 * any more and stops.
 */
export const HeartbeatRequest = z.strictObject({ progress: JobProgress.optional() });
export const HeartbeatAnswer = z.object({ cancelled: z.boolean() });

const OUTCOME = {
  outcome: z.enum(["succeeded", "failed", "cancelled"]),
  error: z.string().max(16_384).nullable(),
  retryable: z.boolean(),
  /** The platform could not be reached for a part of the time, so a failure may say nothing of the work. */
  platformAway: z.boolean().default(false),
};

/** POST /internal/jobs/{jobId}/finish → 204: how the job ended. Repeatable; refused once another job has taken over. */
export const JobOutcome = z.strictObject({ ...OUTCOME, progress: JobProgress });
export type JobOutcome = z.input<typeof JobOutcome>;

/** The outcome of a job of one kind of work. */
export const SyncOutcome = z.strictObject({ ...OUTCOME, progress: SyncProgress });
export type SyncOutcome = z.input<typeof SyncOutcome>;
export const MaintenanceOutcome = z.strictObject({ ...OUTCOME, progress: MaintenanceProgress });
export type MaintenanceOutcome = z.input<typeof MaintenanceOutcome>;

/** POST /internal/jobs/{jobId}/log → 204 */
export const LogRequest = z.strictObject({
  lines: z
    .array(z.strictObject({ level: z.enum(["info", "warning", "error"]), message: z.string().max(4_096) }))
    .min(1)
    .max(100),
});

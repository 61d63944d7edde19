// The noun: one run of a sync, as it is kept and as the history tells it. Pure.

import { z } from "@hono/zod-openapi";
import type { SyncProgress } from "../../../containers/engine/lake-protocol.ts";
import { newId } from "../../core/ids.ts";
import { LIMITS } from "../../core/limits.ts";
import { hasEnded, type RunState, type Seen } from "./next-state.ts";
import type { Sync } from "./sync.ts";

export type Totals = { rowsRead: number; rowsWritten: number; rowsDeleted: number; bytesWritten: number };
export const NOTHING: Totals = { rowsRead: 0, rowsWritten: 0, rowsDeleted: 0, bytesWritten: 0 };

export function totalsOf({ tables }: SyncProgress): Totals {
  const sum = (field: keyof Totals) => tables.reduce((total, table) => total + table[field], 0);
  return { rowsRead: sum("rowsRead"), rowsWritten: sum("rowsWritten"), rowsDeleted: sum("rowsDeleted"), bytesWritten: sum("bytesWritten") };
}

export type Cause = "schedule" | "manual" | "configuration";

/** A run as it is kept: the state its rules are about, and what it is a run of. */
export type Run = RunState & {
  teamId: string;
  syncId: string;
  sourceId: string;
  lakeId: string;
  destSchema: string;
  cause: Cause;
  scheduledFor: string | null;
  isFull: boolean;
  onlyTables: string[] | null;
  cancelReason: string | null;
  totals: Totals;
  revision: number;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** What a step saw of a run's job, and what it learned of its tables. */
export type Sight = { seen: Seen; progress?: SyncProgress | undefined };

export type Asked = { cause: Cause; isFull: boolean; onlyTables: string[] | null; scheduledFor: string | null };

/** A run at its beginning, due at once. */
export function planRun(sync: Pick<Sync, "id" | "teamId" | "sourceId" | "lakeId" | "destSchema">, asked: Asked, now: Date): Run {
  const at = now.toISOString();
  return {
    ...asked,
    id: newId(now),
    teamId: sync.teamId,
    syncId: sync.id,
    sourceId: sync.sourceId,
    lakeId: sync.lakeId,
    destSchema: sync.destSchema,
    state: "queued",
    attempt: 0,
    refusals: 0,
    absences: 0,
    jobId: null,
    fence: null,
    dueAtMs: now.getTime(),
    claimedUntilMs: null,
    cancelRequested: false,
    cancelReason: null,
    startedAtMs: null,
    deadlineAtMs: now.getTime() + LIMITS.syncRunMsMax,
    error: null,
    totals: NOTHING,
    revision: 0,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

export const RUN_STATUSES = ["STARTED", "SUCCESS", "FAILED"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run that waits, or waits to be tried again, has started; one that was cancelled has failed, and says so. */
export const statusOf = ({ state }: Pick<Run, "state">): RunStatus => (state === "succeeded" ? "SUCCESS" : state === "failed" || state === "cancelled" ? "FAILED" : "STARTED");

const instant = z.iso.datetime();
const count = z.number().int();

export const SyncRun = z
  .object({
    id: z.uuid(),
    run_id: z.uuid().openapi({ description: "The same as `id`." }),
    dag_name: z.string().openapi({ description: "The same for all runs of a sync." }),
    src_integration_id: z.uuid(),
    dst_integration_id: z.uuid(),
    status: z.enum(RUN_STATUSES).openapi({ description: "`STARTED` until it has ended; a cancelled run is `FAILED`." }),
    created_at: instant,
    updated_at: instant,
    details: z.object({
      sync_id: z.uuid(),
      dest_schema: z.string(),
      cause: z.enum(["schedule", "manual", "configuration"]),
      full: z.boolean(),
      tables: z.array(z.string()).nullable().openapi({ description: "The only source tables of this run; null: all of the sync." }),
      state: z.enum(["queued", "starting", "running", "succeeded", "failed", "cancelled"]),
      reason: z.string().nullable().openapi({ description: "Why it failed, was cancelled, or is tried again." }),
      attempt: count.openapi({ description: "Tries begun so far." }),
      attempts_max: count.openapi({ description: "Tries that the platform was away for do not count: each raises this by one." }),
      next_try_at: instant.nullable().openapi({ description: "While it waits for its next try." }),
      started_at: instant.nullable().openapi({ description: "When the last try began." }),
      ended_at: instant.nullable(),
      rows_read: count,
      rows_written: count,
      rows_deleted: count,
      bytes_written: count,
    }),
  })
  .openapi("SyncRun");
export type SyncRun = z.infer<typeof SyncRun>;

export const SyncRunTable = z
  .object({
    source: z.string().openapi({ description: "`<schema>.<table>` at the source." }),
    table: z.string().openapi({ description: "In the lake, with its schema." }),
    phase: z.enum(["waiting", "reading", "comparing", "writing", "uploading", "committing", "done", "failed", "skipped"]).openapi({ description: "`skipped`: the source does not have it any more, and the lake keeps it as it was." }),
    rows_read: count,
    rows_written: count,
    rows_deleted: count,
    bytes_written: count,
    method: z.string().openapi({ description: "How it is read and written this time." }),
    notes: z.array(z.string()).openapi({ description: "What a user should know: columns and tables that changed at the source, why all was read, values that became something else, what a cursor can't see." }),
    error: z.string().nullable().openapi({ description: "Why it failed; the run's other tables go on." }),
  })
  .openapi("SyncRunTable");
export type SyncRunTable = z.infer<typeof SyncRunTable>;

export const SyncRunDetail = SyncRun.extend({ tables: z.array(SyncRunTable) }).openapi("SyncRunDetail");
export type SyncRunDetail = z.infer<typeof SyncRunDetail>;

export function wireOf(run: Run, totals: Totals = run.totals): SyncRun {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: run.id,
    run_id: run.id,
    dag_name: `sync_${run.syncId}`,
    src_integration_id: run.sourceId,
    dst_integration_id: run.lakeId,
    status: statusOf(run),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    details: {
      sync_id: run.syncId,
      dest_schema: run.destSchema,
      cause: run.cause,
      full: run.isFull,
      tables: run.onlyTables,
      state: run.state,
      reason: run.state === "cancelled" ? (run.cancelReason ?? "The run was cancelled.") : run.error,
      attempt: run.attempt,
      attempts_max: LIMITS.syncAttemptsMax + run.absences,
      next_try_at: run.state === "queued" ? at(run.dueAtMs) : null,
      started_at: at(run.startedAtMs),
      ended_at: run.endedAt,
      rows_read: totals.rowsRead,
      rows_written: totals.rowsWritten,
      rows_deleted: totals.rowsDeleted,
      bytes_written: totals.bytesWritten,
    },
  };
}

/** `progress` is what is known of its tables; null before anything is. */
export const detailOf = (run: Run, progress: SyncProgress | null): SyncRunDetail => ({
  ...wireOf(run, hasEnded(run) || !progress ? run.totals : totalsOf(progress)),
  tables: (progress?.tables ?? []).map(({ dest, rowsRead, rowsWritten, rowsDeleted, bytesWritten, ...table }) => ({
    ...table,
    table: dest,
    rows_read: rowsRead,
    rows_written: rowsWritten,
    rows_deleted: rowsDeleted,
    bytes_written: bytesWritten,
  })),
});

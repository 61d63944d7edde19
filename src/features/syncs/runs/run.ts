// The noun: one run of a sync, as it is kept and as the history shows it. Pure.

import { z } from "@hono/zod-openapi";
import type { SyncProgress } from "../../../../containers/engine/contract/progress.ts";
import { newId } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import type { RunSummary } from "../../../platform/db/schema.ts";
import { hasEnded, type SyncRunState, type Observation } from "./step/next-state.ts";
import type { Sync } from "../sync.ts";

export type Totals = { rowsRead: number; rowsWritten: number; rowsDeleted: number; bytesWritten: number };
export const NOTHING: Totals = { rowsRead: 0, rowsWritten: 0, rowsDeleted: 0, bytesWritten: 0 };

export function totalsOf({ tables, sums }: SyncProgress): Totals {
  const sum = (field: keyof Totals) => sums?.[field] ?? tables.reduce((total, table) => total + table[field], 0);
  return {
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    rowsDeleted: sum("rowsDeleted"),
    bytesWritten: sum("bytesWritten"),
  };
}

const NO_SUMMARY: RunSummary = { tables: 0, done: 0, failed: 0, skipped: 0, rowsEstimated: null, warnings: [] };

/** What the history keeps of a run's tables: a success that left some as they were says which, and why. */
export function summaryOf({ tables, notes = [], sums }: SyncProgress): RunSummary {
  const among = (phase: SyncProgress["tables"][number]["phase"]) => tables.filter((table) => table.phase === phase);
  const texts = [...notes, ...among("skipped").flatMap((table) => table.notes)];
  const { syncRunWarningsMax: most, syncRunWarningCharactersMax: charactersMax } = LIMITS;
  const warnings = texts
    .slice(0, most)
    .map((text) => (text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text));
  if (texts.length > most)
    warnings.push(`And ${texts.length - most} more; the run's \`tables\` and its log have them.`);
  return {
    tables: sums?.tables ?? tables.length,
    done: sums?.done ?? among("done").length,
    failed: sums?.failed ?? among("failed").length,
    skipped: sums?.skipped ?? among("skipped").length,
    rowsEstimated: sums?.rowsEstimated ?? null,
    warnings,
  };
}

export type Cause = "schedule" | "manual" | "configuration";

/** What names a run, in its wake-up messages and wherever else. */
export type RunName = { teamId: string; id: string };

/** A run as it is kept: the state its rules are about, and what it is a run of. */
export type Run = SyncRunState & {
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
  /** As of the last attempt's end; null before. */
  summary: RunSummary | null;
  revision: number;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** What a step observed of a run's job, and what it learned of its tables. */
export type StepOutcome = { observation: Observation; progress?: SyncProgress | undefined };

export type RunRequest = { cause: Cause; isFull: boolean; onlyTables: string[] | null; scheduledFor: string | null };

/**
 * Whether a run brings all that another one would be asked for. One that has begun may be past a table that is asked
 * for by name.
 */
export function covers(
  run: Pick<Run, "isFull" | "onlyTables" | "startedAtMs">,
  { isFull, onlyTables }: Pick<RunRequest, "isFull" | "onlyTables">,
): boolean {
  if (isFull && !run.isFull) return false;
  if (run.onlyTables === null) return onlyTables === null || run.startedAtMs === null;
  if (onlyTables === null) return false;
  const [has, wants] = [new Set(run.onlyTables), new Set(onlyTables)];
  return [...wants].every((table) => has.has(table)) && (wants.size === has.size || run.startedAtMs === null);
}

/** A run at its beginning, due at once. */
export function planRun(
  sync: Pick<Sync, "id" | "teamId" | "sourceId" | "lakeId" | "destSchema">,
  asked: RunRequest,
  now: Date,
): Run {
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
    summary: null,
    revision: 0,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

export const RUN_STATUSES = ["STARTED", "SUCCESS", "FAILED"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run that waits, or waits to be tried again, has started; one that was cancelled has failed, and says so. */
export const statusOf = ({ state }: Pick<Run, "state">): RunStatus =>
  state === "succeeded" ? "SUCCESS" : state === "failed" || state === "cancelled" ? "FAILED" : "STARTED";

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
      tables: z
        .array(z.string())
        .nullable()
        .openapi({ description: "The only source tables of this run; null: all of the sync." }),
      state: z.enum(["queued", "starting", "running", "succeeded", "failed", "cancelled"]),
      reason: z.string().nullable().openapi({ description: "Why it failed, was cancelled, or is tried again." }),
      attempt: count.openapi({ description: "Tries begun so far." }),
      attempts_max: count.openapi({
        description: "Tries that the platform was away for do not count: each raises this by one.",
      }),
      next_try_at: instant.nullable().openapi({ description: "While it waits for its next try." }),
      started_at: instant.nullable().openapi({ description: "When the last try began." }),
      ended_at: instant.nullable(),
      rows_read: count,
      rows_written: count,
      rows_deleted: count,
      bytes_written: count,
      rows_estimated: count
        .nullable()
        .openapi({
          description:
            "About how many rows its tables have at the source, by the source's statistics; null where it " +
            "keeps none. A merge reads fewer.",
        }),
      tables_total: count.openapi({
        description: "As far as is known: while it runs, only the run by itself tells them.",
      }),
      tables_done: count,
      tables_failed: count,
      tables_skipped: count.openapi({ description: "Left as they were in the lake; `warnings` says why." }),
      warnings: z
        .array(z.string())
        .openapi({
          description:
            "What a run did not bring without failing: tables that a star brought once and brings no more, stars " +
            "without tables, tables that are another sync's.",
        }),
    }),
  })
  .openapi("SyncRun");
export type SyncRun = z.infer<typeof SyncRun>;

export const SyncRunTable = z
  .object({
    source: z.string().openapi({ description: "`<schema>.<table>` at the source." }),
    table: z.string().openapi({ description: "In the lake, with its schema." }),
    phase: z
      .enum(["waiting", "reading", "comparing", "writing", "uploading", "committing", "done", "failed", "skipped"])
      .openapi({
        description:
          "`skipped`: a star brought it once, and the source does not have it any more, or another sync owns " +
          "it; the lake keeps it as it was.",
      }),
    rows_read: count,
    rows_written: count,
    rows_deleted: count,
    bytes_written: count,
    rows_estimated: count
      .nullable()
      .openapi({
        description:
          "About how many rows the source's table has, by the source's statistics; null where it keeps none.",
      }),
    rows_compared: count.openapi({
      description: "Keys that were read, or rows that the source has hashed, to tell what has changed.",
    }),
    method: z.string().openapi({ description: "How it is read and written this time." }),
    notes: z
      .array(z.string())
      .openapi({
        description:
          "What a user should know: columns and tables that changed at the source, why all was read, values that " +
          "became something else, what a cursor can't see.",
      }),
    error: z.string().nullable().openapi({ description: "Why it failed; the run's other tables go on." }),
  })
  .openapi("SyncRunTable");
export type SyncRunTable = z.infer<typeof SyncRunTable>;

export const SyncRunDetail = SyncRun.extend({ tables: z.array(SyncRunTable) }).openapi("SyncRunDetail");
export type SyncRunDetail = z.infer<typeof SyncRunDetail>;

export function wireOf(
  run: Run,
  totals: Totals = run.totals,
  summary: RunSummary = run.summary ?? NO_SUMMARY,
): SyncRun {
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
      rows_estimated: summary.rowsEstimated,
      tables_total: summary.tables,
      tables_done: summary.done,
      tables_failed: summary.failed,
      tables_skipped: summary.skipped,
      warnings: summary.warnings,
    },
  };
}

/** `progress` is what is known of its tables; null before anything is. Runs of long ago ended without a summary. */
export function detailOf(run: Run, progress: SyncProgress | null): SyncRunDetail {
  const shown = shownRun(run, progress);
  const tables = tablesOf(progress);
  const { tables_total: total, warnings } = shown.details;
  const cut =
    tables.length < total
      ? [`Of its ${total} tables ${tables.length} are shown: those that failed and those with notes first.`]
      : [];
  return { ...shown, details: { ...shown.details, warnings: [...warnings, ...cut] }, tables };
}

function shownRun(run: Run, progress: SyncProgress | null): SyncRun {
  if (!progress) return wireOf(run);
  const summary = summaryOf(progress);
  return hasEnded(run) ? wireOf(run, run.totals, run.summary ?? summary) : wireOf(run, totalsOf(progress), summary);
}

const tablesOf = (progress: SyncProgress | null): SyncRunTable[] =>
  (progress?.tables ?? []).map(
    ({ dest, rowsRead, rowsWritten, rowsDeleted, bytesWritten, rowsEstimated = null, rowsCompared = 0, ...table }) => ({
      ...table,
      table: dest,
      rows_read: rowsRead,
      rows_written: rowsWritten,
      rows_deleted: rowsDeleted,
      bytes_written: bytesWritten,
      rows_estimated: rowsEstimated,
      rows_compared: rowsCompared,
    }),
  );

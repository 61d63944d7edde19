// The noun: one run of a sync, as it is kept. `wire-schema.ts` has it as the API shows it. Pure.

import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { newId } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import { SYNC_LIMITS } from "../limits.ts";
import type { RunSummary } from "../../../platform/db/schema/schema.ts";
import { newWorkRun, type KeptRun } from "../../work-model/run.ts";
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

/** The history's summary of a run's tables, with the warnings of a success that did not bring everything. */
export function summaryOf({ tables, notes = [], sums }: SyncProgress): RunSummary {
  const among = (phase: SyncProgress["tables"][number]["phase"]) => tables.filter((table) => table.phase === phase);
  const warned = tables.flatMap((table) => (table.warnings ?? []).map((warning) => ({ ...warning, table })));
  // A note of the run, rather than of a table, is that a star stands for none.
  const stars = notes.map((text) => ({ code: "star_without_tables" as const, text }));
  const texts = [
    ...notes,
    ...warned.map(({ code, text, table }) => (code === "table_skipped" ? text : `${table.source}: ${text}`)),
  ];
  const { runWarningsMax: most, runWarningCharactersMax: charactersMax } = SYNC_LIMITS;
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
    warningCodes: [...new Set([...stars, ...warned].map(({ code }) => code))],
  };
}

export type Cause = "schedule" | "manual" | "configuration";

/** The states of a sync's run: it fails where it takes too long, and none is skipped. */
type State = "queued" | "starting" | "running" | "succeeded" | "failed" | "cancelled";

/** A run as it is kept: the state its rules are about, and what it is a run of. */
export type Run = Omit<KeptRun, "state"> & {
  state: State;
  syncId: string;
  sourceId: string;
  lakeId: string;
  destSchema: string;
  cause: Cause;
  scheduledFor: string | null;
  isFull: boolean;
  onlyTables: string[] | null;
  totals: Totals;
  /** The summary is made at the last attempt's end; null before. */
  summary: RunSummary | null;
};

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
  return {
    ...newWorkRun({ id: newId(now), teamId: sync.teamId }, now, LIMITS.syncRunMsMax),
    state: "queued",
    ...asked,
    syncId: sync.id,
    sourceId: sync.sourceId,
    lakeId: sync.lakeId,
    destSchema: sync.destSchema,
    totals: NOTHING,
    summary: null,
  };
}

// A sync's run reports its progress with every heartbeat, table by table.

import { fitReport } from "../../fit-report.ts";
import type { SyncProgress, SyncSums, SyncWarning } from "../../../../../kernel/jobs/progress.ts";

export type TableProgress = SyncProgress["tables"][number];

const NOTES_MAX = 50;
const NOTE_CHARACTERS_MAX = 1_000;

export const startProgress = (source: string, dest: string, rowsEstimated: number | null = null): TableProgress => ({
  source,
  dest,
  phase: "waiting",
  rowsRead: 0,
  rowsWritten: 0,
  rowsDeleted: 0,
  bytesWritten: 0,
  rowsEstimated,
  rowsCompared: 0,
  method: "",
  notes: [],
  error: null,
});

export function note(progress: TableProgress, text: string): void {
  const short = shorten(text);
  if (!progress.notes.includes(short) && progress.notes.length < NOTES_MAX) progress.notes.push(short);
}

/** A note that the run's history and its log show as well. */
export function warn(progress: TableProgress, code: SyncWarning, text: string): void {
  note(progress, text);
  progress.warnings = [...(progress.warnings ?? []), { code, text: shorten(text) }];
}

export const shorten = (text: string): string =>
  text.length > NOTE_CHARACTERS_MAX ? `${text.slice(0, NOTE_CHARACTERS_MAX - 1)}…` : text;

/** Tables that a report of very many must not leave out come first. */
const RANK: Record<TableProgress["phase"], number> = {
  failed: 0,
  reading: 1,
  comparing: 1,
  writing: 1,
  uploading: 1,
  committing: 1,
  skipped: 2,
  done: 3,
  waiting: 4,
};

/**
 * The report within the size of one message: where tables have to be left out, failed ones are kept first, then those
 * with notes, and waiting ones last.
 */
export function reportProgress(tables: readonly TableProgress[], notes: readonly string[] = []): SyncProgress {
  const about = { notes: notes.slice(0, NOTES_MAX).map(shorten), sums: sumsOf(tables) };
  const copies = tables.map((table) => ({ ...table, notes: [...table.notes] }));
  const compare = (a: TableProgress, b: TableProgress): number =>
    RANK[a.phase] - RANK[b.phase] || b.notes.length - a.notes.length;
  return { tables: fitReport(copies, about, compare), ...about };
}

function sumsOf(tables: readonly TableProgress[]): SyncSums {
  const among = (phase: TableProgress["phase"]) => tables.filter((table) => table.phase === phase).length;
  const sum = (field: "rowsRead" | "rowsWritten" | "rowsDeleted" | "bytesWritten" | "rowsEstimated") =>
    Math.min(
      Number.MAX_SAFE_INTEGER,
      tables.reduce((total, table) => total + (table[field] ?? 0), 0),
    );
  return {
    tables: tables.length,
    done: among("done"),
    failed: among("failed"),
    skipped: among("skipped"),
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    rowsDeleted: sum("rowsDeleted"),
    bytesWritten: sum("bytesWritten"),
    rowsEstimated: tables.some(({ rowsEstimated }) => rowsEstimated != null) ? sum("rowsEstimated") : null,
  };
}

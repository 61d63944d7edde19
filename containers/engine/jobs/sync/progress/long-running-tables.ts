// Lines for a run's log about tables that take long: how far they are, how fast, and how long they will still take.

import type { TableProgress } from "./progress.ts";

const FIRST_MS = 30_000;
/**
 * A table that has taken ten hours needs no line each half minute: the wait between lines grows with what it has taken
 * so far.
 */
const SHARE_OF_AGE = 0.1;
const AT_WORK: readonly TableProgress["phase"][] = ["reading", "comparing", "writing", "uploading", "committing"];

type Observation = { beganMs: number; reportedMs: number; phase: TableProgress["phase"]; rows: number };

export class LongRunningTables {
  readonly #observed = new Map<string, Observation>();

  /** Call it every few seconds with the run's tables; answers the lines that are due. */
  lines(tables: readonly TableProgress[], nowMs: number): string[] {
    return tables.flatMap((table) => {
      if (!AT_WORK.includes(table.phase)) {
        this.#observed.delete(table.source);
        return [];
      }
      const now = { reportedMs: nowMs, phase: table.phase, rows: rowsOf(table) };
      const before = this.#observed.get(table.source);
      if (before && nowMs - before.reportedMs < Math.max(FIRST_MS, (nowMs - before.beganMs) * SHARE_OF_AGE)) return [];
      this.#observed.set(table.source, { beganMs: before?.beganMs ?? nowMs, ...now });
      return before ? [lineOf(table, before, now)] : [];
    });
  }
}

/** The rows that the table's phase is about. */
const rowsOf = ({ phase, rowsRead, rowsWritten, rowsCompared = 0 }: TableProgress): number =>
  phase === "comparing" ? rowsCompared : phase === "reading" ? Math.max(rowsRead, rowsCompared) : rowsWritten;

const VERBS: Partial<Record<TableProgress["phase"], string>> = { reading: "read", comparing: "compared" };

function lineOf(
  table: TableProgress,
  before: Observation,
  now: Pick<Observation, "reportedMs" | "phase" | "rows">,
): string {
  const { source, phase, rowsEstimated, method } = table;
  const [seconds, head] = [(now.reportedMs - before.reportedMs) / 1_000, `${source}: ${phase}, ${now.rows}`];
  const isSame = before.phase === phase && now.rows >= before.rows;
  if (isSame && now.rows === before.rows)
    return `${head} rows ${VERBS[phase] ?? "written"}; none for the last ${Math.round(seconds)} s.`;
  const perSecond = isSame ? Math.round((now.rows - before.rows) / seconds) : undefined;
  const rate = perSecond === undefined ? "" : `, ${perSecond} a second`;
  if (rowsEstimated == null || VERBS[phase] === undefined) return `${head} rows ${VERBS[phase] ?? "written"}${rate}.`;
  const counted = `${head} of about ${Math.max(rowsEstimated, now.rows)} rows ${VERBS[phase]}${rate}`;
  // A merge does not know how many rows will come.
  const isWhole = phase === "comparing" || /full read|all rows/.test(method);
  const left = isWhole && perSecond ? Math.max(0, rowsEstimated - now.rows) / perSecond : undefined;
  return left === undefined ? `${counted}.` : `${counted}, about ${durationOf(left)} left.`;
}

const durationOf = (seconds: number): string =>
  seconds < 100
    ? `${Math.ceil(seconds)} s`
    : seconds < 6_000
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;

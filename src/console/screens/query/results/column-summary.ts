// The values of a column are counted by the source that answered the statement, never here.

import type { Question } from "../run/run.ts";
import { NUMBER_KINDS, type ColumnKind } from "../../../../../kernel/docs/draw/result-table.ts";
import { askRows } from "../run/send-statement.ts";
import type { DatabaseKind } from "../text/dialects.ts";
import { figuresSql, histogramSql, isComparable, topValuesSql } from "../text/wrapped.ts";

export type ColumnSummary = {
  rows: number;
  filled: number;
  distinct: number | undefined;
  least: string | null | undefined;
  greatest: string | null | undefined;
  /** Rows of each step between the least and the greatest number. */
  bars: number[] | undefined;
  top: { value: string | null; count: number }[];
};

const BARS = 24;
const TOP_VALUES = 8;

type SummaryRequest = {
  sql: string;
  question: Question;
  column: string;
  kind: ColumnKind;
  database: DatabaseKind;
  signal: AbortSignal;
};

export async function readSummary({
  sql,
  question,
  column,
  kind,
  database,
  signal,
}: SummaryRequest): Promise<ColumnSummary> {
  const ask = async (text: string) => (await askRows(text, question, signal)).rows;
  const [figures] = await ask(figuresSql(sql, column, { kind, database }));
  const [rows, filled, distinct, least, greatest] = figures!;
  const numbers = { low: Number(least), high: Number(greatest) };
  const hasBars = NUMBER_KINDS.has(kind) && Number.isFinite(numbers.high - numbers.low) && numbers.high > numbers.low;
  const step = (numbers.high - numbers.low) / BARS;
  const [counted, top] = await Promise.all([
    hasBars ? ask(histogramSql(sql, column, { database, low: numbers.low, step })) : undefined,
    isComparable(kind) ? ask(topValuesSql(sql, column, { database, rows: TOP_VALUES })) : [],
  ]);
  return {
    rows: Number(rows),
    filled: Number(filled),
    distinct: distinct === undefined ? undefined : Number(distinct),
    least,
    greatest,
    bars: counted && barsOf(counted),
    // What occurs once says nothing about what is frequent.
    top: top.map(([value, count]) => ({ value: value!, count: Number(count) })).filter(({ count }) => count > 1),
  };
}

/** The greatest value lies on the last edge, and counts to the last step. */
function barsOf(counted: readonly (string | null)[][]): number[] {
  const bars = Array.from({ length: BARS }, () => 0);
  for (const [bin, count] of counted) bars[Math.max(0, Math.min(BARS - 1, Number(bin)))]! += Number(count);
  return bars;
}

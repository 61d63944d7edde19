// The column by which `append` finds rows it has not seen: which one, from where it is read again, and what it can't
// see.

import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { SourceColumn, SourceTable } from "../../../extract/source-table.ts";
import type { StagingDatabase } from "../../../extract/staging-database.ts";
import { Failure } from "../../../core/failure.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import type { SyncWork } from "../../../../../kernel/jobs/work.ts";
import { withConnection } from "../rows/scratch-tables.ts";
import type { Checkpoint } from "../commit/checkpoint.ts";

/** `last`: the column's largest value at the last run; null where there was none, or another column was the cursor. */
export type Cursor = { column: SourceColumn; overlap: Overlap; last: string | null };

/** How far below the largest value rows are read again: those of transactions that committed late. */
type Overlap = { sql: string; words: string /** No value of the column is smaller. */; least?: bigint };

const WHOLE_NUMBER = /^(int\d+|decimal\(\d+, ?0\))$/;
const INSTANT = /^timestamp/;
const isTime = ({ type }: SourceColumn["lake"]): boolean => INSTANT.test(type) || type === "date";

/**
 * The cursor: the column named, the one used before, or the one that the platform has picked; undefined where there is
 * none of these. Throws where the column can't be a cursor.
 */
export function chooseCursor(
  table: SourceTable,
  { named, picked, full }: { named: string | undefined; picked: string | undefined; full: boolean },
  checkpoint: Checkpoint | undefined,
): Cursor | undefined {
  const kept = checkpoint?.cursor;
  const before = kept?.column;
  if (named !== undefined && before !== undefined && named !== before && !full) {
    throw new Failure(
      "sql_error",
      `The cursor of ${table.schema}.${table.name} was ${before} and is ${named} now. Run the sync in full once, so ` +
        "that it is known from where to go on.",
    );
  }
  const name = named ?? table.columns.find((column) => column.name === before)?.name ?? picked;
  if (name === undefined) return undefined;
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column)
    throw new Failure("sql_error", `${table.schema}.${table.name} has no column ${name}, which is its cursor.`);
  return { column, overlap: overlapOf(column), last: before === name ? (kept?.value ?? null) : null };
}

/** Notes for people: which rows a run by this cursor reads, and which changes it can't see. */
export function unseenNote({ column, overlap }: Cursor, method: SyncWork["loadMethod"], seesLate: boolean): string {
  const { name, lake } = column;
  if (seesLate)
    return (
      `Rows are added where ${name} has grown since the last run, and where they were committed since, ` +
      `whatever their ${name}: the table is scanned at the source. Not seen: changes that leave ${name} as it is, ` +
      "and deleted rows."
    );
  const below =
    method === "append"
      ? "rows that appear further below it, as those of a transaction that was open for long"
      : "rows that appear or change further below it";
  const without = lake.nullable ? `, and rows without ${name}` : "";
  return (
    `Rows are read where ${name} has grown since the last run, from ${overlap.words} the largest value on. Not ` +
    `seen: ${below}, changes that leave ${name} as it is, deleted rows${without}.`
  );
}

function overlapOf(column: SourceColumn): Overlap {
  const { name, type, lake } = column;
  if (WHOLE_NUMBER.test(lake.type)) return { sql: "::HUGEINT - 50000", least: leastOf(column), words: "50,000 below" };
  if (INSTANT.test(lake.type)) return { sql: " - INTERVAL 1 HOUR", words: "an hour before" };
  if (lake.type === "date") return { sql: " - 2", words: "two days before" };
  if (lake.type.startsWith("decimal")) return { sql: "", words: "exactly" };
  throw new Failure("sql_error", `Column ${name} is ${type}: a cursor is a number, a date or a time that only grows.`);
}

function leastOf({ lake: { type }, unsigned }: SourceColumn): bigint {
  if (unsigned) return 0n;
  const [, digits] = /^decimal\((\d+)/.exec(type) ?? [];
  return digits === undefined ? -(2n ** (BigInt(type.replace("int", "")) - 1n)) : 1n - 10n ** BigInt(digits);
}

/** Follows a cursor's largest value through rows, from that of the last run on. */
export class LargestValue {
  readonly #staging: StagingDatabase;
  readonly #cursor: Cursor | undefined;
  #value: string | null;

  constructor(staging: StagingDatabase, cursor: Cursor | undefined, before: string | null) {
    this.#staging = staging;
    this.#cursor = cursor;
    this.#value = before;
  }

  /** `file`: a Parquet file. */
  readonly add = (file: string): Promise<void> => this.addRows(`read_parquet(${quoteLiteral(file)})`);

  /** `rows`: what follows FROM. */
  async addRows(rows: string): Promise<void> {
    if (this.#cursor) this.#value = await largestOf(this.#staging, this.#cursor, this.#value, rows);
  }

  /** The cursor's part of a checkpoint; null without a cursor. `fileIdBefore`: see {@link Checkpoint}. */
  checkpoint(fileIdBefore: number | null): Checkpoint["cursor"] {
    return this.#cursor ? { column: this.#cursor.column.name, value: this.#value, fileIdBefore } : null;
  }
}

/** The larger of `value` and the cursor's largest in `rows`, in DuckDB's words. */
const largestOf = (
  staging: StagingDatabase,
  cursor: Cursor,
  value: string | null,
  rows: string,
): Promise<string | null> =>
  readText(staging, `SELECT greatest(${maxOf(cursor)}, ${literalOf(cursor, value)})::VARCHAR FROM ${rows}`);

/** Whether `rows` go as far as the last run did. */
export const isReached = async (staging: StagingDatabase, cursor: Cursor, rows: string): Promise<boolean> =>
  (await readText(staging, `SELECT (${maxOf(cursor)} >= ${literalOf(cursor, cursor.last)})::VARCHAR FROM ${rows}`)) ===
  "true";

/** Infinity is left out, for there is nothing to read from there on. */
function maxOf({ column: { lake } }: Cursor): string {
  const name = quoteIdentifier(lake.name);
  const finite = isTime(lake) ? ` FILTER (isfinite(${name}))` : "";
  return `max(${name})${finite}::${duckdbType(lake)}`;
}

const literalOf = ({ column }: Cursor, value: string | null): string =>
  `${value === null ? "NULL" : quoteLiteral(value)}::${duckdbType(column.lake)}`;

/** The condition on `row` that its value is larger than the last run's largest. Infinity is not: no run ends at it. */
export function isBeyond(cursor: Cursor, row: string): string {
  const { lake } = cursor.column;
  const cell = `${row}.${quoteIdentifier(lake.name)}`;
  const isFinite = isTime(lake) ? `isfinite(${cell})` : "true";
  return `coalesce(${cell} > ${literalOf(cursor, cursor.last)} AND ${isFinite}, false)`;
}

/**
 * The value from which rows are read again, in DuckDB's words; null where all are read, as the last run left no value.
 */
export async function rereadFrom(staging: StagingDatabase, cursor: Cursor): Promise<string | null> {
  const { sql, least } = cursor.overlap;
  if (cursor.last === null) return null;
  const from = `(${literalOf(cursor, cursor.last)}${sql})`;
  return readText(staging, `SELECT (${least === undefined ? from : `greatest(${from}, ${least}::HUGEINT)`})::VARCHAR`);
}

async function readText(staging: StagingDatabase, sql: string): Promise<string | null> {
  const reader = await withConnection(staging, (connection) => connection.runAndReadAll(sql));
  return (reader.getRows()[0]?.[0] ?? null) as string | null;
}

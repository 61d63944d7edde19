// The server sums a digest of a table's keys, and counts the rows that were written since an earlier snapshot, in one
// scan, which its parallel workers share. Nothing but the sums travels.

import { Failure } from "../../../core/failure.ts";
import type { SourceColumn } from "../../../extract/source-table.ts";
import type { KeySum } from "../../../extract/changes/changes.ts";
import type { FetchRows } from "../../row-collector.ts";
import { ServerError } from "../connection/errors.ts";
import { protocolViolation } from "../connection/messages.ts";
import { quoteIdentifier, quoteTable } from "../sql-text.ts";
import type { PostgresTable } from "./describe-table.ts";

/** `digest` is the SQL of a key's digest: sums by other digests, or of other columns, are not compared. */
export type DigestedKeys = KeySum & { digest: string };
/** `written`: the rows that were written since. */
export type TableSums = { keys: DigestedKeys; written: number };

const INTEGERS = new Set(["smallint", "integer", "bigint"]);
const IS_SUM = /^-?\d{1,40}$/;

/**
 * 64 bits of a row's key, by the functions that the server divides tables into partitions by. `hashint8extended` folds
 * a number into 32 bits first, so the number is also part of its seed, which has 64. Other values are digested as they
 * print, which distinguishes some that are one key to the server, and none the other way round.
 */
function digestOf({ primaryKey, columns }: PostgresTable): string {
  return primaryKey.reduce((seed, key) => {
    const column = columns.find(({ name }) => name === key);
    const value = quoteIdentifier(key);
    return column && INTEGERS.has(column.type)
      ? `pg_catalog.hashint8extended(${value}, (${seed}) # ${value}::pg_catalog.int8)`
      : `pg_catalog.hashtextextended(${value}::pg_catalog.text COLLATE pg_catalog."C", ${seed})`;
  }, "0::pg_catalog.int8");
}

export async function sumKeys(fetchRows: FetchRows, table: PostgresTable, oldest: bigint): Promise<TableSums> {
  const digest = digestOf(table);
  const [[rows, sum, written] = protocolViolation("it does not sum a table's keys")] = await fetchRows(
    `SELECT count(*), sum(${digest}), count(*) FILTER (WHERE ${isSince("xmin", oldest)}) FROM ${quoteTable(table)}`,
    "nTn",
  );
  if (sum != null && !IS_SUM.test(sum)) protocolViolation("the sum of a table's keys is no number");
  return { keys: { digest, rows: Number(rows), sum: sum ?? "0" }, written: Number(written) };
}

/** Classes of errors: a conflict, a lock, somebody at the server or its shutdown, an old snapshot ended a statement. */
const STOPPED = /^(40|55|57|72)/;

/**
 * Whether the server lacks a function, say, or memory that its workers share, so that keys are read instead. Where the
 * statement was stopped, another would fare no better.
 */
export const isUnableToSum = (error: unknown): boolean =>
  error instanceof Failure && error.cause instanceof ServerError && !STOPPED.test(error.cause.code);

const [ROUND, HALF] = [2n ** 32n, 2n ** 31n];

/**
 * Whether the transaction number `xid`, which goes round at 2³², is `oldest` or one of the 2³¹ after it. The server
 * compares ages as well, but in none of its parallel workers. Numbers below three are no transaction's.
 */
export function isSince(xid: string, oldest: bigint): string {
  const bytes = `pg_catalog.xidsend(${xid})`;
  const literal = (number: bigint) => `'\\x${(number % ROUND).toString(16).padStart(8, "0")}'::pg_catalog.bytea`;
  const [from, to] = [literal(oldest), literal(oldest + HALF)];
  return oldest % ROUND < HALF
    ? `${bytes} >= ${from} AND ${bytes} < ${to}`
    : `(${bytes} >= ${from} OR ${bytes} < ${to} AND ${bytes} > ${literal(2n)})`;
}

/** The digest of a row's key as a column to read beside a table's. */
export const digestColumn = ({ digest }: DigestedKeys, name: string): SourceColumn => ({
  name,
  type: "bigint",
  lake: { id: 0, name, type: "int64", nullable: false, children: [] },
  select: digest,
  reading: { as: "integer" },
  width: 8,
});

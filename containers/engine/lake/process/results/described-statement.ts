// A statement whose columns are known, and how its result is read to a certain end.

import type { DuckDBConnection, DuckDBResult, DuckDBType } from "@duckdb/node-api";
import { Failure } from "../../../core/failure.ts";
import type { Column } from "../../../formats/result.ts";
import { BEGIN } from "../locked-database.ts";
import type { RunOrder } from "../messages.ts";

/**
 * Takes a result; a promise asks to wait. `whole`: the bytes end where a row ends. `check` throws once the statement is
 * cancelled.
 */
export type ResultTaker = {
  check(): void;
  columns(columns: Column[]): void | Promise<void>;
  data(bytes: Uint8Array, whole: boolean): void | Promise<void>;
};

export type Shape = { columns: Column[]; types: DuckDBType[] };

/** A statement whose columns are known, ready to run. */
export type DescribedStatement = { connection: DuckDBConnection; sql: string; shape: Shape; order: RunOrder };

/** `limit`: of a result that is small, so that its last row should cost little. */
type OuterSelect = { select: string; limit?: string; last: string };

/** The rows of a statement, whose text begins on the second line, for a SELECT of the columns `c1`, `c2` … */
export const fromStatement = (sql: string, { columns }: Shape): string =>
  `FROM (\n${sql}\n) AS q(${columns.map((_, i) => `c${i + 1}`).join(", ")})`;

/**
 * DuckDB works ahead of a stream in order, with all its threads, only where every source numbers its batches. Where one
 * does not, a thread waits for another in a loop, which takes a quarter of the CPU of a long result. A row from nowhere
 * has no number, nor has that of a window without an order; the row of a sort has one, and takes 0.4 ms.
 */
const FROM_NUMBERED = " FROM (SELECT range FROM range(1) ORDER BY range)";

/**
 * `select` over the caller's statement, whose text begins on the second line, and behind its rows the row `last`.
 *
 * A streamed result that fails half-way ends for its reader exactly as one that is complete: DuckDB's Node binding does
 * not report the error. The last row is the proof that nothing is missing.
 */
export const wrapWithLastRow = (sql: string, shape: Shape, { select, limit, last }: OuterSelect): string =>
  `(${fromStatement(sql, shape)} SELECT ${select}${limit ?? ""}) UNION ALL ` +
  `SELECT ${last}${limit === undefined ? FROM_NUMBERED : ""}`;

/**
 * Streams the rows of `sql`, which has so many columns.
 *
 * To prepare is to plan, and over files DuckDB plans once more to run: their content may have changed. A parameter
 * whose type nothing tells, met first, ends the first of the two before it has begun. The rows of its branch are none.
 */
export async function streamRows(connection: DuckDBConnection, sql: string, columns: number): Promise<DuckDBResult> {
  const nothing = `SELECT ${Array(columns).fill("NULL").join(", ")} WHERE abs($1) < 0`;
  const prepared = await connection.prepare(`${nothing} UNION ALL ${sql}`);
  try {
    prepared.bind([0]);
    return await prepared.stream();
  } finally {
    prepared.destroySync();
  }
}

/** Says why a result ended without its last row, by running the statement again without its result. */
export async function broken(connection: DuckDBConnection, streamed: string, take: ResultTaker): Promise<never> {
  take.check();
  // After an error, the transaction can do nothing more.
  await connection.run(`ROLLBACK; ${BEGIN}`);
  await connection.run(`SELECT sum(hash(COLUMNS(*))) FROM (${streamed})`);
  take.check();
  throw new Failure("internal", "The result broke off.");
}

// The rows of a described statement are read to a certain end: chunk by chunk, while DuckDB works on the next.

import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { release } from "../../../duckdb/vectors/entries.ts";
import {
  broken,
  streamRows,
  wrapWithLastRow,
  type DescribedStatement,
  type ResultTaker,
} from "./described-statement.ts";

/** DuckDB is asked for each row by one expression for each column of the statement, named `c1`, `c2` … */
export type RowQuery = { select: string; rowsMax?: number | undefined };

export type RowReader = {
  /** Sees the result before its first chunk. */
  open?(result: DuckDBResult): void;
  /**
   * Takes the first `rows` of a chunk, whose columns from {@link FIRST_COLUMN} on are what was asked for. They are
   * valid until it settles. False says that no more are wanted.
   */
  add(chunk: DuckDBDataChunk, rows: number): Promise<boolean>;
};

/** The first column says whether the row is one of the result's; the result's columns follow. */
export const FIRST_COLUMN = 1;

/** Rejects where the rows break off before their end. No fetch is on its way when it settles. */
export async function readRows(
  { connection, sql, shape }: DescribedStatement,
  { select, rowsMax }: RowQuery,
  take: ResultTaker,
  reader: RowReader,
): Promise<void> {
  const columns = shape.types.length;
  const streamed = wrapWithLastRow(sql, shape, {
    select: `true, ${select}`,
    ...(rowsMax !== undefined && { limit: ` LIMIT ${rowsMax}` }),
    last: `false${", NULL".repeat(columns)}`,
  });
  const result = await streamRows(connection, streamed, FIRST_COLUMN + columns);
  reader.open?.(result);
  if (!(await readAhead(connection, result, reader))) await broken(connection, streamed, take);
}

/** Reads ahead. Answers whether the last row came, or no more rows were wanted. */
async function readAhead(connection: DuckDBConnection, result: DuckDBResult, reader: RowReader): Promise<boolean> {
  let next = fetchChunk(result);
  for (;;) {
    const chunk = await next;
    if (!chunk || chunk.rowCount === 0) return false;
    const rows = countRows(chunk);
    const isLast = rows < chunk.rowCount;
    if (!isLast) next = fetchChunk(result);
    let isWanted = false;
    try {
      isWanted = await reader.add(chunk, rows);
    } finally {
      if (!isWanted && !isLast) await giveUp(connection, next);
    }
    // The chunk is freed at once, since the garbage collector does not know how much memory it holds.
    duckdb.data_chunk_reset(chunk.chunk);
    if (isLast || !isWanted) return true;
  }
}

function fetchChunk(result: DuckDBResult): Promise<DuckDBDataChunk | null> {
  const fetched = result.fetchChunk();
  // The rejection reaches whoever awaits it later; until then there may be nobody.
  fetched.catch(() => undefined);
  return fetched;
}

/** Interrupts a fetch, as a chunk that nobody wants may take long. */
async function giveUp(connection: DuckDBConnection, fetched: Promise<unknown>): Promise<void> {
  connection.interrupt();
  await fetched.catch(() => undefined);
}

/** How many rows there are before the last of all, whose first cell is false. */
function countRows(chunk: DuckDBDataChunk): number {
  const isMore = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, 0), chunk.rowCount);
  const last = isMore.indexOf(0);
  release(isMore);
  return last < 0 ? chunk.rowCount : last;
}

// A result as an Arrow stream, straight from DuckDB's vectors.

import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { release } from "../../../../duckdb/vectors/entries.ts";
import {
  broken,
  streamRows,
  wrapWithLastRow,
  type DescribedStatement,
  type ResultTaker,
} from "../described-statement.ts";
import { Batches } from "./batches.ts";
import { selectOf } from "./read-column.ts";

export async function streamArrow(
  { connection, sql, shape }: DescribedStatement,
  take: ResultTaker,
): Promise<{ truncated: boolean }> {
  const streamed = wrapWithLastRow(sql, shape, {
    select: `true, ${shape.types.map((type, i) => selectOf(type, `c${i + 1}`)).join(", ")}`,
    last: `false${", NULL".repeat(shape.types.length)}`,
  });
  const result = await streamRows(connection, streamed, shape.types.length + 1);
  const batches = new Batches(shape, take);
  const isWhole = await readAhead(connection, result, (chunk, rows) => batches.add(chunk, rows));
  if (!isWhole) return broken(connection, streamed, take);
  await batches.end();
  return { truncated: false };
}

/**
 * Hands over the rows of each chunk while DuckDB works on the next. Answers whether the last row came. No fetch is on
 * its way when it settles.
 */
async function readAhead(
  connection: DuckDBConnection,
  result: DuckDBResult,
  add: (chunk: DuckDBDataChunk, rows: number) => Promise<void>,
): Promise<boolean> {
  const fetch = () => {
    const fetched = result.fetchChunk();
    // Whoever awaits it hears of it; until then there may be nobody.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetch();
  for (;;) {
    const chunk = await next;
    if (!chunk || chunk.rowCount === 0) return false;
    const rows = countRows(chunk);
    const isLast = rows < chunk.rowCount;
    if (!isLast) next = fetch();
    try {
      await add(chunk, rows);
    } catch (error) {
      connection.interrupt();
      await next.catch(() => undefined);
      throw error;
    }
    // Now, since the garbage collector does not know how much memory it is.
    duckdb.data_chunk_reset(chunk.chunk);
    if (isLast) return true;
  }
}

/** How many rows there are before the last of all, whose first cell is false. */
function countRows(chunk: DuckDBDataChunk): number {
  const isMore = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, 0), chunk.rowCount);
  const last = isMore.indexOf(0);
  release(isMore);
  return last < 0 ? chunk.rowCount : last;
}

// A result as an Arrow stream, straight from DuckDB's vectors.

import type { DuckDBDataChunk } from "@duckdb/node-api";
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
  const batches = new Batches(shape, take);
  const result = await streamRows(connection, streamed, shape.types.length + 1);
  for (let whole = true; whole; ) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return broken(connection, streamed, take);
    const rows = countRows(chunk);
    whole = rows === chunk.rowCount;
    await batches.add(chunk, rows);
    // Now, since the garbage collector does not know how much memory it is.
    duckdb.data_chunk_reset(chunk.chunk);
  }
  await batches.end();
  return { truncated: false };
}

/** How many rows there are before the last of all, whose first cell is false. */
function countRows(chunk: DuckDBDataChunk): number {
  const isMore = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, 0), chunk.rowCount);
  const last = isMore.indexOf(0);
  release(isMore);
  return last < 0 ? chunk.rowCount : last;
}

// A result as lines that DuckDB writes: CSV, NDJSON, and the rows of a JSON document.

import { Lines } from "../line-bytes.ts";
import { lineOf } from "../canonical-text.ts";
import { rowsTaken } from "../messages.ts";
import {
  broken,
  streamRows,
  wrapWithLastRow,
  type DescribedStatement,
  type ResultTaker,
} from "./described-statement.ts";
import { Pieces } from "./pieces.ts";

export async function streamLines(
  { connection, sql, shape, order }: DescribedStatement,
  take: ResultTaker,
): Promise<{ truncated: boolean }> {
  const { numbers } = order.result;
  const format = order.result.format === "csv" || order.result.format === "ndjson" ? order.result.format : "json";
  const rowsMax = rowsTaken(order.result);
  const capped = rowsMax !== undefined;
  const line = lineOf(format, shape.columns, shape.types, numbers);
  const streamed = wrapWithLastRow(sql, shape, { select: line, limit: capped ? ` LIMIT ${rowsMax}` : "", last: "''" });
  const result = await streamRows(connection, streamed, 1);
  const pieces = new Pieces(take);
  let rowCount = 0;
  let rowBytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return broken(connection, streamed, take);
    const lines = new Lines(chunk);
    let taken = 0;
    let ended = false;
    for (; taken < lines.count; taken++) {
      // Every line of a row has at least its line break.
      ended = lines.length(taken) === 0;
      if (ended) break;
      rowBytes += lines.length(taken);
      if (capped && (rowCount + taken >= order.result.rowsMax || rowBytes > order.result.bytesMax)) break;
    }
    // Every JSON row opens with the comma that parts it from the one before.
    let skip = capped && rowCount === 0 ? 1 : 0;
    for (const run of lines.runs(0, taken)) {
      const full = pieces.add(skip > 0 ? run.subarray(skip) : run);
      if (full) await full;
      skip = 0;
    }
    const all = taken === lines.count;
    lines.release();
    rowCount += taken;
    await pieces.endRows();
    if (!all) {
      await pieces.flush();
      return { truncated: !ended };
    }
  }
}

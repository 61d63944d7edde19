// A query's rows, encoded once and sent as often as they are asked for: so that the time of whoever reads them is
// measured, and not the fake's.

import type { DuckDBInstance } from "@duckdb/node-api";
import type { PreparedAnswer } from "./server-state.ts";
import type { FakeColumn } from "./tds/column-types.ts";
import { encoderOf, rowToken } from "./tds/values.ts";
import { toFakeValue } from "./tsql/storage.ts";

type Encoded = { page: Buffer; rows: number };

/** `sql` is DuckDB's, and gives `columns`; statements that match `when` are answered with its rows. */
export async function encodedAnswer(
  instance: DuckDBInstance,
  { when, columns, sql }: { when: RegExp; columns: FakeColumn[]; sql: string },
): Promise<PreparedAnswer> {
  const connection = await instance.connect();
  const encoders = columns.map(encoderOf);
  const pages: Encoded[] = [];
  try {
    const streamed = await connection.stream(sql);
    for (let chunk = await streamed.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await streamed.fetchChunk()) {
      const rows = chunk.getRows().map((row) => rowToken(encoders, row.map(toFakeValue), true));
      pages.push({ page: Buffer.concat(rows), rows: rows.length });
    }
  } finally {
    connection.closeSync();
  }
  return { when, columns, batches: () => pages };
}

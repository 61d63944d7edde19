// Results of statements as record batches, made where a query process makes them.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { BatchFormat } from "../../../../kernel/wire/engine-program.ts";
import { columnOf } from "../../../../containers/engine/lake/process/canonical-text.ts";
import { streamBatches } from "../../../../containers/engine/lake/process/results/arrow/stream-batches.ts";
import type {
  DescribedStatement,
  ResultTaker,
} from "../../../../containers/engine/lake/process/results/described-statement.ts";

export const ARROW_RESULT = { format: "arrow", numbers: "exact", rowsMax: 1_000_000, bytesMax: 1_000_000_000 } as const;

export async function describeSql(connection: DuckDBConnection, sql: string): Promise<DescribedStatement> {
  const prepared = await connection.prepare(sql);
  const indexes = Array.from({ length: prepared.columnCount }, (_, i) => i);
  const types = indexes.map((i) => prepared.columnType(i));
  const columns = indexes.map((i) => columnOf(prepared.columnName(i), types[i]!));
  prepared.destroySync();
  const order = {
    body: sql,
    explain: undefined,
    setup: [],
    paths: [],
    result: ARROW_RESULT,
    requestId: "r",
    values: [],
    isSteady: true,
    filters: [],
  };
  return { connection, sql, shape: { columns, types }, order };
}

/** What `work` sends of a result. */
export async function gather(work: (take: ResultTaker) => Promise<unknown>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await work({
    check: () => undefined,
    columns: () => undefined,
    data: (bytes) => void pieces.push(Uint8Array.from(bytes)),
  });
  return Buffer.concat(pieces);
}

/** From DuckDB's vectors. */
export async function batchesOf(format: BatchFormat, connection: DuckDBConnection, sql: string): Promise<Uint8Array> {
  const statement = await describeSql(connection, sql);
  return gather((take) => streamBatches(format, statement, take));
}

export const arrowOf = (connection: DuckDBConnection, sql: string): Promise<Uint8Array> =>
  batchesOf("arrow", connection, sql);

// Both engines have the same tables: DuckDB a copy, and Trino the files by its connector's own procedure.

import type { DuckDBConnection } from "@duckdb/node-api";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { TPCH } from "../../../../../scripts/bench/lake/tpc/tpch.ts";
import type { Table } from "../../../../../src/features/trino-sql/translate/scope.ts";
import { decimal, nameOf, simple, VARCHAR, type Type } from "../../../../../src/features/trino-sql/trino-types.ts";
import { SHOP } from "./shop.ts";

const TYPES: Record<string, Type> = {
  BIGINT: simple("bigint"),
  INTEGER: simple("integer"),
  DOUBLE: simple("double"),
  BOOLEAN: simple("boolean"),
  DATE: simple("date"),
  VARCHAR,
  TIMESTAMP: { kind: "timestamp", digits: 6 },
  "TIMESTAMP WITH TIME ZONE": { kind: "timestamptz", digits: 6 },
};

function typeOf(spelled: string): Type {
  const digits = /^DECIMAL\((\d+),(\d+)\)$/.exec(spelled);
  const type = digits ? decimal(Number(digits[1]), Number(digits[2])) : TYPES[spelled];
  if (!type) throw new Error(`No test table has a column of ${spelled}.`);
  return type;
}

/** Scale 0.01 of TPC-H has 60,175 lines. */
const SCALE = 0.01;

/**
 * Makes `<schema>/<table>/rows.parquet` in a folder, a table of each in DuckDB, and one in Trino's catalog of that
 * folder. Answers the tables by `schema.table`.
 */
export async function makeTables(
  folder: string,
  connection: DuckDBConnection,
  runInTrino: (sql: string) => Promise<unknown>,
): Promise<Map<string, Table>> {
  const generated = join(folder, "generated");
  await mkdir(generated);
  await TPCH.generate(generated, SCALE);
  const sources = [
    ...TPCH.tables.map((table) => ["tpch", table, `FROM '${join(generated, `${table}.parquet`)}'`] as const),
    ...Object.entries(SHOP).map(([table, sql]) => ["shop", table, sql] as const),
  ];
  for (const schema of ["tpch", "shop"]) {
    await connection.run(`CREATE SCHEMA ${schema}`);
    await runInTrino(`CREATE SCHEMA lake.${schema}`);
  }
  const tables = new Map<string, Table>();
  for (const [schema, table, sql] of sources) {
    const name = `${schema}.${table}`;
    const place = join(folder, schema, table);
    await mkdir(place, { recursive: true });
    await connection.run(`COPY (${sql}) TO '${join(place, "rows.parquet")}'`);
    await connection.run(`CREATE TABLE ${name} AS FROM '${join(place, "rows.parquet")}'`);
    const described = (await connection.runAndReadAll(`DESCRIBE ${name}`)).getRowsJson() as [string, string][];
    const columns = described.map(([column, spelled]) => ({ name: column, type: typeOf(spelled) }));
    tables.set(name, { sql: name, qualifiers: ["lake", schema, table], columns });
    const ddl = columns.map((column) => `${column.name} ${nameOf(column.type)}`).join(", ");
    await runInTrino(`CREATE TABLE lake.${name} (${ddl})`);
    const files = `location => 'local:///${schema}/${table}', format => 'PARQUET'`;
    await runInTrino(`ALTER TABLE lake.${name} EXECUTE add_files(${files})`);
  }
  return tables;
}

// A sync's reading is held against these yardsticks: clients that print to nowhere, a detour by CSV, and rows taken one
// by one.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "../../../test/support/node/servers/server.ts";
import type { Client } from "./clients.ts";
import { runProgram } from "../support/program.ts";
import { connectPostgres, DATABASE, TABLE } from "./tables.ts";

const PARQUET = "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)";
const FETCH_ROWS = 10_000;

/** A program whose output goes nowhere; rejects where it fails. */
function toNowhere(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, ...env } });
  child.once("error", reject);
  child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`))));
  return promise;
}

/** psql negotiates TLS as the engine does. */
export const psqlArgs = ({ host, port, username }: Server, command: string) => [
  "-X",
  "-q",
  "-h",
  host,
  "-p",
  String(port),
  "-U",
  username,
  "-d",
  "postgres",
  "-c",
  command,
];

export const copyToNowhere = (server: Server, format: "csv" | "binary"): Promise<void> =>
  toNowhere("psql", psqlArgs(server, `COPY ${TABLE} TO STDOUT (FORMAT ${format})`), { PGPASSWORD: server.password });

export const selectToNowhere = async (client: Client, server: Server, folder: string): Promise<void> => {
  const file = join(folder, "client.cnf");
  await writeFile(
    file,
    `[client]\nhost=${server.host}\nport=${server.port}\nuser=${server.username}\n` +
      `password="${server.password}"\nssl-verify-server-cert=0\n`,
    { mode: 0o600 },
  );
  await toNowhere(
    client.file,
    [`--defaults-file=${file}`, "--quick", "--batch", DATABASE, "-e", `SELECT * FROM \`${TABLE}\``],
    client.env,
  );
};

/** `\copy` to a CSV file, which DuckDB then makes Parquet of. */
export async function copyByCsv(server: Server, folder: string): Promise<void> {
  const csv = join(folder, "lines.csv");
  await runProgram("psql", psqlArgs(server, `\\copy ${TABLE} to '${csv}' (format csv)`), {
    PGPASSWORD: server.password,
  });
  await withDuckdb(async (connection) => {
    await connection.run(
      `COPY (SELECT * FROM read_csv('${csv}', header = false, columns = ` +
        `{${COLUMNS.map(([name, type]) => `'${name}': '${type}'`).join(", ")}})) TO ` +
        `'${join(folder, "csv.parquet")}' ${PARQUET}`,
    );
  });
}

/** A cursor, rows as the driver makes them, one appended value after another. Reads the first `rows`. */
export async function appendRowByRow(server: Server, folder: string, rows: number): Promise<void> {
  const client = await connectPostgres(server);
  try {
    await client.query(
      "BEGIN; DECLARE c CURSOR FOR SELECT order_id, line, product_id, quantity::text, price::text, discount::text, " +
        `tax, flag, status, shipped_on::text, updated_at::text, comment FROM ${TABLE} LIMIT ${rows}`,
    );
    await withDuckdb(async (connection) => {
      await connection.run(`CREATE TABLE rows (${COLUMNS.map(([name]) => `${name} VARCHAR`).join(", ")})`);
      const appender = await connection.createAppender("rows");
      for (;;) {
        const fetched = await client.query<unknown[]>({ text: `FETCH ${FETCH_ROWS} FROM c`, rowMode: "array" });
        for (const row of fetched.rows) {
          for (const value of row) appender.appendVarchar(String(value));
          appender.endRow();
        }
        if (fetched.rows.length < FETCH_ROWS) break;
      }
      appender.closeSync();
      await connection.run(
        `COPY (SELECT ${COLUMNS.map(([name, type]) => `CAST(${name} AS ${type}) AS ${name}`).join(", ")} ` +
          `FROM rows) TO '${join(folder, "rows.parquet")}' ${PARQUET}`,
      );
    });
  } finally {
    await client.end();
  }
}

const COLUMNS = [
  ["order_id", "BIGINT"],
  ["line", "SMALLINT"],
  ["product_id", "INTEGER"],
  ["quantity", "DECIMAL(15,2)"],
  ["price", "DECIMAL(15,2)"],
  ["discount", "DECIMAL(15,2)"],
  ["tax", "DOUBLE"],
  ["flag", "VARCHAR"],
  ["status", "VARCHAR"],
  ["shipped_on", "DATE"],
  ["updated_at", "TIMESTAMPTZ"],
  ["comment", "VARCHAR"],
] as const;

async function withDuckdb(use: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
  const connection = await instance.connect();
  try {
    await use(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

// Tools of others that read a table of PostgreSQL into Parquet, each in a process of its own, as the extraction does.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../support/program.ts";
import { fetchWheels } from "../support/wheels.ts";
import type { Place } from "./places.ts";
import type { Read } from "./read-once.ts";

const WHEELS = [
  "duckdb==1.5.5",
  "duckdb-extension-postgres-scanner==1.5.5",
  "connectorx==0.4.6",
  "adbc-driver-postgresql==1.13.0",
  "adbc-driver-manager==1.13.0",
  "pyarrow==26.0.1",
  "dlt==1.31.0",
  "sqlalchemy==2.1.9",
  "psycopg2-binary==2.9.13",
];
const TOOLS = {
  duckdb: "DuckDB's postgres extension",
  connectorx: "connectorx",
  adbc: "ADBC",
  dlt: "dlt with connectorx",
} as const;
const once = fileURLToPath(new URL("read_once.py", import.meta.url));

export type TableToRead = Pick<Place, "source" | "schema" | "table" | "rows">;
export type Tool = { name: string; read(): Promise<Read> };
export type Tools = { tools: Tool[]; stop(): Promise<void> };

/** The tools read PostgreSQL alone. */
export async function openTools({ source, schema, table, rows }: TableToRead): Promise<Tools> {
  if (source.type !== "postgres") return { tools: [], stop: async () => undefined };
  const { host, port, database, username, password } = source.credentials;
  // Apostrophes stand in statements.
  const encoded = encodeURIComponent(password).replaceAll("'", "%27");
  const address = `postgresql://${username}:${encoded}@${host}:${port}/${database}`;
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-tools-"));
  const wheels = await fetchWheels(folder, WHEELS);
  const read = async (tool: string) => {
    const order = JSON.stringify({ tool, address, schema, table, file: join(folder, "rows.parquet") });
    const done = JSON.parse(await runProgram("python3", [once, order], { PYTHONPATH: wheels })) as Read;
    if (done.rows !== rows) throw new Error(`${tool}: ${done.rows} rows were read, and ${rows} are there.`);
    return done;
  };
  return {
    tools: Object.entries(TOOLS).map(([tool, name]) => ({ name: `${name} to Parquet`, read: () => read(tool) })),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

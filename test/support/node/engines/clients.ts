// The clients that the ring `engines` reads with, each started with the settings of docs/open-lake.md.

import { startPythonClient, type Catalogs, type ClientTable, type Engine } from "./engine-client.ts";
import type { FetchedClients } from "./fetch-clients.ts";
import { startTrino } from "./trino.ts";

export type ClientKind = {
  name: string;
  /** What of the lake's types it is shown, by the profile of the warehouse. */
  profile: "full" | "spark";
  /** What the client makes of a table by a known fault of its own. */
  asItReads(table: ClientTable): ClientTable;
  /** What becomes of a table that it holds when its storage credential has ended. */
  beyondExpiry: "goes on" | "fails";
  /** Ends what holding a table began, where that is needed. */
  release?: string;
  /** How it says that it may not write. */
  refusedWrite: RegExp;
  start(clients: FetchedClients, catalogs: Catalogs, storage: string): Promise<Engine>;
};

const exactly = (table: ClientTable): ClientTable => table;

/** Spark is shown a UUID as its sixteen bytes. */
const withBytesOfUuids = ({ columns, rows }: ClientTable): ClientTable => ({
  columns,
  rows: rows.map((row) => row.map((value, index) => (columns[index] === "u" ? bytesOfUuid(value) : value))),
});

const bytesOfUuid = (value: unknown): unknown =>
  value === null ? null : Buffer.from(String(value).replaceAll("-", ""), "hex").toString("base64");

/** PyIceberg 0.12.0 reads a list of structs that is NULL as an empty one: its projection of lists drops the nulls. */
const withoutNullLists = ({ columns, rows }: ClientTable): ClientTable => ({
  columns,
  rows: rows.map((row) => row.map((value, index) => (columns[index] === "ls" ? (value ?? []) : value))),
});

export const DUCKDB: ClientKind = {
  name: "DuckDB",
  profile: "full",
  asItReads: exactly,
  beyondExpiry: "goes on",
  release: "release",
  refusedWrite: /attached in read-only mode/,
  start: ({ python }, catalogs) => startPythonClient("duckdb_client.py", python, catalogs),
};

export const PYICEBERG: ClientKind = {
  name: "PyIceberg",
  profile: "full",
  asItReads: withoutNullLists,
  beyondExpiry: "fails",
  refusedWrite: /ACCESS_DENIED/,
  start: ({ python }, catalogs) => startPythonClient("pyiceberg_client.py", python, catalogs),
};

export const TRINO: ClientKind = {
  name: "Trino",
  profile: "full",
  asItReads: exactly,
  beyondExpiry: "goes on",
  refusedWrite: /Access Denied/,
  start: startTrino,
};

export const SPARK: ClientKind = {
  name: "Spark",
  profile: "spark",
  asItReads: withBytesOfUuids,
  beyondExpiry: "goes on",
  refusedWrite: /Access ?Denied|403/,
  start: ({ spark, sparkJars }, catalogs) => {
    const ofSpark = Object.entries(catalogs).map(([name, access]) => [
      name,
      { ...access, warehouse: `${access.warehouse}:spark` },
    ]);
    return startPythonClient("spark_client.py", spark, Object.fromEntries(ofSpark) as Catalogs, [sparkJars.join(",")]);
  },
};

export const CLIENTS: readonly ClientKind[] = [DUCKDB, PYICEBERG, TRINO, SPARK];

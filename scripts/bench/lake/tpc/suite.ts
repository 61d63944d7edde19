// A suite of queries over tables of one schema, which a public generator makes.

import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { ask } from "../../../start/platform.ts";
import { say } from "../../support/measure.ts";
import type { Platform } from "../../support/platform.ts";

/** The time limit of one statement; the largest table of scale 1 has 6 million rows. */
const WRITE_MS = 300_000;
export const GENERATE_MS = 600_000;

export type Suite = {
  name: string;
  schema: string;
  /** The geometric mean of the ratios to bare DuckDB is to be at most this. */
  aim: number;
  tables: readonly string[];
  /** Queries to which other rows are right, too, as the order that they are cut in has ties. Their rows are counted. */
  tied?: ReadonlySet<string>;
  /** Makes `<table>.parquet` of each in the folder, and answers the queries. Rejects where it can't be had. */
  generate(folder: string, scale: number): Promise<Readonly<Record<string, string>>>;
};

/** Writes the tables in `folder` to their schema of the team's lake. */
export async function loadTables(
  platform: Platform,
  folder: string,
  { name, schema, tables }: Pick<Suite, "name" | "schema" | "tables">,
): Promise<void> {
  const { url, key } = platform;
  await query(platform, `CREATE SCHEMA IF NOT EXISTS ${schema}`);
  for (const table of tables) {
    const path = `${schema}/${table}.parquet`;
    const upload = await ask<{ upload_url: string; gcs_path: string }>(`${url}/v3/drive/upload-url`, "POST", key, {
      path,
    });
    const sent = await fetch(upload.upload_url, {
      method: "PUT",
      body: await openAsBlob(join(folder, `${table}.parquet`)),
    });
    if (!sent.ok) throw new Error(`The drive took no ${path}: ${sent.status} ${await sent.text()}`);
    await query(platform, `CREATE OR REPLACE TABLE ${schema}.${table} AS FROM read_parquet('${upload.gcs_path}')`);
  }
  say(`${name}'s ${tables.length} tables are in the lake.`);
}

const query = ({ url, key }: Platform, sql: string): Promise<unknown> =>
  ask(`${url}/v1/query`, "POST", key, { sql, timeout_ms: WRITE_MS });

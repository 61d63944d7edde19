// TPC-H's tables in the demo team's lake: made by the public generator, sent through the drive, written by SQL.

import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { ask } from "../../../start/platform.ts";
import { say } from "../../support/measure.ts";
import type { Platform } from "../../support/platform.ts";
import { runProgram } from "../../support/program.ts";

/** A generator in Rust, as a wheel that holds its program: no Python of ours runs it. */
const GENERATOR = "tpchgen-cli==4.0.0";
const GENERATE_MS = 600_000;
/** The time limit of one statement; the largest table of scale 1 has 6 million rows. */
const WRITE_MS = 300_000;

export const TABLES = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"] as const;

/** Makes `<table>.parquet` for each table in `folder`. Rejects where the generator can't be had. */
export async function generateTables(folder: string, scale: number): Promise<void> {
  const tool = join(folder, "generator");
  const pip = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--target", tool, GENERATOR];
  await runProgram("python3", pip, {}, GENERATE_MS);
  const options = ["--scale-factor", String(scale), "--output-dir", folder];
  await runProgram(join(tool, "bin", "tpchgen-cli"), ["parquet", ...options], {}, GENERATE_MS);
}

/** Writes the tables in `folder` to the schema `tpch` of the team's lake. */
export async function loadTables(platform: Platform, folder: string): Promise<void> {
  const { url, key } = platform;
  await query(platform, "CREATE SCHEMA IF NOT EXISTS tpch");
  for (const table of TABLES) {
    const path = `tpch/${table}.parquet`;
    const upload = await ask<{ upload_url: string; gcs_path: string }>(`${url}/v3/drive/upload-url`, "POST", key, {
      path,
    });
    const sent = await fetch(upload.upload_url, {
      method: "PUT",
      body: await openAsBlob(join(folder, `${table}.parquet`)),
    });
    if (!sent.ok) throw new Error(`The drive took no ${path}: ${sent.status} ${await sent.text()}`);
    await query(platform, `CREATE OR REPLACE TABLE tpch.${table} AS FROM read_parquet('${upload.gcs_path}')`);
  }
  say(`TPC-H's ${TABLES.length} tables are in the lake.`);
}

const query = ({ url, key }: Platform, sql: string): Promise<unknown> =>
  ask(`${url}/v1/query`, "POST", key, { sql, timeout_ms: WRITE_MS });

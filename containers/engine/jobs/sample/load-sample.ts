// The sample: four tables of a shop, made here, uploaded, and put into the lake by one commit.

import "../../duckdb/text-decoder.ts";
import { DuckDBInstance } from "@duckdb/node-api";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { writeParquet } from "../../parquet/writer.ts";
import type { SampleWork } from "../../../../kernel/jobs/work.ts";
import type { JobContext } from "../running-work.ts";
import { SAMPLE_TABLES } from "./sample-tables.ts";

/** Memory for the rows of one table at a time, sorted. */
const MEMORY_LIMIT = "512MB";

/** Loads the sample into `work.schema`. A second time changes nothing: the commit's key is the schema's. */
export async function loadSample({ schema }: SampleWork, { platform, signal, report }: JobContext): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "fjord-sample-"));
  try {
    const uploads = await platform.uploads(SAMPLE_TABLES.map(({ name }) => ({ schema, name })));
    const changes = await withDuckdb(signal, async (connection) => {
      const made: LakeChange[] = [];
      for (const [i, { name, columns, select }] of SAMPLE_TABLES.entries()) {
        signal.throwIfAborted();
        report(`Writing ${schema}.${name}`);
        const file = join(directory, `${name}.parquet`);
        await connection.run(`CREATE TEMP TABLE ${name} AS ${select}`);
        const written = await writeParquet(connection, { select: `FROM ${name}`, columns }, file);
        if (!written) throw new Error(`the sample table ${name} came out empty`);
        const { path, url } = uploads[i]!;
        report(`Uploading ${schema}.${name}`);
        await platform.upload(url, file, written.bytes);
        await rm(file);
        made.push(
          { kind: "create_table", schema, name, columns },
          { kind: "append", schema, name, files: [{ path, ...written }] },
        );
      }
      return made;
    });
    report("Committing");
    await platform.commit({ key: `sample/${schema}`, author: null, message: "Load the sample", changes });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function withDuckdb<T>(
  signal: AbortSignal,
  use: (connection: Awaited<ReturnType<DuckDBInstance["connect"]>>) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: MEMORY_LIMIT,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    await connection.run("SET TimeZone = 'UTC'");
    return await use(connection);
  } finally {
    signal.removeEventListener("abort", interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

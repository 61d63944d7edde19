// A process that extracts one table and prints what it took: `node extract-once.ts <source as JSON> <schema> <name>`.

import { readFile, rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractParts } from "../../../../containers/engine/extract/extract-table.ts";
import { connectorOf } from "../../../../containers/engine/sources/connectors.ts";
import { StagingDatabase } from "../../../../containers/engine/extract/staging-database.ts";
import type { Source } from "../../../../kernel/wire/source.ts";

/** Times are in milliseconds, CPU of this process, memory at its peak. */
export type Taken = {
  rows: number;
  bytes: number;
  parts: number;
  parquetBytes: number;
  ms: number;
  cpuMs: number;
  threadCpuMs: number;
  peakMb: number;
};

if (process.argv[1]?.endsWith("extract-once.ts")) {
  const [, , source, schema = "", name = ""] = process.argv;
  console.log(JSON.stringify(await extractOnce(JSON.parse(source!) as Source, schema, name)));
}

async function extractOnce(source: Source, schema: string, name: string): Promise<Taken> {
  const directory = await mkdtemp(join(tmpdir(), "fjord-once-"));
  const { signal } = new AbortController();
  const staging = await StagingDatabase.open({ directory });
  const snapshot = await connectorOf(source).openSnapshot(source, "fjord once", signal);
  try {
    const table = await snapshot.describe({ schema, name }, signal);
    const [startedAt, cpu, threadCpu] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
    let parts = 0;
    let parquetBytes = 0;
    const { rows, bytes } = await extractParts({
      snapshot,
      table,
      staging,
      signal,
      onPart: async (part) => {
        parts++;
        parquetBytes += part.bytes;
      },
    });
    const spent = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
    return {
      rows,
      bytes,
      parts,
      parquetBytes,
      ms: performance.now() - startedAt,
      cpuMs: spent(process.cpuUsage(cpu)),
      threadCpuMs: spent(process.threadCpuUsage(threadCpu)),
      peakMb:
        Number(/VmHWM:\s+(\d+)/.exec(await readFile("/proc/self/status", "utf8").catch(() => ""))?.[1] ?? 0) / 1024,
    };
  } finally {
    await snapshot.close();
    await staging.close();
    await rm(directory, { recursive: true, force: true });
  }
}

// A process that reads one table of a source, and prints what it took: `node read-once.ts <order as JSON>`.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractParts } from "../../../containers/engine/extract/extract-table.ts";
import { StagingDatabase } from "../../../containers/engine/extract/staging-database.ts";
import { connectorOf } from "../../../containers/engine/sources/connectors.ts";
import type { DriverRead } from "./drivers.ts";

/** `driver` and `query` read `sql`; `extraction` makes Parquet files of the table. */
export type Order = DriverRead & { by: "driver" | "query" | "extraction"; schema: string; table: string };
export type Read = { rows: number; ms: number; cpuMs: number; peakMb: number };

const WARM_UP = "SELECT 1 AS one";
const order = JSON.parse(process.argv[2]!) as Order;
const signal = AbortSignal.timeout(240_000);
// What a process loads once is no part of the rate.
const drivers = order.by === "driver" ? await import("./drivers.ts") : undefined;
await (drivers ? drivers.readByDriver({ ...order, sql: WARM_UP }) : query(WARM_UP));
const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
const rows = drivers
  ? await drivers.readByDriver(order)
  : order.by === "query"
    ? await query(order.sql)
    : await extract();
const ms = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1_000;
const status = await readFile("/proc/self/status", "utf8").catch(() => "");
const peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
console.log(JSON.stringify({ rows, ms, cpuMs, peakMb } satisfies Read));
process.exit();

async function query(sql: string): Promise<number> {
  const { source } = order;
  let rows = 0;
  await connectorOf(source).query({ source, sql, access: "everything", signal }, (result) =>
    result.rows(() => ++rows > 0),
  );
  return rows;
}

async function extract(): Promise<number> {
  const { source, schema, table: name } = order;
  const directory = await mkdtemp(join(tmpdir(), "fjord-bench-sources-"));
  const staging = await StagingDatabase.open({ directory });
  const snapshot = await connectorOf(source).openSnapshot(source, "fjord bench", signal);
  try {
    const table = await snapshot.describe({ schema, name }, signal);
    return (await extractParts({ snapshot, table, staging, signal, onPart: () => Promise.resolve() })).rows;
  } finally {
    await snapshot.close();
    await staging.close();
    await rm(directory, { recursive: true, force: true });
  }
}

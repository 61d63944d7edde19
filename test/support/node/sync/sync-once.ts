// A process that syncs and prints what it took: `node sync-once.ts <jobs as JSON>`, each step's jobs at once, steps in
// turn. Its lake is a stand-in of the platform in the same process, the lake's store is another; whatever the parent
// writes to its standard input begins the next step.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Jobs } from "../../../../containers/engine/jobs/jobs.ts";
import { workKinds } from "../../../../containers/engine/jobs/work-kinds.ts";
import { readLakeSettings } from "../../../../containers/engine/core/settings.ts";
import type { SyncOutcome } from "../../../../kernel/jobs/job.ts";
import type { Source } from "../../../../kernel/wire/source.ts";
import { FakePlatform } from "../lake/fake-platform.ts";
import { startStore } from "./store-process.ts";

export type SyncOrder = { source: Source; syncId: string; tables: string[]; full?: boolean };
/**
 * Times are in milliseconds, CPU of this process and, beside it, of the lake's store, memory at its peak so far;
 * `bytesFetched` of the lake, `lagMs` the longest that a turn of the event loop took; `asks`: when the platform was
 * asked for what, since the step began.
 */
export type Synced = {
  ms: number;
  asks: { verb: string; ms: number }[];
  cpuMs: number;
  storeCpuMs: number;
  peakMb: number;
  bytesFetched: number;
  lagMs: number;
  lagMsMean: number;
  outcomes: SyncOutcome[];
};

const TICK_MS = 5;

if (process.argv[1]?.endsWith("sync-once.ts")) await syncOnce(JSON.parse(process.argv[2]!) as SyncOrder[][]);

async function syncOnce(steps: SyncOrder[][]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "fjord-sync-once-"));
  const platform = await new FakePlatform(join(directory, "bucket")).start();
  const store = await startStore(platform.directory);
  const jobs = new Jobs({ platformUrl: platform.url, s3Dial: store.host }, workKinds(readLakeSettings()));
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  try {
    for (const [step, orders] of steps.entries()) {
      if (step > 0) await lines.next();
      const stored = await store.spent();
      const [startedAt, cpu, outcomesBefore] = [performance.now(), process.cpuUsage(), platform.outcomes.length];
      const stopClock = watchLag();
      const asks: Synced["asks"] = [];
      platform.onCall = (verb) => asks.push({ verb, ms: performance.now() - startedAt });
      orders.forEach((order, i) => {
        const work = {
          kind: "sync" as const,
          lakeId: "lake",
          destSchema: order.syncId,
          loadMethod: "merge" as const,
          cursors: {},
          appendFullRows: false,
          full: false,
          only: null,
          runId: `run-${step}-${i}`,
          attempt: 1,
          ...order,
        };
        jobs.start({ id: `job-${step}-${i}`, token: "token", work });
      });
      while (jobs.running > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const { user, system } = process.cpuUsage(cpu);
      const ms = performance.now() - startedAt;
      const lags = stopClock();
      const { cpuMs, bytesRead } = await store.spent();
      const synced: Synced = {
        ms,
        asks,
        cpuMs: (user + system) / 1_000,
        storeCpuMs: cpuMs - stored.cpuMs,
        peakMb: peakMb(),
        ...lags,
        bytesFetched: bytesRead - stored.bytesRead,
        outcomes: platform.outcomes.slice(outcomesBefore),
      };
      console.log(JSON.stringify(synced));
    }
  } finally {
    await jobs.stop();
    await store.stop();
    await platform.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  process.exit(0);
}

function peakMb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;
}

/** How late a timer of 5 ms comes: what a request to this process waits before it is looked at. */
function watchLag(): () => { lagMs: number; lagMsMean: number } {
  let [last, longest, sum, turns] = [performance.now(), 0, 0, 0];
  const timer = setInterval(() => {
    const late = Math.max(0, performance.now() - last - TICK_MS);
    longest = Math.max(longest, late);
    sum += late;
    turns++;
    last = performance.now();
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return { lagMs: longest, lagMsMean: turns === 0 ? 0 : sum / turns };
  };
}

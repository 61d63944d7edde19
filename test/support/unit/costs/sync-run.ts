// A sync's run from the tick that begins it to its end, with all that goes through the Worker's bindings counted.

import { openClients } from "../../../../src/clients/clients.ts";
import { startDueSyncs } from "../../../../src/features/syncs/runs/start-due.ts";
import type { RunEngine } from "../../../../src/features/syncs/runs/step/run-deps.ts";
import { SYNC_WORK } from "../../../../src/features/syncs/runs/step/sync-work.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import type { JobToken } from "../../../../src/platform/crypto/token.ts";
import type { Count } from "../../../../scripts/scale/counts.ts";
import { post, sourceTable } from "../call-with.ts";
import { LOSSY_QUEUE } from "../work-model/lossy-queue.ts";
import { newWorld, SUCCEEDED } from "../work-model/sync-world.ts";
import { countBindings } from "./counted-bindings.ts";

const TOKEN_MS = 60_000;

/** What each part of the run took, by its name; the run has one table. */
export async function runSyncCounted(): Promise<Record<string, Count>> {
  const world = await newWorld();
  world.nowMs = Date.now();
  world.found = { schemas: [{ name: "public", tables: [sourceTable("orders")] }] };
  const counted = countBindings({ WAKE_UPS: LOSSY_QUEUE });
  let engineCalls = 0;
  const deps = {
    ...openClients(counted.bindings),
    openEngine: (): RunEngine =>
      new Proxy(world.openEngine(), {
        get: (engine, name: keyof RunEngine) => {
          engineCalls++;
          return engine[name].bind(engine);
        },
      }),
  };
  const parts: Record<string, Count> = {};
  const part = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    counted.take();
    engineCalls = 0;
    const result = await work();
    const { calls, ...count } = counted.take();
    parts[name] = { ...count, calls: engineCalls > 0 ? { ...calls, ENGINE: engineCalls } : calls };
    return result;
  };

  const sync = await world.addSync({ nextRunAt: new Date(world.nowMs - 1_000).toISOString() });
  await part("due", () => startDueSyncs(deps, new Date(world.nowMs)));
  const run = { teamId: world.teamId, id: (await world.active(sync))!.id };
  // By a clock of its own: how long the machine takes between two looks is no part of what they cost.
  const step = (lateMs: number) => stepRun(SYNC_WORK, deps, run, () => new Date(world.nowMs + lateMs));
  await part("begin", () => step(0));
  const { request: job, lease, fence } = world.onlyJob();
  const claims = { teamId: world.teamId, lakeId: world.lakeId, jobId: job.id, lease, fence };
  const token: JobToken = { use: "job", ...claims, expiresAt: Date.now() + TOKEN_MS };
  const ask = (verb: string, body: object) =>
    post(`/jobs/${job.id}/${verb}`, { token, body, bindings: counted.bindings });
  // That the team is there is looked up with the first request, and then remembered for half a minute.
  await ask("state", { keys: [] });
  await part("request", () => ask("tables", { schema: sync.destSchema }));
  await part("log", () => ask("log", { lines: [{ level: "info", message: "One." }] }));
  await part("look", () => step(3_000));
  await part("look again", () => step(20_000));
  await part("finish", () => ask("finish", SUCCEEDED));
  await part("end", () => step(21_000));
  return parts;
}

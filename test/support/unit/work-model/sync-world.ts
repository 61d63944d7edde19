// Syncs over the real database and the real catalog, with an engine, a queue and a clock that a test has in its hands.

import { syncRuns } from "../../../../src/platform/db/schema/schema.ts";
import { env as bindings } from "cloudflare:workers";
import type { SyncOutcome } from "../../../../kernel/jobs/job.ts";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import type { JobRequest } from "../../../../kernel/jobs/work.ts";
import { newId } from "../../../../src/core/ids.ts";
import { planLake, insertLakeStatements } from "../../../../src/features/integrations/add-lake.ts";
import { planIntegration } from "../../../../src/features/integrations/integration.ts";
import { sealCredentials } from "../../../../src/features/integrations/open-source.ts";
import { insertIntegration } from "../../../../src/features/integrations/store.ts";
import { startDueSyncs } from "../../../../src/features/syncs/runs/start-due.ts";
import type { Run } from "../../../../src/features/syncs/runs/run.ts";
import type { SyncRunDeps } from "../../../../src/features/syncs/runs/step/run-deps.ts";
import { SYNC_WORK } from "../../../../src/features/syncs/runs/step/sync-work.ts";
import { cancelRun } from "../../../../src/features/work-model/runs/store-runs.ts";
import { findActiveRun, findRun } from "../../../../src/features/syncs/runs/store.ts";
import { insertSync } from "../../../../src/features/syncs/store.ts";
import { sweepSyncRuns } from "../../../../src/features/syncs/runs/sweep.ts";
import { planSync, type Sync } from "../../../../src/features/syncs/sync.ts";
import { startRun } from "../../../../src/features/syncs/runs/start.ts";
import type { Move } from "../../../../src/features/work-model/next-state.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import { openVault } from "../../../../src/platform/crypto/vault.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { newEngineWorld, type WorldJob } from "./engine-world.ts";
import { scopeOf } from "../team.ts";

export const NO_TABLES: SyncProgress = { tables: [] };
export const SUCCEEDED: SyncOutcome = { outcome: "succeeded", error: null, retryable: false, progress: NO_TABLES };

export type World = Awaited<ReturnType<typeof newWorld>>;

/** A team with a source and a lake; one of its own, where none is named. Time stands still until it is moved. */
export async function newWorld(team?: { teamId: string; userId: string }) {
  const db = openDb(bindings.DB);
  const teamId = team?.teamId ?? newId();
  const now = new Date();
  const scope = scopeOf(teamId, team?.userId ?? newId(), false);
  if (!team)
    await bindings.DB.prepare(
      "INSERT INTO teams (id, name, plan, created_at, updated_at) VALUES (?, 'Team', 'standard', ?, ?)",
    )
      .bind(teamId, now.toISOString(), now.toISOString())
      .run();
  const credentials = { host: "db.example.com", port: "5432", database: "d", username: "u", password: "p" };
  const source = planIntegration({ teamId, name: "shop", type: "postgres", isDefault: false, details: {}, now });
  const lake = planLake({ teamId, name: team ? "Second lake" : "Lake", isDefault: !team, now });
  const sealed = await sealCredentials({ scope, vault: openVault(bindings) }, source.id, {
    type: "postgres",
    credentials,
  });
  await db.batch([insertIntegration(db, teamId, source, sealed), ...insertLakeStatements(db, lake)]);

  let schemas = 0;
  const world = Object.assign(newEngineWorld(lake.id), {
    db,
    scope,
    teamId,
    sourceId: source.id,
    lakeId: lake.id,
    deps: undefined as unknown as SyncRunDeps,

    async addSync(rest: Partial<Sync> = {}): Promise<Sync> {
      const config = { tables: ["public.orders"], loadMethod: "merge" as const, cursors: {}, appendFullRows: false };
      const wanted = {
        teamId,
        sourceId: source.id,
        lakeId: lake.id,
        destSchema: `s_${++schemas}`,
        schedule: "hourly" as const,
        cron: null,
        timezone: null,
        config,
      };
      const sync = { ...planSync(wanted, undefined, world.now()), ...rest };
      await insertSync(db, sync);
      return sync;
    },
    async run(sync: Sync, asked: Partial<Pick<Run, "isFull" | "onlyTables">> = {}): Promise<Run> {
      const { id } = await startRun({ ...world.deps, scope: { ...scope, now: world.now() } }, sync, {
        cause: "manual",
        isFull: false,
        onlyTables: null,
        ...asked,
      });
      return (await findRun(db, teamId, id))!;
    },
    async cancel({ id }: Pick<Run, "id">, reason: string): Promise<void> {
      await cancelRun(db, syncRuns, { teamId, id }, { at: world.now().toISOString(), reason });
    },
    find: async (run: Pick<Run, "id">): Promise<Run> => (await findRun(db, teamId, run.id))!,
    active: (sync: Sync) => findActiveRun(db, teamId, sync.id),
    step: (run: Pick<Run, "id">): Promise<Move> => stepRun(SYNC_WORK, world.deps, { teamId, id: run.id }, world.now),
    /** Moves the clock to when the run is due, and takes a step. */
    async stepWhenDue(run: Pick<Run, "id">): Promise<Move> {
      world.nowMs = Math.max(world.nowMs, (await world.find(run)).dueAtMs);
      return world.step(run);
    },
    /** A minute's tick, of this world's clock. */
    async tick() {
      return { ...(await startDueSyncs(world.deps, world.now())), ...(await sweepSyncRuns(world.deps, world.now())) };
    },
    /** The job says how it ended; false where it may not say so any more. */
    finish: (job: WorldJob, outcome: SyncOutcome = SUCCEEDED): Promise<boolean> => world.end(job, outcome),
  });
  world.deps = { ...world.clients, openEngine: world.openEngine, openLake: world.openLake };
  return world;
}

export const syncOf = ({ work }: JobRequest): string => {
  if (work.kind !== "sync") throw new Error("This is no sync.");
  return work.syncId;
};

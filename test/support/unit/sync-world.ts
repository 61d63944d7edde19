// Syncs over the real database and the real catalog, with an engine, a queue and a clock that a test has in its hands.

import { env as bindings } from "cloudflare:workers";
import type { SyncOutcome } from "../../../containers/engine/contract/job.ts";
import type { SyncProgress } from "../../../containers/engine/contract/progress.ts";
import type { JobRequest } from "../../../containers/engine/contract/work.ts";
import type { Introspection } from "../../../containers/engine/contract/source.ts";
import { newId } from "../../../src/core/ids.ts";
import { Problem } from "../../../src/core/problem.ts";
import { planLake, insertLakeStatements } from "../../../src/features/integrations/add-lake.ts";
import { planIntegration } from "../../../src/features/integrations/integration.ts";
import { sealCredentials } from "../../../src/features/integrations/open-source.ts";
import { insertIntegration } from "../../../src/features/integrations/store.ts";
import { startDueSyncs } from "../../../src/features/syncs/runs/start-due.ts";
import type { Run } from "../../../src/features/syncs/runs/run.ts";
import type { RunEngine, RunLake, SyncRunDeps } from "../../../src/features/syncs/runs/step/run-deps.ts";
import { SYNC_WORK } from "../../../src/features/syncs/runs/step/sync-work.ts";
import { cancelRun, findActiveRun, findRun } from "../../../src/features/syncs/runs/store.ts";
import { insertSync } from "../../../src/features/syncs/store.ts";
import { sweepSyncRuns } from "../../../src/features/syncs/runs/sweep.ts";
import { leaseOf, planSync, type Sync } from "../../../src/features/syncs/sync.ts";
import { startRun } from "../../../src/features/syncs/runs/start.ts";
import type { Move } from "../../../src/features/work/next-state.ts";
import { stepRun } from "../../../src/features/work/step-run.ts";
import { openClients, type Clients } from "../../../src/platform/clients.ts";
import { openVault } from "../../../src/platform/crypto/vault.ts";
import { openDb } from "../../../src/platform/db/client.ts";
import { openLake } from "../../../src/platform/lake/lake.ts";
import { LIMITS } from "../../../src/core/limits.ts";
import { scopeOf } from "./team.ts";

export const NO_TABLES: SyncProgress = { tables: [] };
export const SUCCEEDED: SyncOutcome = { outcome: "succeeded", error: null, retryable: false, progress: NO_TABLES };

/** A job as the engine runs it. It writes while its fence lives. */
export type WorldJob = { request: JobRequest; fence: number; startedAtMs: number };
type Message = { teamId: string; id: string; atMs: number };

export type World = Awaited<ReturnType<typeof newWorld>>;

/** A team with a source, a lake, and nothing else. Time stands still until it is moved. */
export async function newWorld() {
  const db = openDb(bindings.DB);
  const teamId = newId();
  const now = new Date();
  const scope = scopeOf(teamId, newId(), false);
  await bindings.DB.prepare(
    "INSERT INTO teams (id, name, plan, created_at, updated_at) VALUES (?, 'Team', 'standard', ?, ?)",
  )
    .bind(teamId, now.toISOString(), now.toISOString())
    .run();
  const credentials = { host: "db.example.com", port: "5432", database: "d", username: "u", password: "p" };
  const source = planIntegration({ teamId, name: "shop", type: "postgres", isDefault: false, details: {}, now });
  const lake = planLake({ teamId, name: "Lake", isDefault: true, now });
  const sealed = await sealCredentials({ scope, vault: openVault(bindings) }, source.id, credentials);
  await db.batch([insertIntegration(db, teamId, source, sealed), ...insertLakeStatements(db, lake)]);

  let schemas = 0;
  const world = {
    db,
    scope,
    teamId,
    sourceId: source.id,
    lakeId: lake.id,
    nowMs: Date.parse("2100-01-01T00:00:00Z"),
    messages: [] as Message[],
    jobs: new Map<string, WorldJob>(),
    /** Every job the engine was asked to start. */
    started: [] as JobRequest[],
    /** Those it took and said so. */
    accepted: [] as JobRequest[],
    cancelled: [] as string[],
    /** What the engine does when it is asked to start a job; takes it unless a test says otherwise. */
    onStart: (_job: JobRequest): void | Promise<void> => undefined,
    found: { schemas: [] } as Introspection,
    /** Called before each thing a step does to the lake or the engine: throw to break it there. */
    onCall: (_name: string): void | Promise<void> => undefined,

    now: () => new Date(world.nowMs),
    catalog: openLake(bindings, lake.id),
    deps: undefined as unknown as SyncRunDeps,
    /** The same with the real engine and catalog behind it. */
    clients: undefined as unknown as Clients,

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
      await cancelRun(db, { teamId, id }, world.now().toISOString(), reason);
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
    /** A job's sign of life; false where it has been displaced. */
    beat: ({ request, fence }: WorldJob): Promise<boolean> =>
      world.catalog.renewLease(leaseOf(syncOf(request)), fence, LIMITS.jobLeaseMs, world.nowMs),
    isAlive: ({ request, fence }: WorldJob): Promise<boolean> => world.catalog.isAlive(leaseOf(syncOf(request)), fence),
    /** The job says how it ended; false where it may not say so any more. */
    async finish(job: WorldJob, outcome: SyncOutcome = SUCCEEDED): Promise<boolean> {
      world.jobs.delete(job.request.id);
      return (await world.catalog.keepOutcome(leaseOf(syncOf(job.request)), job.fence, outcome)).ok;
    },
    onlyJob(): WorldJob {
      const [job, ...more] = world.jobs.values();
      if (!job || more.length > 0) throw new Error(`The engine runs ${more.length + (job ? 1 : 0)} jobs.`);
      return job;
    },
  };
  const env = {
    ...bindings,
    WAKE_UPS: {
      send: async (body: Message, options?: QueueSendOptions) =>
        void world.messages.push({ ...body, atMs: world.nowMs + (options?.delaySeconds ?? 0) * 1_000 }),
      sendBatch: async (batch: Iterable<{ body: Message }>) =>
        void [...batch].forEach(({ body }) => world.messages.push({ ...body, atMs: world.nowMs })),
    },
  } as unknown as Env;
  world.clients = openClients(env);
  world.deps = { ...world.clients, openEngine: () => engineOf(world), openLake: () => lakeOf(world) };
  return world;
}

export const syncOf = ({ work }: JobRequest): string => {
  if (work.kind !== "sync") throw new Error("This is no sync.");
  return work.syncId;
};

type Parts = Omit<World, "deps">;

function engineOf(world: Parts): RunEngine {
  return {
    async startJob(request) {
      await world.onCall("startJob");
      world.started.push(request);
      const take = () => {
        const { fence } = readClaims(request.token);
        if (!world.jobs.has(request.id)) world.jobs.set(request.id, { request, fence, startedAtMs: world.nowMs });
      };
      try {
        await world.onStart(request);
      } catch (error) {
        if (error instanceof LostAnswer) take();
        throw error;
      }
      take();
      world.accepted.push(request);
      return { id: request.id, state: "running", progress: "", error: null, platformAway: false };
    },
    async getJob(id) {
      return world.jobs.has(id) ? { id, state: "running", progress: "", error: null, platformAway: false } : undefined;
    },
    async cancelJob(id) {
      await world.onCall("cancelJob");
      world.cancelled.push(id);
      return world.jobs.delete(id);
    },
    introspect: async () => world.found,
  };
}

/** The engine took the job, and its answer was lost on the way. */
export class LostAnswer extends Problem {
  constructor() {
    super("engine_unavailable", "The engine was lost. Try again.");
  }
}
export const noRoom = (): never => {
  throw new Problem("engine_unavailable", "The engine has no room. Try again.");
};

/** The claims of a token are its first part; tests read them as a job could not. */
const readClaims = (token: string): { fence: number } =>
  JSON.parse(atob(token.split(".")[0]!.replaceAll("-", "+").replaceAll("_", "/"))) as { fence: number };

/** The real catalog, by the world's clock. */
function lakeOf(world: Parts): RunLake {
  const { catalog } = world;
  const called = async (name: string): Promise<typeof catalog> => {
    await world.onCall(name);
    return catalog;
  };
  return {
    acquireLease: async (name, holder, ttlMs) =>
      (await called("acquireLease")).acquireLease(name, holder, ttlMs, world.nowMs),
    findHeldLease: async (name) => (await called("findHeldLease")).findHeldLease(name, world.nowMs),
    releaseLease: async (name, fence) => (await called("releaseLease")).releaseLease(name, fence),
    progressOf: async (lease) => (await called("progressOf")).progressOf(lease),
    outcomeOf: async (lease) => (await called("outcomeOf")).outcomeOf(lease),
    claimTables: async (owner, tables) => (await called("claimTables")).claimTables(owner, tables),
    keepTables: async (owner, tables) => (await called("keepTables")).keepTables(owner, tables),
    releaseOwner: async (owner) => (await called("releaseOwner")).releaseOwner(owner),
    forgetNotes: async (prefix) => (await called("forgetNotes")).forgetNotes(prefix),
  };
}

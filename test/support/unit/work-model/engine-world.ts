// An engine, a queue and a clock that a test has in its hands, over the real database and a lake's real catalog.

import { env as bindings } from "cloudflare:workers";
import type { JobOutcome } from "../../../../kernel/jobs/job.ts";
import type { Introspection } from "../../../../kernel/wire/source.ts";
import type { JobRequest } from "../../../../kernel/jobs/work.ts";
import { LAKE_LIMITS } from "../../../../src/features/lakes/limits.ts";
import { Problem } from "../../../../src/core/problem.ts";
import type { RunEngine } from "../../../../src/features/syncs/runs/step/run-deps.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { openLake, type Lake } from "../../../../src/lake/lake.ts";
import type { WakeUp } from "../../../../src/platform/messages.ts";

/** A job as the engine runs it. It writes while its fence lives. */
export type WorldJob = { request: JobRequest; lease: string; fence: number; startedAtMs: number };
export type Message = Pick<WakeUp, "kind" | "teamId" | "id"> & { atMs: number };

export type EngineWorld = ReturnType<typeof newEngineWorld>;

/** Time stands still until it is moved. */
export function newEngineWorld(lakeId: string) {
  const world = {
    nowMs: Date.parse("2100-01-01T00:00:00Z"),
    messages: [] as Message[],
    jobs: new Map<string, WorldJob>(),
    /** Every job the engine was asked to start. */
    started: [] as JobRequest[],
    /** The jobs that the engine took and said so. */
    accepted: [] as JobRequest[],
    cancelled: [] as string[],
    /** What the engine does when it is asked to start a job; takes it unless a test says otherwise. */
    onStart: (_job: JobRequest): void | Promise<void> => undefined,
    found: { schemas: [] } as Introspection,
    /** Called before each thing a step does to the lake or a container: throw to break it there. */
    onCall: (_name: string): void | Promise<void> => undefined,

    now: () => new Date(world.nowMs),
    catalog: openLake(bindings, lakeId),
    /** The platform's own, but for the queue. */
    clients: openClients({
      ...bindings,
      WAKE_UPS: {
        send: async (body: Message, options?: QueueSendOptions) =>
          void world.messages.push({ ...body, atMs: world.nowMs + (options?.delaySeconds ?? 0) * 1_000 }),
        sendBatch: async (batch: Iterable<{ body: Message }>, options?: QueueSendBatchOptions) =>
          void [...batch].forEach(({ body }) =>
            world.messages.push({ ...body, atMs: world.nowMs + (options?.delaySeconds ?? 0) * 1_000 }),
          ),
      },
    } as unknown as Env),
    openEngine: (): RunEngine => engineOf(world),
    openLake: (): Lake => lakeOf(world),

    /** A job's sign of life; false where it has been displaced. */
    beat: ({ lease, fence }: WorldJob): Promise<boolean> =>
      world.catalog.renewLease(lease, fence, LAKE_LIMITS.jobLeaseMs, world.nowMs),
    isAlive: ({ lease, fence }: WorldJob): Promise<boolean> => world.catalog.isAlive(lease, fence),
    /** The job says how it ended; false where it may not say so any more. */
    async end({ request, lease, fence }: WorldJob, outcome: JobOutcome): Promise<boolean> {
      world.jobs.delete(request.id);
      return (await world.catalog.keepOutcome(lease, fence, outcome)).ok;
    },
    onlyJob(): WorldJob {
      const [job, ...more] = world.jobs.values();
      if (!job || more.length > 0) throw new Error(`The engine runs ${more.length + (job ? 1 : 0)} jobs.`);
      return job;
    },
  };
  return world;
}

type Parts = Omit<EngineWorld, "openEngine" | "openLake">;

function engineOf(world: Parts): RunEngine {
  return {
    async startJob(request) {
      await world.onCall("startJob");
      world.started.push(request);
      const take = () => {
        const { lease, fence } = readClaims(request.token);
        if (!world.jobs.has(request.id))
          world.jobs.set(request.id, { request, lease, fence, startedAtMs: world.nowMs });
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
const readClaims = (token: string) =>
  JSON.parse(atob(token.split(".")[0]!.replaceAll("-", "+").replaceAll("_", "/"))) as { lease: string; fence: number };

/** The real catalog, by the world's clock. */
function lakeOf(world: Parts): Lake {
  const timed: Partial<Lake> = {
    acquireLease: (name, holder, ttlMs) => world.catalog.acquireLease(name, holder, ttlMs, world.nowMs),
    findHeldLease: (name) => world.catalog.findHeldLease(name, world.nowMs),
  };
  const call = async (name: keyof Lake, parameters: never[]): Promise<unknown> => {
    await world.onCall(name);
    const lake = name in timed ? timed : world.catalog;
    return (lake[name] as (...given: never[]) => unknown)(...parameters);
  };
  const get =
    (_: unknown, name: string) =>
    (...parameters: never[]) =>
      call(name as keyof Lake, parameters);
  return new Proxy({}, { get }) as unknown as Lake;
}

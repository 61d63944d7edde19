// What becomes of messages that could not be worked on, on runs of a sync over the real database and catalog.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { listAttempts } from "../../../../src/features/work-model/attempts.ts";
import { takeDeadLetter } from "../../../../src/features/work-model/dead-letter.ts";
import { SYNC_WORK } from "../../../../src/features/syncs/runs/step/sync-work.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { QUEUES } from "../../../../src/queues.ts";
import { newWorld, type World } from "../../../support/unit/work-model/sync-world.ts";

const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, "error").mockImplementation((line: string) => void logged.push(line));
});

/** Delivers to the dead-letter queue's consumer; says what became of the message. */
async function deliver(body: unknown, clients = openClients(env)): Promise<string> {
  let settled = "nothing";
  const message = { id: "m", body, attempts: 1, ack: () => (settled = "acked"), retry: () => (settled = "retried") };
  await QUEUES["fjord-nudges-dead"]!(clients, message as unknown as Message);
  return settled;
}

const letterOf = (world: World, { id }: { id: string }) => ({ kind: "sync_run", version: 1, teamId: world.teamId, id });
const attemptsOf = async (world: World, run: { id: string }) =>
  (await listAttempts(world.deps, { teamId: world.teamId, id: run.id }, { limit: 50, offset: 0 })).items;

/** A row that its kind can't read, so that each step of the run breaks before it can be claimed. */
const spoil = (run: { id: string }) =>
  env.DB.prepare("UPDATE sync_runs SET only_tables = '{', due_at = ? WHERE id = ?")
    .bind(new Date().toISOString(), run.id)
    .run();

describe("a message that ended in the dead-letter queue", () => {
  it("ends a run that nobody can read, with the reason on an attempt, and sends no message", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await spoil(run);
    world.messages = [];
    expect(await deliver(letterOf(world, run), world.clients)).toBe("acked");
    const row = await env.DB.prepare("SELECT state, attempt, error, ended_at FROM sync_runs WHERE id = ?")
      .bind(run.id)
      .first();
    const error = expect.stringMatching(/could not be taken, however often/);
    expect(row).toMatchObject({ state: "failed", attempt: 1, error, ended_at: expect.any(String) });
    expect(await attemptsOf(world, run)).toMatchObject([{ attempt: 1, state: "failed", error }]);
    expect(world.messages).toEqual([]);
    expect(logged.some((line) => line.includes('"wake_up_dead"') && line.includes('"isEnded":true'))).toBe(true);
    expect(await deliver(letterOf(world, run), world.clients), "again").toBe("acked");
    expect(await attemptsOf(world, run)).toHaveLength(1);
  });

  it("fails the attempt under way and ends its job, and the run is tried again by its policy", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    const job = world.onlyJob();
    world.nowMs += 60_000;
    let reads = 0;
    const kind = {
      ...SYNC_WORK,
      runs: {
        ...SYNC_WORK.runs,
        find: (...args: Parameters<typeof SYNC_WORK.runs.find>) => {
          if (reads++ === 0) throw new Error("It broke once more.");
          return SYNC_WORK.runs.find(...args);
        },
      },
    };
    expect(await takeDeadLetter(kind, world.deps, { teamId: world.teamId, id: run.id }, world.now)).toBe(true);
    expect(world.cancelled).toContain(job.request.id);
    expect(await world.isAlive(job)).toBe(false);
    expect(await world.find(run)).toMatchObject({ state: "queued", attempt: 1, claimedUntilMs: null });
    expect(await attemptsOf(world, run)).toMatchObject([{ state: "failed", error: expect.stringMatching(/tried/) }]);
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 2 });
  });

  it("says nothing against a run whose step can be taken by now", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    expect(await deliver(letterOf(world, run), world.clients)).toBe("acked");
    expect(await world.find(run)).toMatchObject({ attempt: 0, error: null });
    expect(await takeDeadLetter(SYNC_WORK, world.deps, { teamId: world.teamId, id: run.id }, world.now)).toBe(false);
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 1, error: null });
  });

  it("of a lake is logged and left to its sweep, and so is what nobody knows", async () => {
    const lost = { kind: "lake_collection", version: 1, teamId: crypto.randomUUID(), id: crypto.randomUUID() };
    expect(await deliver(lost)).toBe("acked");
    expect(logged.some((line) => line.includes('"wake_up_dead"') && line.includes(lost.id))).toBe(true);
    expect(await deliver({ kind: "unheard of" })).toBe("acked");
  });

  it("is tried again where even that can't be done", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    const db = new Proxy(world.deps.db, {
      get: () => {
        throw new Error("The database is away.");
      },
    });
    expect(await deliver(letterOf(world, run), { ...world.clients, db })).toBe("retried");
  });
});

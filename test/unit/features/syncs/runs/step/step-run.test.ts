import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { WORK_LIMITS } from "../../../../../../src/features/work-model/limits.ts";
import { SYNC_LIMITS } from "../../../../../../src/features/syncs/limits.ts";
import { Problem } from "../../../../../../src/core/problem.ts";
import { leaseOf } from "../../../../../../src/features/syncs/sync.ts";
import { openEngine } from "../../../../../../src/platform/engine/engine.ts";
import type { JobToken } from "../../../../../../src/platform/crypto/token.ts";
import { post } from "../../../../../support/unit/call-with.ts";
import { LostAnswer, noRoom, type WorldJob } from "../../../../../support/unit/work-model/engine-world.ts";
import { newWorld, NO_TABLES, SUCCEEDED, type World } from "../../../../../support/unit/work-model/sync-world.ts";
import type { Run } from "../../../../../../src/features/syncs/runs/run.ts";

async function newRun() {
  const world = await newWorld();
  const sync = await world.addSync();
  return { world, sync, run: await world.run(sync) };
}

const said = async (world: World, run: Run) =>
  (await world.deps.openLog(world.teamId).read(run.id, 0, 100)).lines.map(({ message }) => message);

const TABLE = {
  source: "public.orders",
  dest: "s.orders",
  phase: "done" as const,
  rowsRead: 5,
  rowsWritten: 3,
  rowsDeleted: 1,
  bytesWritten: 70,
  method: "merge",
  notes: [],
  error: null,
};

describe("a run", () => {
  it("begins its attempt under the lake's lease, is watched, and ends as its job says", async () => {
    const { world, sync, run } = await newRun();
    expect(await world.step(run)).toBe("begin");
    const job = world.onlyJob();
    expect(job.request).toMatchObject({
      id: expect.stringMatching(new RegExp(`^${run.id}-1-[0-9a-f]{8}$`)),
      work: {
        kind: "sync",
        lakeId: world.lakeId,
        source: { type: "postgres", credentials: { password: "p" } },
        tables: ["public.orders"],
        loadMethod: "merge",
        full: false,
        only: null,
        syncId: sync.id,
        runId: run.id,
        attempt: 1,
      },
    });
    expect(await world.catalog.findHeldLease(leaseOf(sync.id), world.nowMs)).toMatchObject({
      holder: job.request.id,
      fence: job.fence,
    });
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 1, fence: job.fence, endedAt: null });

    await world.beat(job);
    expect(await world.stepWhenDue(run)).toBe("watch");
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 1 });

    expect(await world.finish(job, { ...SUCCEEDED, progress: { tables: [TABLE] } })).toBe(true);
    expect(await world.stepWhenDue(run)).toBe("watch");
    expect(await world.find(run)).toMatchObject({
      state: "succeeded",
      error: null,
      workId: null,
      totals: { rowsRead: 5, rowsWritten: 3, rowsDeleted: 1, bytesWritten: 70 },
      endedAt: expect.any(String),
    });
    expect(await world.isAlive(job)).toBe(false);
    expect(await said(world, run)).toEqual(["Attempt 1 has started.", "The run has succeeded."]);
  });

  it("is looked at as soon as its job says that it has ended, and not when it would have been anyway", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    const { request: job, lease, fence } = world.onlyJob();
    const claims = { teamId: world.teamId, lakeId: world.lakeId, jobId: job.id, lease, fence };
    const token: JobToken = { use: "job", ...claims, expiresAt: Date.now() + 60_000 };
    const sent: unknown[] = [];
    const queue = { send: async (message: unknown) => void sent.push(message) } as unknown as Queue;
    expect(await world.step(run)).toBe("wait");
    expect(await post(`/jobs/${job.id}/finish`, { token, body: SUCCEEDED, bindings: { WAKE_UPS: queue } })).toEqual({
      status: 204,
      body: undefined,
    });
    expect(sent).toEqual([expect.objectContaining({ kind: "sync_run", teamId: world.teamId, id: run.id })]);
    expect(await world.step(run)).toBe("watch");
    expect(await world.find(run)).toMatchObject({ state: "succeeded" });
  });

  it("wakes itself up again for as long as it goes, and no longer", async () => {
    const { world, run } = await newRun();
    expect(world.messages).toHaveLength(1);
    await world.step(run);
    expect(world.messages).toHaveLength(2);
    expect(world.messages[1]!.atMs).toBeGreaterThan(world.nowMs);
    await world.finish(world.onlyJob());
    await world.stepWhenDue(run);
    expect(world.messages).toHaveLength(2);
  });

  it("takes one step however many messages come at once, or too early", async () => {
    const { world, run } = await newRun();
    expect((await Promise.all([world.step(run), world.step(run), world.step(run)])).sort()).toEqual([
      "begin",
      "wait",
      "wait",
    ]);
    expect(world.started).toHaveLength(1);
    expect(await world.step(run)).toBe("wait");
    expect(world.messages).toHaveLength(2);
  });

  it("is tried again, later and under a new fence, when its engine dies", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    const first = world.onlyJob();
    world.jobs.clear();
    world.nowMs += WORK_LIMITS.stepMs + 1_000;
    expect(await world.step(run)).toBe("watch");
    const waiting = await world.find(run);
    expect(waiting).toMatchObject({
      state: "queued",
      attempt: 1,
      workId: null,
      error: expect.stringMatching(/engine stopped/),
    });
    expect(waiting.dueAtMs).toBeGreaterThan(world.nowMs);
    expect(await world.isAlive(first)).toBe(false);
    expect(await world.stepWhenDue(run)).toBe("begin");
    const second = world.onlyJob();
    expect(second.fence).toBeGreaterThan(first.fence);
    expect(second.request.work).toMatchObject({ attempt: 2 });
  });

  it("is tried again as soon as its engine says that it has no such job, long before the lease runs out", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    const first = world.onlyJob();
    await world.beat(first);
    world.jobs.clear();
    expect(await world.stepWhenDue(run)).toBe("watch");
    expect(await world.find(run)).toMatchObject({
      state: "queued",
      attempt: 1,
      error: expect.stringMatching(/engine stopped/),
    });
    expect(await world.isAlive(first)).toBe(false);
  });

  it("counts an engine that broke as a failed attempt, and one that is full as none", async () => {
    const { world, run } = await newRun();
    // The real client of an engine distinguishes the two; there is no engine behind this address.
    const broken = openEngine(
      { ENGINE: { getByName: () => ({ fetch: () => Promise.reject(new Error("gone")) }) } as unknown as Env["ENGINE"] },
      "t",
    );
    world.onStart = async (job) => void (await broken.startJob(job));
    await world.step(run);
    expect(await world.find(run)).toMatchObject({
      state: "queued",
      attempt: 1,
      refusals: 0,
      error: expect.stringMatching(/engine stopped/),
    });
  });

  it("ends a job that lives on without its lease before another is started", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    const cut = world.onlyJob();
    world.nowMs += WORK_LIMITS.stepMs + 1_000;
    await world.step(run);
    expect(world.cancelled).toEqual([cut.request.id]);
    expect([await world.beat(cut), await world.finish(cut)]).toEqual([false, false]);
  });

  it("has succeeded, not been lost, when the job says so in the moment it is given up", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    const job = world.onlyJob();
    world.nowMs += WORK_LIMITS.stepMs + 1_000;
    await world.finish(job);
    expect(await world.step(run)).toBe("watch");
    expect(await world.find(run)).toMatchObject({ state: "succeeded" });
  });

  it.each([
    ["retries what the job says is worth it", true, "queued"],
    ["fails at once where it is not", false, "failed"],
  ])("%s", async (_, retryable, state) => {
    const { world, run } = await newRun();
    await world.step(run);
    await world.finish(world.onlyJob(), {
      outcome: "failed",
      error: "The table orders is gone.",
      retryable,
      progress: NO_TABLES,
    });
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state, error: "The table orders is gone." });
  });

  it("waits for room in the engine without using an attempt, and holds no lease meanwhile", async () => {
    const { world, sync, run } = await newRun();
    world.onStart = noRoom;
    for (let refusal = 1; refusal <= 4; refusal++) {
      expect(await world.stepWhenDue(run)).toBe("begin");
      expect(await world.find(run)).toMatchObject({ state: "queued", attempt: 0, refusals: refusal });
      expect(await world.catalog.findHeldLease(leaseOf(sync.id), world.nowMs)).toBeUndefined();
    }
    world.onStart = () => undefined;
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 1, refusals: 0 });
    expect(await said(world, run)).toEqual([expect.stringMatching(/no room yet/), "Attempt 1 has started."]);
  });

  it("leaves a job whose start was not confirmed without the right to write", async () => {
    const { world, run } = await newRun();
    world.onStart = () => {
      throw new LostAnswer();
    };
    await world.step(run);
    const lost = world.onlyJob();
    expect(await world.isAlive(lost)).toBe(false);
    world.onStart = () => undefined;
    await world.stepWhenDue(run);
    const live = [...world.jobs.values()].at(-1)!;
    expect([live.request.id === lost.request.id, await world.isAlive(live), await world.isAlive(lost)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each([
    [
      "retries a source that can't be reached",
      new Problem("source_unreachable", "The database refused the connection."),
      "queued",
    ],
    ["fails on what a retry can't mend", new Problem("query_failed", "This role may not read."), "failed"],
  ])("%s", async (_, problem, state) => {
    const { world, run } = await newRun();
    world.onStart = () => Promise.reject(problem);
    await world.step(run);
    expect(await world.find(run)).toMatchObject({ state, attempt: 1, error: problem.message });
  });

  it("asks again ever more rarely while every step of it breaks", async () => {
    const { world, run } = await newRun();
    world.onCall = () => {
      throw new Error("The lake can't be reached.");
    };
    const waits: number[] = [];
    for (let step = 0; step < 6; step++) {
      await world.stepWhenDue(run);
      waits.push((await world.find(run)).dueAtMs - world.nowMs);
    }
    expect(Math.max(...waits.slice(0, 2))).toBeLessThan(waits.at(-1)!);
    expect(await world.find(run)).toMatchObject({ state: "starting", attempt: 1 });
  });

  it("that its worker has lost to another is left to that one", async () => {
    const { world, run } = await newRun();
    world.onStart = async () => {
      // Frozen here for longer than a claim lasts, while others went on.
      await env.DB.prepare(
        "UPDATE sync_runs SET revision = revision + 1, state = 'queued', attempt = 1, job_id = NULL, claimed_until = NULL WHERE id = ?",
      )
        .bind(run.id)
        .run();
      noRoom();
    };
    await world.step(run);
    expect(await world.find(run)).toMatchObject({ state: "queued", attempt: 1, refusals: 0 });
  });

  it("that was taken over while its worker slept is given back what that worker has started late", async () => {
    const { world, sync, run } = await newRun();
    let late: WorldJob | undefined;
    world.onStart = async () => {
      world.onStart = () => undefined;
      // Asleep with the start on its way. Its claim runs out, another ends the attempt, and the next one begins.
      await env.DB.prepare(
        "UPDATE sync_runs SET revision = revision + 1, state = 'queued', job_id = NULL, claimed_until = NULL, due_at = ? WHERE id = ?",
      )
        .bind(world.now().toISOString(), run.id)
        .run();
      await world.step(run);
      late = world.onlyJob();
    };
    await world.step(run);
    const { workId, fence } = await world.find(run);
    expect(late!.request.id).toBe(workId);
    expect([...world.jobs.keys()]).toEqual([workId]);
    expect(world.cancelled).toContain(world.started[0]!.id);
    expect(await world.catalog.findHeldLease(leaseOf(sync.id), world.nowMs)).toMatchObject({ holder: workId, fence });
  });

  it("that was taken over before its worker took the lease keeps its successor's job", async () => {
    const { world, run } = await newRun();
    let isAsleep = true;
    world.onCall = async (name) => {
      if (name !== "acquireLease" || !isAsleep) return;
      isAsleep = false;
      await env.DB.prepare(
        "UPDATE sync_runs SET revision = revision + 1, state = 'queued', job_id = NULL, claimed_until = NULL, due_at = ? WHERE id = ?",
      )
        .bind(world.now().toISOString(), run.id)
        .run();
      await world.step(run);
    };
    await world.step(run);
    expect(await world.isAlive(world.onlyJob())).toBe(true);
    expect(world.cancelled).toEqual([]);
    expect(await world.find(run)).toMatchObject({ state: "running", workId: world.onlyJob().request.id });
  });

  it("fails, saying so, when its sync or its source is gone", async () => {
    const { world, run, sync } = await newRun();
    await env.DB.prepare("DELETE FROM syncs WHERE id = ?").bind(sync.id).run();
    await world.step(run);
    expect(await world.find(run)).toMatchObject({ state: "failed", error: "The sync was deleted." });
    const other = await world.run(await world.addSync());
    await env.DB.prepare("DELETE FROM integrations WHERE id = ?").bind(world.sourceId).run();
    await world.step(other);
    expect(await world.find(other)).toMatchObject({ state: "failed", error: expect.stringContaining("was not found") });
  });

  it("ends after its last attempt with the reason of the last failure", async () => {
    const { world, run } = await newRun();
    const attempts: number[] = [];
    world.onStart = ({ work }) => void (work.kind === "sync" && attempts.push(work.attempt));
    for (let attempt = 1; attempt <= SYNC_LIMITS.attemptsMax; attempt++) {
      await world.stepWhenDue(run);
      await world.finish(world.onlyJob(), {
        outcome: "failed",
        error: `Failure ${attempt}`,
        retryable: true,
        progress: NO_TABLES,
      });
      await world.stepWhenDue(run);
    }
    expect(await world.find(run)).toMatchObject({ state: "failed", error: `Failure ${SYNC_LIMITS.attemptsMax}` });
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
  });

  it("uses no attempt while the platform is away, whether its engine dies meanwhile or lives to tell", async () => {
    const { world, run } = await newRun();
    await world.stepWhenDue(run);
    world.jobs.clear();
    world.nowMs = (await world.find(run)).dueAtMs + 600_000;
    await world.step(run);
    expect(await world.find(run)).toMatchObject({ state: "queued", attempt: 1, absences: 1 });
    await world.stepWhenDue(run);
    await world.finish(world.onlyJob(), {
      outcome: "failed",
      error: "cut",
      retryable: true,
      platformAway: true,
      progress: NO_TABLES,
    });
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({
      state: "queued",
      attempt: 2,
      absences: 2,
      error: expect.stringContaining("cut"),
    });
    await world.stepWhenDue(run);
    world.jobs.clear();
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state: "queued", attempt: 3, absences: 2 });
  });

  it.each(["acquireLease", "startJob", "findHeldLease", "releaseLease"])(
    "goes on when its worker breaks at %s, with one job at the end",
    async (broken) => {
      const { world, run } = await newRun();
      let isBroken = true;
      world.onCall = (name) => {
        if (name === broken && isBroken) throw new Error("The worker was moved.");
      };
      for (let tries = 0; tries < 3; tries++) await world.stepWhenDue(run);
      isBroken = false;
      for (let tries = 0; tries < 3 && (await world.find(run)).state !== "running"; tries++)
        await world.stepWhenDue(run);
      const { workId, fence, attempt } = await world.find(run);
      expect(attempt).toBe(1);
      expect(await world.catalog.findHeldLease(leaseOf(run.syncId), world.nowMs)).toMatchObject({
        holder: workId,
        fence,
      });
      const alive = await Promise.all([...world.jobs.values()].map((job) => world.isAlive(job)));
      expect(alive.filter(Boolean)).toHaveLength(1);
    },
  );

  it("that nobody moves any more is taken up by the sweep once its claim has run out", async () => {
    const { world, run } = await newRun();
    world.messages = [];
    await env.DB.prepare(
      "UPDATE sync_runs SET state = 'starting', attempt = 1, job_id = 'j', claimed_until = ?, due_at = ? WHERE id = ?",
    )
      .bind(...[0, 0].map(() => new Date(world.nowMs + WORK_LIMITS.claimMs).toISOString()), run.id)
      .run();
    world.nowMs += WORK_LIMITS.claimMs - 1;
    expect(await world.step(run)).toBe("wait");
    await world.tick();
    const dueNow = () => world.messages.filter(({ id, atMs }) => id === run.id && atMs <= world.nowMs);
    expect(dueNow()).toEqual([]);
    world.nowMs += 1;
    await world.tick();
    expect(dueNow()).toHaveLength(1);
    expect(await world.step(run)).toBe("start");
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 1 });
  });
});

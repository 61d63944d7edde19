// Runs of docs' jobs, from the request or the tick to their end, over a sandbox that the test plays.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AUTOMATION_WORK } from "../../../../src/features/automations/automation-work.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { CLAIM_OVER_MS, JOBS, newWorld } from "../../../support/unit/automations.ts";

import { reportOf } from "../../../support/unit/fake-sandbox.ts";
import { call } from "../../../support/unit/http.ts";

const docRuns = async (docId: string) =>
  (await env.DB.prepare("select id, state, cause, user_id from doc_runs where doc_id = ?").bind(docId).all()).results;
const attemptsOf = async (runId: string) =>
  (
    await env.DB.prepare("select attempt, state, job_id, error from attempts where run_id = ? order by attempt")
      .bind(runId)
      .all<{ attempt: number; state: string; job_id: string; error: string | null }>()
  ).results;
const somewhere = `${JOBS}/${crypto.randomUUID()}`;

describe("processAutomationJob", () => {
  refusesStrangers("processAutomationJob", (key) => call("POST", `${somewhere}/process`, { key, body: {} }), {
    right: "jobs:write",
  });

  it("orders one run of the doc in the request itself, with the owner's rights", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ datasetKeys: ["one"] });
    const { status, body } = await world.process(jobId);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      jobId,
      state: "running",
      cause: "manual",
      scheduledFor: null,
      attempt: 1,
      engineJobId: null,
      resourceType: "doc",
      resourceId: world.team.docId,
      datasetKeys: ["one"],
      endedAt: null,
      isCancelling: false,
    });
    const [order] = world.sandbox.seen.orders;
    expect(order).toMatchObject({ runId: body.data.docRunId, docId: world.team.docId, datasets: [{ key: "one" }] });
    expect(await docRuns(world.team.docId)).toMatchObject([
      { id: body.data.docRunId, cause: "manual", user_id: world.team.admin.id },
    ]);
    expect(world.sent).toEqual([body.data.id]);
  });

  it("looks as soon as the sandbox says that it is done, and not when it would have looked anyway", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await world.begin(order!);
    expect(await world.step(id)).toBe("wait");
    world.sent.length = 0;
    await world.finish(order!);
    expect(world.sent).toEqual([id]);
    expect(await world.step(id)).toBe("watch");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "succeeded" });
  });

  it("follows the doc's run to its end, however often it looks", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await world.begin(order!);
    expect(await world.step(id, 5_000)).toBe("watch");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "running" });
    await world.finish(order!);
    expect(await world.step(id, 20_000)).toBe("watch");
    const ended = await world.runOf(jobId, id);
    expect(ended).toMatchObject({ state: "succeeded", error: null, attempt: 1, docRunId: order!.runId });
    expect(ended.durationMs).toBeGreaterThanOrEqual(0);
    expect(await world.step(id, CLAIM_OVER_MS)).toBe("wait");
    expect(await attemptsOf(id)).toEqual([{ attempt: 1, state: "succeeded", job_id: order!.runId, error: null }]);
    expect((await world.call("GET", `/${jobId}`)).body.data.lastRun).toMatchObject({ id, state: "succeeded" });
    expect(world.sandbox.seen.orders).toHaveLength(1);
  });

  it("answers the run in progress where runs may not overlap, and queues where they may wait", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const [first, second] = await Promise.all([world.process(jobId), world.process(jobId)]);
    expect(second.body.data.id).toBe(first.body.data.id);
    await world.call("PATCH", `/${jobId}`, { overlap: "queue" });
    const third = (await world.process(jobId)).body.data;
    expect(third).toMatchObject({ state: "queued", attempt: 0 });
    expect(await world.step(third.id)).toBe("wait");
    await world.finish(world.sandbox.seen.orders[0]!);
    await world.step(first.body.data.id, 20_000);
    expect(world.sent.at(-1)).toBe(third.id);
    expect(await world.step(third.id)).toBe("begin");
  });

  it("refuses more than may wait", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ overlap: "queue" });
    for (let run = 0; run < 11; run++) expect((await world.process(jobId)).status).toBe(200);
    expect((await world.process(jobId)).status).toBe(409);
  });

  it("names the datasets that failed, and tries again as its job says", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ retry: { attempts: 2, backoffSeconds: 60 } });
    const { id } = (await world.process(jobId)).body.data;
    const failing = { datasets: { two: { success: false, error: "ValueError: no" } } };
    await world.finish(world.sandbox.seen.orders[0]!, failing);
    await world.step(id, 20_000);
    const waiting = await world.runOf(jobId, id);
    expect(waiting).toMatchObject({ state: "queued", attempt: 1, error: "Dataset failed. two: ValueError: no" });
    expect(await world.step(id, 25_000)).toBe("wait");
    expect(await world.step(id, 90_000)).toBe("begin");
    expect(world.sandbox.seen.orders).toHaveLength(2);
    expect(world.sandbox.seen.orders[1]!.runId).not.toBe(world.sandbox.seen.orders[0]!.runId);
    await world.finish(world.sandbox.seen.orders[1]!, failing);
    await world.step(id, 120_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "failed", attempt: 2 });
    expect((await attemptsOf(id)).map(({ state }) => state)).toEqual(["failed", "failed"]);
  });

  it("tries nothing again of which nobody knows whether it was written", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ retry: { attempts: 3, backoffSeconds: 60 } });
    const { id } = (await world.process(jobId)).body.data;
    const open = { success: false, error: "It may be written.", errorCode: "write_outcome_unknown" as const };
    await world.finish(world.sandbox.seen.orders[0]!, { datasets: { two: open } });
    await world.step(id, 20_000);
    const run = await world.runOf(jobId, id);
    expect(run).toMatchObject({ state: "failed", attempt: 1, error: "Dataset failed. two: It may be written." });
  });

  it("runs a doc once by default, as its code may do things that count", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await world.finish(world.sandbox.seen.orders[0]!, { datasets: { one: { success: false, error: "no" } } });
    await world.step(id, 20_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "failed" });
  });

  it("waits for room without using an attempt up, and leaves no run of the doc behind", async () => {
    const world = await newWorld({ unavailable: "full" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "queued", attempt: 0, docRunId: null });
    expect(await docRuns(world.team.docId)).toEqual([]);
    expect(await attemptsOf(id)).toEqual([]);
    delete world.behaviour.unavailable;
    expect(await world.step(id, 60_000)).toBe("begin");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "running", attempt: 1 });
  });

  it("fails the attempt where the sandbox does not start", async () => {
    const world = await newWorld({ unavailable: "start" });
    const jobId = await world.newJob();
    const { data } = (await world.process(jobId)).body;
    expect(data).toMatchObject({ state: "failed", attempt: 1, error: expect.stringMatching(/did not start/) });
    expect(await docRuns(world.team.docId)).toEqual([]);
  });

  it.each(["lost", "silent"] as const)("never sends an order again whose answer was %s", async (unavailable) => {
    const world = await newWorld({ unavailable });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await world.begin(order!);
    await world.step(id, 10_000);
    await world.finish(order!);
    await world.step(id, 30_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "succeeded" });
    expect(world.sandbox.seen.orders).toHaveLength(1);
  });

  it("takes an order back that no sandbox took up, so that it can't begin beside the next", async () => {
    const world = await newWorld({ unavailable: "lost" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await env.DB.prepare("update doc_runs set lease_until = '2020-01-01T00:00:00.000Z'").run();
    await world.step(id, 10_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "queued", attempt: 0 });
    expect((await world.begin(order!)).status).toBe(404);
    expect(await world.step(id, 60_000)).toBe("begin");
    expect(world.sandbox.seen.orders).toHaveLength(2);
  });

  it("never takes an order back of which a dataset was reported, though no heartbeat arrived", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    const [report] = reportOf(order!).datasets;
    expect((await world.sandbox.senderOf(order!)("report", report)).status).toBe(204);
    await env.DB.prepare("update doc_runs set lease_until = '2020-01-01T00:00:00.000Z'").run();
    await world.step(id, 10_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "failed", attempt: 1 });
    expect(world.sandbox.seen.orders).toHaveLength(1);
  });

  it("retries a run whose sandbox is lost, by the job's policy", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ retry: { attempts: 2, backoffSeconds: 1 } });
    const { id } = (await world.process(jobId)).body.data;
    await world.begin(world.sandbox.seen.orders[0]!);
    await env.DB.prepare("update doc_runs set lease_until = '2020-01-01T00:00:00.000Z'").run();
    await world.step(id, 10_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "queued", error: expect.stringMatching(/sandbox/) });
    expect(await world.step(id, 30_000)).toBe("begin");
  });

  it("fails with a reason once the owner is gone, and runs again when somebody takes the job over", async () => {
    const world = await newWorld();
    const second = await world.team.newMember("admin");
    const body = { resourceType: "doc", resourceId: world.team.docId };
    const jobId = (await world.call("POST", "", body, second.key)).body.data.id;
    await call("DELETE", `/v4/users/${second.id}`, { key: world.team.admin.key });
    expect((await world.process(jobId)).body.data).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/owner is not in the team/),
    });
    expect(world.sandbox.seen.orders).toEqual([]);
    await world.call("PATCH", `/${jobId}`, { ownerId: world.team.admin.id });
    expect((await world.process(jobId)).body.data).toMatchObject({ state: "running" });
  });

  it("fails with a reason once the owner may not any more", async () => {
    const world = await newWorld();
    const second = await world.team.newMember("admin");
    const body = { resourceType: "lake_integration_maintenance", resourceId: world.team.lakeId };
    const jobId = (await world.call("POST", "", body, second.key)).body.data.id;
    await call("PATCH", `/v4/users/${second.id}`, { key: world.team.admin.key, body: { role: "member" } });
    expect((await world.process(jobId)).body.data).toMatchObject({
      state: "failed",
      attempt: 1,
      error: expect.stringMatching(/no right lake:manage/),
    });
  });

  it("pauses a job whose owner is gone, until somebody takes it over and enables it", async () => {
    const world = await newWorld();
    const second = await world.team.newMember("admin");
    const schedule = { cron: "* * * * *" };
    const body = { resourceType: "doc", resourceId: world.team.docId, schedule };
    const jobId = (await world.call("POST", "", body, second.key)).body.data.id;
    const job = async () => (await world.call("GET", `/${jobId}`)).body.data;
    expect(await job()).toMatchObject({ enabled: true, pausedReason: null });
    await call("DELETE", `/v4/users/${second.id}`, { key: world.team.admin.key });
    await world.process(jobId);
    expect(await job()).toMatchObject({ enabled: false, pausedReason: "owner_gone", nextRunAt: null, schedule });
    const taken = await world.call("PATCH", `/${jobId}`, { ownerId: world.team.admin.id, enabled: true });
    expect(taken.body.data).toMatchObject({ enabled: true, pausedReason: null, nextRunAt: expect.any(String) });
    expect((await world.process(jobId)).body.data).toMatchObject({ state: "running" });
    expect(await job()).toMatchObject({ enabled: true, pausedReason: null });
  });

  it("pauses a job whose owner has not the right any more, and not one that runs by hand alone", async () => {
    const world = await newWorld();
    const second = await world.team.newMember("admin");
    const body = { resourceType: "lake_integration_maintenance", resourceId: world.team.lakeId };
    const make = async (rest: object) => (await world.call("POST", "", { ...body, ...rest }, second.key)).body.data.id;
    const jobIds = [await make({ kind: "full", schedule: { cron: "0 3 * * *" } }), await make({ kind: "daily" })];
    await call("PATCH", `/v4/users/${second.id}`, { key: world.team.admin.key, body: { role: "member" } });
    const reasons = [];
    for (const jobId of jobIds) {
      await world.process(jobId);
      reasons.push((await world.call("GET", `/${jobId}`)).body.data.pausedReason);
    }
    expect(reasons).toEqual(["owner_lacks_right", null]);
  });

  it("leaves a job alone that was taken over while a run with the rights of the owner before waited", async () => {
    const world = await newWorld({ unavailable: "full" });
    const second = await world.team.newMember("admin");
    const body = { resourceType: "doc", resourceId: world.team.docId, schedule: { cron: "0 3 * * *" } };
    const jobId = (await world.call("POST", "", body, second.key)).body.data.id;
    const { id } = (await world.process(jobId)).body.data;
    await call("DELETE", `/v4/users/${second.id}`, { key: world.team.admin.key });
    await world.call("PATCH", `/${jobId}`, { ownerId: world.team.admin.id });
    await world.step(id, 60_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "failed" });
    expect((await world.call("GET", `/${jobId}`)).body.data).toMatchObject({ enabled: true, pausedReason: null });
  });

  it("pauses a job whose doc is archived, with the doc's name and what to do, until the doc is restored", async () => {
    const world = await newWorld({ unavailable: "full" });
    const { docId, admin } = world.team;
    const jobId = await world.newJob({ schedule: { cron: "0 3 * * *" } });
    const { id } = (await world.process(jobId)).body.data;
    await call("DELETE", `/v4/docs/${docId}`, { key: admin.key });
    await world.step(id, 60_000);
    const { error } = await world.runOf(jobId, id);
    expect(error).toBe(
      `The doc Scores (${docId}), which this job runs, is archived. Restore it and enable the job, or delete the job.`,
    );
    expect((await world.call("GET", `/${jobId}`)).body.data).toMatchObject({ pausedReason: "doc_archived" });
    expect((await world.process(jobId)).body.message).toBe(`The doc Scores (${docId}) is archived. Restore it first.`);
    await call("POST", `/v4/docs/${docId}/restore`, { key: admin.key });
    delete world.behaviour.unavailable;
    await world.call("PATCH", `/${jobId}`, { enabled: true });
    expect((await world.process(jobId)).body.data).toMatchObject({ state: "running" });
  });

  it("is 404 for an archived doc, and fails a run of it that was waiting", async () => {
    const world = await newWorld({ unavailable: "full" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await call("DELETE", `/v4/docs/${world.team.docId}`, { key: world.team.admin.key });
    expect((await world.process(jobId)).status).toBe(404);
    await world.step(id, 60_000);
    expect(await world.runOf(jobId, id)).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/is archived/),
    });
  });

  it("fails with the datasets' names when the doc lost them since", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ datasetKeys: ["two"] });
    const definition = {
      version: 1,
      kind: "pipeline",
      metadata: { name: "S" },
      datasets: { one: { engine: "python", code: "result = 1" } },
    };
    await call("PUT", `/v4/docs/${world.team.docId}`, { key: world.team.admin.key, body: definition });
    const { status, body } = await world.process(jobId);
    expect([status, body.error.flaws[0].message]).toEqual([422, "The doc has no dataset two."]);
  });

  it("runs fewer datasets where that is asked for, and none that are not the job's", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ datasetKeys: ["one"] });
    expect((await world.process(jobId, { datasetKeys: ["two"] })).status).toBe(422);
    const all = await world.newJob();
    expect((await world.process(all, { datasetKeys: ["two"] })).body.data.datasetKeys).toEqual(["two"]);
    expect(world.sandbox.seen.orders[0]!.datasets.map(({ key }) => key)).toEqual(["two"]);
  });

  it("takes a body, and nothing in it that it does not know", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    expect((await world.process(jobId, { full: true })).status).toBe(422);
    expect((await world.process(jobId, {}, "?dryrun=true")).status).toBe(422);
    expect((await call("POST", `${JOBS}/${jobId}/process`, { key: world.team.admin.key })).status).toBe(422);
  });

  it("gives a run up after its time, and the doc's run with it", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ timeoutSeconds: 60 });
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    expect(order!.deadlineMs).toBeLessThanOrEqual(60_000);
    await world.begin(order!);
    expect(await world.step(id, 61_000)).toBe("stop");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "timed_out", error: expect.stringMatching(/60 s/) });
    expect(world.sandbox.seen.cancelled).toEqual([order!.runId]);
    expect(await docRuns(world.team.docId)).toMatchObject([{ state: "timed_out" }]);
    expect(await attemptsOf(id)).toMatchObject([{ state: "timed_out" }]);
  });
});

describe("a dry run", () => {
  it("says what would run, and keeps nothing", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ datasetKeys: ["two"] });
    const { status, body } = await world.process(jobId, {}, "?dryRun=true");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: null,
      jobId,
      state: "queued",
      attempt: 0,
      plan: { datasets: [{ key: "two", engine: "python", isSelected: true }], notes: [] },
    });
    expect(await world.runsOf(jobId)).toEqual([]);
    expect(await docRuns(world.team.docId)).toEqual([]);
    expect([world.sent, world.sandbox.seen.orders]).toEqual([[], []]);
  });

  it("says what would keep it from running", async () => {
    const world = await newWorld({ unavailable: "full" });
    const second = await world.team.newMember("admin");
    const resource = { resourceType: "doc", resourceId: world.team.docId };
    const jobId = (await world.call("POST", "", resource, second.key)).body.data.id;
    const { id } = (await world.process(jobId)).body.data;
    await call("DELETE", `/v4/users/${second.id}`, { key: world.team.admin.key });
    const { notes } = (await world.process(jobId, {}, "?dryRun=true")).body.data.plan;
    expect(notes).toEqual([expect.stringMatching(/owner/), expect.stringContaining(id)]);
  });

  it("of a lake's maintenance answers from its catalog", async () => {
    const world = await newWorld();
    const resource = { resourceType: "lake_integration_maintenance", resourceId: world.team.lakeId };
    const jobId = await world.newJob(resource);
    const { body } = await world.process(jobId, {}, "?dryRun=true");
    expect(body.data).toMatchObject({ kind: "full", plan: { maintenance: { delete: { files: 0, bytes: 0 } } } });
    expect(body.data.plan.maintenance.expire).not.toBeNull();
  });
});

describe("a worker that dies", () => {
  it("between the claim and the record of the doc's run begins the same attempt again", async () => {
    const world = await newWorld({ unavailable: "full" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const docRunId = crypto.randomUUID();
    const claim = `update automation_runs set state = 'starting', attempt = 1, job_id = ?, started_at = created_at, due_at = created_at,
      deadline_at = '2999-01-01T00:00:00.000Z' where id = ?`;
    await env.DB.prepare(claim).bind(docRunId, id).run();
    delete world.behaviour.unavailable;
    expect(await world.step(id, CLAIM_OVER_MS)).toBe("start");
    expect(world.sandbox.seen.orders.at(-1)!.runId).toBe(docRunId);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "running", attempt: 1 });
  });

  it("between recording the doc's run and ordering it leads to one run of the doc", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const unsaid = `update automation_runs set state = 'starting', due_at = created_at where id = ?`;
    await env.DB.prepare(unsaid).bind(id).run();
    expect(await world.step(id, CLAIM_OVER_MS)).toBe("start");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "queued", attempt: 0 });
    expect((await world.begin(world.sandbox.seen.orders[0]!)).status).toBe(404);
    expect(await world.step(id, 2 * CLAIM_OVER_MS)).toBe("begin");
    expect(await docRuns(world.team.docId)).toHaveLength(1);
  });

  it("after the sandbox has begun goes on with what it began", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await world.begin(world.sandbox.seen.orders[0]!);
    await env.DB.prepare("update automation_runs set state = 'starting', due_at = created_at where id = ?")
      .bind(id)
      .run();
    expect(await world.step(id, CLAIM_OVER_MS)).toBe("start");
    await world.finish(world.sandbox.seen.orders[0]!);
    await world.step(id, CLAIM_OVER_MS + 10_000);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "succeeded", attempt: 1 });
    expect(world.sandbox.seen.orders).toHaveLength(1);
  });

  it("that sleeps through its claim orders nothing for a run that was ended meanwhile", async () => {
    const world = await newWorld({ unavailable: "full" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    delete world.behaviour.unavailable;
    const [asleep, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const start: typeof AUTOMATION_WORK.start = async (...args) => {
      asleep.resolve();
      await awake.promise;
      return AUTOMATION_WORK.start(...args);
    };
    const late = new Date(Date.now() + CLAIM_OVER_MS);
    const sleeper = stepRun({ ...AUTOMATION_WORK, start }, world.clients, { teamId: world.team.id, id }, () => late);
    await asleep.promise;
    const ordered = world.sandbox.seen.orders.length;
    await world.call("POST", `/${jobId}/runs/${id}/cancel`, {});
    expect(await world.step(id, 2 * CLAIM_OVER_MS)).toBe("stop");
    awake.resolve();
    await sleeper;
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "cancelled" });
    expect(world.sandbox.seen.orders).toHaveLength(ordered);
    expect(await docRuns(world.team.docId)).toEqual([]);
  });
});

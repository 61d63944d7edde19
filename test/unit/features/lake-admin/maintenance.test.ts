// A lake's maintenance as whoever looks after it asks for it, over the real database, catalog and log.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { openLog } from "../../../../src/platform/logs/log.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { rowsOf } from "../../../support/unit/lake.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { newEngine, progressOf } from "./fake-engine.ts";
import { newLakeTeam, newOperator } from "./lakes.ts";

const LAKE = "/v4/admin/lake/maintenance";
const right = { right: "lake:manage" as const };
const strange = (method: string, rest: string) => (key: string | undefined) =>
  call(method, `${LAKE}/${newId()}${rest}`, { key });
refusesStrangers("runMaintenance", strange("POST", ""), right);
refusesStrangers("cancelMaintenance", strange("POST", "/cancel"), right);
refusesStrangers("getMaintenance", strange("GET", ""), right);
refusesStrangers("listMaintenanceLogs", strange("GET", "/job-logs/x"), right);
refusesStrangers("listLastFailedMaintenanceLogs", strange("GET", "/job-logs/last-failed"), right);

async function newMaintained() {
  const lake = await newLakeTeam();
  const engine = newEngine();
  const { key } = lake.team.admin;
  const path = `${LAKE}/${lake.lakeId}`;
  return {
    ...lake,
    ...{ engine, key, path },
    submit: (body?: unknown, as = key) => engine.ask("POST", path, as, body),
    get: (rest = "", as = key) => engine.ask("GET", path + rest, as),
    cancel: (as = key) => engine.ask("POST", `${path}/cancel`, as),
    count: async (what: string) =>
      (await env.DB.prepare(`select count(*) as n from ${what} where team_id = ?`)
        .bind(lake.team.id)
        .first<number>("n"))!,
  };
}

describe("runMaintenance", () => {
  it("answers with both ids once its engine has the job, whatever body asks for it", async () => {
    for (const [body, kind] of [
      [undefined, "full"],
      [null, "full"],
      [{}, "full"],
      [{ kind: "daily" }, "daily"],
    ] as const) {
      const { submit, engine, lakeId, team } = await newMaintained();
      const { status, body: answer } = await submit(body);
      expect([status, answer.data]).toMatchObject([202, { integrationId: lakeId, kind, state: "running", plan: null }]);
      const { maintenanceId, engineJobId } = answer.data;
      expect(engine.jobs.get(engineJobId)!.request.work).toEqual({
        ...{ kind: "maintenance", lakeId, level: kind, runId: maintenanceId, attempt: 1 },
      });
      const audited = await env.DB.prepare(
        "select actor_id, subject_id from audit_events where team_id = ? and action = 'lake.maintain'",
      )
        .bind(team.id)
        .all();
      expect(audited.results).toEqual([{ actor_id: team.admin.id, subject_id: lakeId }]);
    }
  });

  it("waits as queued, without a job, while the engine has no capacity", async () => {
    const { submit, engine, team, get } = await newMaintained();
    engine.isFull = true;
    const { data } = (await submit()).body;
    expect(data).toMatchObject({ engineJobId: null, state: "queued" });
    engine.isFull = false;
    expect(await engine.step(team.id, data.maintenanceId, 600_000)).toBe("begin");
    expect((await get()).body.data).toMatchObject({ maintenanceId: data.maintenanceId, state: "running", attempt: 1 });
  });

  it("is refused while one goes on, and names that: 409", async () => {
    const { submit, engine, team } = await newMaintained();
    const { maintenanceId, engineJobId } = (await submit({ kind: "daily" })).body.data;
    const refused = await submit();
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: {
          code: "work_in_progress",
          title: "Resource Conflict",
          retryable: true,
          conflictsWith: [maintenanceId],
        },
      },
    });
    expect(refused.body.message).toContain(maintenanceId);
    await engine.report(engineJobId, progressOf(), {});
    await engine.step(team.id, maintenanceId, 60_000);
    expect((await submit()).status).toBe(202);
  });

  it("begins once for two that ask at the same time", async () => {
    const { submit, engine } = await newMaintained();
    const statuses = (await Promise.all([submit(), submit(), submit()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 409, 409]);
    expect(engine.jobs.size).toBe(1);
  });

  it("as a dry run keeps nothing, and says what would be done from the catalog alone", async () => {
    const { submit, fill, engine, count, lake, get } = await newMaintained();
    for (let commits = 0; commits < 3; commits++) await fill(10);
    const before = await rowsOf(lake, "SELECT * FROM ducklake_snapshot");
    const { status, body } = await submit({ dryRun: true });
    expect([status, body.data]).toMatchObject([
      202,
      {
        ...{ maintenanceId: null, engineJobId: null, state: null, kind: "full" },
        plan: {
          merge: { tables: 1, total: { files: 30, filesAfter: 1, rows: 300 }, worst: [{ schema: "main", name: "t" }] },
          expire: { snapshots: 0 },
          delete: { files: 0 },
        },
      },
    ]);
    expect((await submit({ dryRun: true, kind: "daily" })).body.data.plan).toMatchObject({
      rewrite: null,
      expire: null,
    });
    expect([engine.jobs.size, await count("automation_runs"), await count("attempts")]).toEqual([0, 0, 0]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_snapshot")).toEqual(before);
    expect((await get()).status).toBe(404);
  });

  it("is of the own lakes; an operator's of any, audited with the lake's team", async () => {
    const { submit, get, team } = await newMaintained();
    const [stranger, operator] = [await newTeam(), await newOperator()];
    expect((await submit({}, stranger.admin.key)).status).toBe(404);
    expect((await submit({}, team.member.key)).status).toBe(403);
    expect((await submit({}, operator.admin.key)).status).toBe(202);
    expect((await get("", stranger.admin.key)).status).toBe(404);
    expect((await get()).body.data).toMatchObject({ teamId: team.id, state: "running" });
    const by = env.DB.prepare("select actor_id from audit_events where team_id = ? and action = 'lake.maintain'");
    expect((await by.bind(team.id).all()).results).toEqual([{ actor_id: operator.admin.id }]);
  });

  it("takes no other field, and no other kind", async () => {
    const { submit } = await newMaintained();
    for (const body of [{ kind: "hourly" }, { when: "now" }, [], "x"])
      expect([body, (await submit(body)).status]).toEqual([body, 422]);
  });
});

describe("cancelMaintenance", () => {
  it("ends the one under way with its engine's job, and the lake takes the next", async () => {
    const { submit, get, cancel, engine, team } = await newMaintained();
    const { maintenanceId } = (await submit()).body.data;
    const sent = engine.sent.length;
    for (let times = 0; times < 2; times++) {
      const { status, body } = await cancel();
      expect([status, body.data]).toMatchObject([202, { maintenanceId, state: "running", isCancelling: true }]);
    }
    expect(engine.sent.slice(sent)).toEqual([maintenanceId]);
    expect(await engine.step(team.id, maintenanceId, 60_000)).toBe("stop");
    expect((await get()).body.data).toMatchObject({
      ...{ maintenanceId, state: "cancelled", isCancelling: false, error: "Cancelled by Ada." },
      attempts: [{ id: 1, state: "cancelled" }],
    });
    expect(engine.jobs.size).toBe(0);
    const audited = await env.DB.prepare(
      "select actor_id, subject_id from audit_events where team_id = ? and action = 'automation_run.cancel'",
    )
      .bind(team.id)
      .all();
    expect(audited.results).toEqual([{ actor_id: team.admin.id, subject_id: maintenanceId }]);
    expect((await submit()).status).toBe(202);
  });

  it("ends one that waits for capacity, and is 404 where none goes on", async () => {
    const { submit, get, cancel, engine, team } = await newMaintained();
    expect((await cancel()).status).toBe(404);
    engine.isFull = true;
    const { maintenanceId } = (await submit()).body.data;
    expect((await cancel()).body.data).toMatchObject({ maintenanceId, state: "queued", isCancelling: true });
    await engine.step(team.id, maintenanceId);
    expect((await get()).body.data).toMatchObject({ maintenanceId, state: "cancelled", attempt: 0 });
    expect((await cancel()).status).toBe(404);
  });

  it("ends a job's run, but no other team's; an operator's is audited with the lake's team", async () => {
    const { cancel, engine, team, lakeId, key, submit } = await newMaintained();
    const body = { resourceType: "lake_integration_maintenance", resourceId: lakeId, kind: "daily" };
    const { id: jobId } = (await engine.ask("POST", "/v4/automations/jobs", key, body)).body.data;
    const run = (await engine.ask("POST", `/v4/automations/jobs/${jobId}/process`, key, {})).body.data;
    expect((await submit()).status).toBe(409);
    const [stranger, operator] = [await newTeam(), await newOperator()];
    expect((await cancel(stranger.admin.key)).status).toBe(404);
    expect((await cancel(team.member.key)).status).toBe(403);
    const { status, body: answer } = await cancel(operator.admin.key);
    expect([status, answer.data]).toMatchObject([202, { maintenanceId: run.id, jobId, isCancelling: true }]);
    const by = env.DB.prepare(
      "select actor_id from audit_events where team_id = ? and action = 'automation_run.cancel'",
    );
    expect((await by.bind(team.id).all()).results).toEqual([{ actor_id: operator.admin.id }]);
  });
});

describe("getMaintenance", () => {
  it("shows how far the job is, live, and what it came to in the end; the lake's summary is made anew", async () => {
    const { submit, get, engine, team, fill, lakeId } = await newMaintained();
    const { maintenanceId, engineJobId } = (await submit()).body.data;
    expect((await get()).body.data).toMatchObject({
      progress: null,
      attempts: [{ id: 1, engineJobId, state: "running" }],
    });
    await engine.report(engineJobId, progressOf(3));
    expect((await get()).body.data.progress).toEqual(progressOf(3));
    await fill(4);
    await engine.report(engineJobId, progressOf(7), {});
    await engine.step(team.id, maintenanceId, 60_000);
    const ended = (await get()).body.data;
    expect(ended).toMatchObject({
      ...{ maintenanceId, engineJobId, state: "succeeded", error: null, attempt: 1, progress: progressOf(7) },
      attempts: [{ id: 1, state: "succeeded" }],
    });
    expect(ended.durationMs).toBe(Date.parse(ended.endedAt) - Date.parse(ended.startedAt));
    const summary = await env.DB.prepare("select figures from lake_summaries where lake_id = ?")
      .bind(lakeId)
      .first<string>("figures");
    expect(JSON.parse(summary!)).toMatchObject({ total: { files: 4 } });
  });

  it("finds one by the job of any attempt, or by its own id; none of another lake's, and nothing by what is no id", async () => {
    const { submit, get, engine, team } = await newMaintained();
    const { maintenanceId, engineJobId: first } = (await submit()).body.data;
    await engine.report(first, progressOf(), { outcome: "failed", error: "The disk is full.", retryable: true });
    await engine.step(team.id, maintenanceId, 60_000);
    expect((await get()).body.data).toMatchObject({ state: "queued", error: "The disk is full.", attempt: 1 });
    expect(await engine.step(team.id, maintenanceId, 600_000)).toBe("begin");
    const { engineJobId: second } = (await get()).body.data;
    expect(second).not.toBe(first);
    for (const query of [`engineJobId=${first}`, `engineJobId=${second}`, `maintenanceId=${maintenanceId}`])
      expect((await get(`?${query}`)).body.data).toMatchObject({ maintenanceId, engineJobId: second });
    expect((await get(`?engineJobId=${first}&maintenanceId=${newId()}`)).status).toBe(404);
    const other = await newMaintained();
    for (const query of [`engineJobId=${first}`, `maintenanceId=${maintenanceId}`, "maintenanceId=x", "engineJobId=x"])
      expect((await other.get(`?${query}`)).status).toBe(404);
  });
});

describe("a maintenance's log", () => {
  it("is its end, in the order of time, where nobody asks for a page", async () => {
    const { submit, get, team } = await newMaintained();
    const { maintenanceId } = (await submit()).body.data;
    await openLog(env as Env, team.id).append(
      maintenanceId,
      Array.from({ length: 150 }, (_, index) => ({
        level: "info" as const,
        message: `line ${index}`,
        attempt: 1,
        source: "engine",
      })),
    );
    const read = async (query: string) => {
      const { items, ...page } = (await get(`/job-logs/${maintenanceId}${query}`)).body.data;
      const messages = items.map(({ message }: { message: string }) => message);
      return { first: messages[0], last: messages.at(-1), lines: messages.length, ...page };
    };
    const end = { first: "line 50", last: "line 149", lines: 100, limit: 100 };
    expect(await read("")).toMatchObject({ ...end, total: 151, offset: 51 });
    expect(await read("?level=info")).toMatchObject(end);
    const begin = { first: "Attempt 1 has started.", last: "line 98", lines: 100, offset: 0 };
    for (const query of ["?limit=100", "?offset=0", "?ascending=true"]) expect(await read(query)).toMatchObject(begin);
    expect(await read("?ascending=false")).toMatchObject({ first: "line 149", offset: 0 });
  });

  it("is of one attempt by its engine's job, and of all by its id; the last that failed is found without either", async () => {
    const { submit, get, engine, team } = await newMaintained();
    expect((await get("/job-logs/last-failed")).status).toBe(404);
    const { maintenanceId, engineJobId } = (await submit()).body.data;
    await openLog(env as Env, team.id).append(maintenanceId, [
      { level: "info", message: "merging", attempt: 1, source: "engine" },
      { level: "error", message: "no more disk", attempt: 2, source: "engine" },
    ]);
    const messagesOf = async (rest: string) =>
      (await get(`/job-logs/${rest}`)).body.data.items.map(({ message }: { message: string }) => message);
    expect(await messagesOf(maintenanceId)).toEqual(["Attempt 1 has started.", "merging", "no more disk"]);
    expect(await messagesOf(engineJobId)).toEqual(["Attempt 1 has started.", "merging"]);
    expect(await messagesOf(`${maintenanceId}?level=error`)).toEqual(["no more disk"]);
    expect(await messagesOf(`${maintenanceId}?ascending=false&limit=1`)).toEqual(["no more disk"]);
    expect((await get("/job-logs/last-failed")).status).toBe(404);
    await engine.report(engineJobId, progressOf(), { outcome: "failed", error: "Broken.", retryable: false });
    await engine.step(team.id, maintenanceId, 60_000);
    // Nobody had looked at the run for a minute, which its log says too.
    expect((await get("/job-logs/last-failed")).body.data).toMatchObject({ maintenanceId, engineJobId, total: 5 });
    const stranger = await newMaintained();
    for (const id of [maintenanceId, engineJobId, newId(), "x"])
      expect((await stranger.get(`/job-logs/${id}`)).status).toBe(404);
  });
});

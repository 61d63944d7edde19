import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { newEngine, progressOf } from "./fake-engine.ts";
import { newLakeTeam } from "./lakes.ts";

const JOBS = "/v4/automations/jobs";

refusesStrangers("syncMaintenance", (key) => call("POST", `${JOBS}/${newId()}/maintenance/sync`, { key }), {
  right: "jobs:write",
});

async function newMaintenanceJob() {
  const { team, lakeId } = await newLakeTeam();
  const engine = newEngine();
  const { key } = team.admin;
  const body = { resourceType: "lake_integration_maintenance", resourceId: lakeId, retry: { attempts: 2 } };
  const { id } = (await engine.ask("POST", JOBS, key, body)).body.data;
  const process = async () => (await engine.ask("POST", `${JOBS}/${id}/process`, key, {})).body.data;
  const sync = async () => (await engine.ask("POST", `${JOBS}/${id}/maintenance/sync`, key)).body.data;
  const attempts = async (runId: string) =>
    (await env.DB.prepare("select attempt, state from attempts where run_id = ? order by attempt").bind(runId).all())
      .results;
  return { team, lakeId, engine, key, id, process, sync, attempts };
}

describe("syncMaintenance", () => {
  it("says that nothing has run, and that a job at work is at work: neither changes anything", async () => {
    const { sync, process, attempts } = await newMaintenanceJob();
    expect(await sync()).toMatchObject({ runId: null, engineJob: null, moved: false });
    const run = await process();
    for (let times = 0; times < 2; times++)
      expect(await sync()).toMatchObject({
        ...{ runId: run.id, attempt: 1, engineJobId: run.engineJobId, engineJob: "running" },
        ...{ before: "running", after: "running", moved: false },
      });
    expect(await attempts(run.id)).toEqual([{ attempt: 1, state: "running" }]);
  });

  it.each([
    ["succeeded", {}],
    ["failed", { outcome: "failed" as const, error: "Broken.", retryable: false }],
  ])("ends the attempt whose job has %s, once", async (state, outcome) => {
    const { sync, process, attempts, engine } = await newMaintenanceJob();
    const run = await process();
    await engine.report(run.engineJobId, progressOf(), outcome);
    expect(await sync()).toMatchObject({ before: "running", after: state, moved: true, engineJob: "vanished" });
    expect(await sync()).toMatchObject({ before: state, after: state, moved: false, engineJob: null });
    expect(await attempts(run.id)).toEqual([{ attempt: 1, state }]);
  });

  it("ends the attempt whose job has vanished, and leaves the next one its wait", async () => {
    const { sync, process, attempts, engine } = await newMaintenanceJob();
    const run = await process();
    engine.jobs.clear();
    expect(await sync()).toMatchObject({ engineJob: "vanished", before: "running", after: "queued", moved: true });
    expect(await sync()).toMatchObject({ engineJob: null, before: "queued", after: "queued", moved: false });
    expect(await attempts(run.id)).toEqual([{ attempt: 1, state: "failed" }]);
    expect(engine.jobs.size).toBe(0);
  });

  it("leaves an attempt alone whose engine can't be asked while its lease holds", async () => {
    const { sync, process, engine } = await newMaintenanceJob();
    await process();
    engine.isAway = true;
    expect(await sync()).toMatchObject({ engineJob: "unreachable", before: "running", after: "running", moved: false });
  });

  it("is for a lake's job: a doc's is 422, and another team's 404", async () => {
    const { team, id, engine, key } = await newMaintenanceJob();
    const stranger = await newTeam();
    const path = (job: string) => `${JOBS}/${job}/maintenance/sync`;
    expect((await engine.ask("POST", path(id), stranger.admin.key)).status).toBe(404);
    expect((await engine.ask("POST", path(id), team.member.key)).status).toBe(403);
    const datasets = { one: { engine: "python", code: "result = 1" } };
    const doc = { version: 1, kind: "pipeline", metadata: { name: "Doc" }, datasets };
    const docId = (await engine.ask("POST", "/v4/docs", key, doc)).body.data.id;
    const job = (await engine.ask("POST", JOBS, key, { resourceType: "doc", resourceId: docId })).body.data.id;
    expect((await engine.ask("POST", path(job), key)).status).toBe(422);
  });
});

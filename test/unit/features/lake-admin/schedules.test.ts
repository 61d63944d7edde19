import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { parseCron } from "../../../../src/core/schedule/cron.ts";
import { newId } from "../../../../src/core/ids.ts";
import { defaultCron } from "../../../../src/features/lake-admin/schedules/schedule.ts";
import { setMaintenanceSchedule } from "../../../../src/features/lake-admin/schedules/set.ts";
import { openDb, type Db } from "../../../../src/platform/db/client.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";
import { newEngine, progressOf } from "./fake-engine.ts";
import { newLakeTeam, newOperator } from "./lakes.ts";

const LAKE = "/v4/admin/lake/maintenance";
const JOBS = "/v4/automations/jobs";
const right = { right: "lake:manage" as const };

refusesStrangers("listMaintenanceSchedules", (key) => call("GET", `${LAKE}/schedules`, { key }), right);
refusesStrangers(
  "setMaintenanceSchedule",
  (key) => call("PUT", `${LAKE}/${newId()}/schedule`, { key, body: {} }),
  right,
);
refusesStrangers("getMaintenanceSchedule", (key) => call("GET", `${LAKE}/${newId()}/schedule`, { key }), right);
refusesStrangers("deleteMaintenanceSchedule", (key) => call("DELETE", `${LAKE}/${newId()}/schedule`, { key }), right);

/** The database of a caller whom another overtakes between reading and writing. */
function overtakenBy(other: () => Promise<unknown>): Db {
  const db = openDb(env.DB);
  let overtaking: Promise<unknown> | undefined;
  const batch: Db["batch"] = async (statements) => {
    await (overtaking ??= other());
    return db.batch(statements);
  };
  return new Proxy(db, { get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name)) });
}

async function newSchedules() {
  const { team, lakeId } = await newLakeTeam();
  const { key } = team.admin;
  const path = `${LAKE}/${lakeId}/schedule`;
  return {
    ...{ team, lakeId, key, path },
    put: (body: object, query = "", as = key) => call("PUT", path + query, { key: as, body }),
    get: (query = "") => call("GET", path + query, { key }),
    audited: async () =>
      (
        await env.DB.prepare("select action from audit_events where team_id = ? and action like 'automation_job.%'")
          .bind(team.id)
          .all<{ action: string }>()
      ).results.map(({ action }) => action),
  };
}

describe("a schedule", () => {
  it("is the automation job of its lake and kind: a change of either is one of both", async () => {
    const { put, get, key, lakeId, audited } = await newSchedules();
    expect((await get()).status).toBe(404);
    const made = (await put({ cron: "30 3 * * 0", timezone: "Europe/Berlin" })).body.data;
    expect(made).toMatchObject({
      ...{ integrationId: lakeId, kind: "full", cron: "30 3 * * 0", timezone: "Europe/Berlin", enabled: true },
      lastRun: null,
    });
    const job = (await call("GET", `${JOBS}/${made.jobId}`, { key })).body.data;
    expect(job).toMatchObject({
      ...{ resourceType: "lake_integration_maintenance", resourceId: lakeId, kind: "full", nextRunAt: made.nextRunAt },
      schedule: { cron: "30 3 * * 0", timezone: "Europe/Berlin" },
    });
    const schedule = { cron: "0 5 * * *", timezone: "UTC" };
    await call("PATCH", `${JOBS}/${made.jobId}`, { key, body: { schedule, enabled: false, timeoutSeconds: 7_200 } });
    expect((await get()).body.data).toMatchObject({ ...schedule, enabled: false, nextRunAt: null });
    const replaced = (await put({ cron: "15 4 * * 1" })).body.data;
    expect(replaced).toMatchObject({ jobId: made.jobId, cron: "15 4 * * 1", timezone: "UTC", enabled: true });
    const after = (await call("GET", `${JOBS}/${made.jobId}`, { key })).body.data;
    expect(after).toMatchObject({ nextRunAt: replaced.nextRunAt, timeoutSeconds: 7_200 });
    await call("PATCH", `${JOBS}/${made.jobId}`, { key, body: { schedule: null } });
    expect((await get()).status).toBe(404);
    expect((await call("GET", `${LAKE}/schedules`, { key })).body.data).toMatchObject({ total: 0, items: [] });
    const adopted = await put({ cron: "30 3 * * 0" });
    expect([adopted.status, adopted.body.message]).toEqual([409, expect.stringContaining(made.jobId)]);
    await call("PATCH", `${JOBS}/${made.jobId}`, { key, body: { schedule: { cron: "30 3 * * 0" } } });
    expect((await get()).body.data).toMatchObject({ jobId: made.jobId, cron: "30 3 * * 0" });
    expect(await audited()).toEqual([
      "automation_job.create",
      "automation_job.update",
      "automation_job.update",
      "automation_job.update",
      "automation_job.update",
    ]);
  });

  it("goes with its job, and the job with it", async () => {
    const { put, get, key, path } = await newSchedules();
    const { jobId } = (await put({})).body.data;
    expect((await call("DELETE", path, { key })).status).toBe(204);
    expect((await call("GET", `${JOBS}/${jobId}`, { key })).status).toBe(404);
    expect((await call("DELETE", path, { key })).status).toBe(404);
    const again = (await put({})).body.data.jobId;
    expect((await call("DELETE", `${JOBS}/${again}`, { key })).status).toBe(204);
    expect((await get()).status).toBe(404);
  });

  it("of each kind is one of its own", async () => {
    const { put, get, key, team } = await newSchedules();
    const full = (await put({})).body.data;
    const daily = (await put({}, "?kind=daily")).body.data;
    expect(full.jobId).not.toBe(daily.jobId);
    expect((await get("?kind=daily")).body.data).toMatchObject({ jobId: daily.jobId, kind: "daily" });
    const listed = (await call("GET", `${LAKE}/schedules`, { key })).body.data;
    expect(listed).toMatchObject({ total: 2, items: [{ jobId: full.jobId }, { jobId: daily.jobId }] });
    const stranger = await newTeam();
    expect((await call("GET", `${LAKE}/schedules`, { key: stranger.admin.key })).body.data.total).toBe(0);
    expect(team.id).not.toBe(stranger.id);
    expect((await get("?kind=hourly")).status).toBe(422);
  });

  it("that another change has come before is refused: 409, and nothing of it is kept", async () => {
    const { put, get, team, lakeId, audited } = await newSchedules();
    const scope = scopeOf(team.id, team.admin.id, false);
    const set = (cron: string, db: Db) =>
      setMaintenanceSchedule({ scope, db }, lakeId, "full", { cron, timezone: "UTC", enabled: true });
    const conflict = { code: "resource_conflict" };
    await expect(
      set(
        "0 1 * * *",
        overtakenBy(() => put({ cron: "0 2 * * *" })),
      ),
    ).rejects.toMatchObject(conflict);
    expect((await get()).body.data).toMatchObject({ cron: "0 2 * * *" });
    await expect(
      set(
        "0 3 * * *",
        overtakenBy(() => put({ cron: "0 4 * * *" })),
      ),
    ).rejects.toMatchObject(conflict);
    expect((await get()).body.data).toMatchObject({ cron: "0 4 * * *" });
    expect(await audited()).toEqual(["automation_job.create", "automation_job.update"]);
  });

  it("that can't be is refused with the reason, and nothing is kept of it", async () => {
    const { put, get, path, key } = await newSchedules();
    for (const body of [
      { cron: "0 0 31 2 *" },
      { cron: "* * *" },
      { cron: "0 1 * * *", timezone: "+02:00" },
      { at: 1 },
    ])
      expect([body, (await put(body)).status]).toEqual([body, 422]);
    expect((await call("PUT", path, { key })).body.message).toMatch(/Send a body/);
    expect((await put({ cron: "* * *" })).body.error.flaws).toMatchObject([{ pointer: "/cron" }]);
    expect((await put({ timezone: "Mars" })).body.error.flaws).toMatchObject([{ pointer: "/timezone" }]);
    expect((await get()).status).toBe(404);
  });

  it("is no other team's, but an operator may set it for any lake", async () => {
    const { put, get, team } = await newSchedules();
    const [stranger, operator] = [await newTeam(), await newOperator()];
    expect((await put({}, "", stranger.admin.key)).status).toBe(404);
    expect((await put({}, "", team.member.key)).status).toBe(403);
    expect((await put({ cron: "0 1 * * *" }, "", operator.admin.key)).status).toBe(200);
    expect((await get()).body.data).toMatchObject({ cron: "0 1 * * *" });
  });

  it("that an operator has set runs in the lake's team as long as they are one", async () => {
    const { put, get, team, key } = await newSchedules();
    const [engine, operator] = [newEngine(), await newOperator()];
    const { jobId } = (await put({}, "", operator.admin.key)).body.data;
    const process = async (query = "") =>
      (await engine.ask("POST", `${JOBS}/${jobId}/process${query}`, key, {})).body.data;
    expect((await process("?dryRun=true")).plan.notes).toEqual([]);
    const run = await process();
    expect(run).toMatchObject({ state: "running", attempt: 1, error: null });
    await engine.report(run.engineJobId, progressOf(), {});
    await engine.step(team.id, run.id, 60_000);
    expect((await get()).body.data.lastRun).toMatchObject({ id: run.id, state: "succeeded" });

    await env.DB.prepare("update users set is_operator = 0 where id = ?").bind(operator.admin.id).run();
    const reason = expect.stringMatching(/owner is not in the team any more/);
    expect((await process("?dryRun=true")).plan.notes).toEqual([reason]);
    expect(await process()).toMatchObject({ state: "failed", error: reason });
    expect(engine.jobs.size).toBe(0);
  });
});

describe("without a cron", () => {
  it("a lake's own minute is taken, once a week or a day", () => {
    const DAY = 86_400_000;
    for (let lake = 0; lake < 200; lake++) {
      for (const [kind, ms] of [
        ["full", 7 * DAY],
        ["daily", DAY],
      ] as const) {
        const parsed = parseCron(defaultCron(kind, `lake ${lake}`), "UTC");
        if ("reason" in parsed) throw new Error(parsed.reason);
        const first = parsed.next(new Date(0))!;
        expect(parsed.next(first)!.getTime() - first.getTime()).toBe(ms);
      }
    }
  });

  it("lakes are spread over the hours and the days of the week", () => {
    const fields = Array.from({ length: 2_000 }, (_, lake) => defaultCron("full", `lake ${lake}`).split(" "));
    for (const [at, values] of [
      [1, 24],
      [4, 7],
    ] as const) {
      const counts = new Map<string, number>();
      for (const parts of fields) counts.set(parts[at]!, (counts.get(parts[at]!) ?? 0) + 1);
      expect(counts.size).toBe(values);
      expect(Math.max(...counts.values())).toBeLessThan((2 * fields.length) / values);
    }
  });
});

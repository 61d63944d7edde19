import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { insertLakeStatements, planLake } from "../../../../src/features/integrations/add-lake.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newEngine, progressOf } from "./fake-engine.ts";
import { newLakeTeam, newOperator } from "./lakes.ts";

const right = { right: "platform:operate" as const };
const strange = (method: string, rest: string) => (key: string | undefined) =>
  call(method, `/v4/admin/teams/${newId()}/maintenance${rest}`, { key });
refusesStrangers("runTeamMaintenance", strange("POST", ""), right);
refusesStrangers("getTeamMaintenance", strange("GET", ""), right);
refusesStrangers("listTeamMaintenanceLogs", strange("GET", "/job-logs/x"), right);
refusesStrangers("listLastFailedTeamMaintenanceLogs", strange("GET", "/job-logs/last-failed"), right);

/** A team of two lakes, and an operator. */
async function newTwoLakes() {
  const { team, lakeId } = await newLakeTeam();
  const db = openDb(env.DB);
  const second = planLake({ teamId: team.id, name: "Second", isDefault: false, now: new Date(Date.now() + 1) });
  await db.batch(insertLakeStatements(db, second));
  const operator = await newOperator();
  const engine = newEngine();
  const ask = (method: string, rest = "", body?: unknown) =>
    engine.ask(method, `/v4/admin/teams/${team.id}/maintenance${rest}`, operator.admin.key, body);
  return { team, operator, engine, ask, lakes: [lakeId, second.id] as const };
}

describe("the maintenance of a team", () => {
  it("is that of each of its lakes, each with its ids", async () => {
    const { ask, lakes, engine, team } = await newTwoLakes();
    expect((await ask("GET")).status).toBe(404);
    const { status, body } = await ask("POST", "", { kind: "daily" });
    expect([status, body.data]).toMatchObject([
      202,
      {
        teamId: team.id,
        maintenances: lakes.map((integrationId) => ({ integrationId, kind: "daily", state: "running", plan: null })),
      },
    ]);
    expect([...engine.jobs.keys()]).toEqual(
      body.data.maintenances.map(({ engineJobId }: { engineJobId: string }) => engineJobId),
    );
    const shown = (await ask("GET")).body.data;
    expect(shown.items.map(({ integrationId }: { integrationId: string }) => integrationId).sort()).toEqual(
      [...lakes].sort(),
    );
    expect((await ask("GET", "?limit=1&offset=1")).body.data).toMatchObject({ total: 2, items: [{}] });
  });

  it("is refused where one of them is being maintained, which it names, and begins none", async () => {
    const { ask, lakes, engine, team } = await newTwoLakes();
    const first = await engine.ask("POST", `/v4/admin/lake/maintenance/${lakes[1]}`, team.admin.key);
    const { maintenanceId } = first.body.data;
    const refused = await ask("POST");
    expect(refused).toMatchObject({ status: 409, body: { error: { conflictsWith: [maintenanceId] } } });
    expect(refused.body.message).toContain(lakes[1]);
    expect(engine.jobs.size).toBe(1);
  });

  it("as a dry run plans each lake and keeps nothing", async () => {
    const { ask, lakes, engine } = await newTwoLakes();
    const { data } = (await ask("POST", "", { dryRun: true })).body;
    expect(data.maintenances).toMatchObject(
      lakes.map((integrationId) => ({ integrationId, plan: { merge: { tables: 0 } } })),
    );
    expect(engine.jobs.size).toBe(0);
    expect((await ask("GET")).status).toBe(404);
  });

  it("has the logs of all its lakes", async () => {
    const { ask, engine, team } = await newTwoLakes();
    const [one, two] = (await ask("POST")).body.data.maintenances;
    expect((await ask("GET", "/job-logs/last-failed")).status).toBe(404);
    await engine.report(two.engineJobId, progressOf(), { outcome: "failed", error: "Broken.", retryable: false });
    await engine.step(team.id, two.maintenanceId, 60_000);
    expect((await ask("GET", "/job-logs/last-failed")).body.data).toMatchObject({ maintenanceId: two.maintenanceId });
    expect((await ask("GET", `/job-logs/${one.engineJobId}`)).body.data).toMatchObject({
      maintenanceId: one.maintenanceId,
    });
    const other = await newTwoLakes();
    expect((await other.ask("GET", `/job-logs/${one.engineJobId}`)).status).toBe(404);
  });

  it("of no team, or of one without lakes, is 404", async () => {
    const { operator, team, ask, engine } = await newTwoLakes();
    const path = `/v4/admin/teams/${newId()}/maintenance`;
    expect((await engine.ask("POST", path, operator.admin.key)).status).toBe(404);
    await env.DB.prepare("delete from integrations where team_id = ?").bind(team.id).run();
    expect([(await ask("POST")).status, (await ask("GET")).status]).toEqual([404, 404]);
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";
const remove = (key: string | undefined, id: string) => call("DELETE", `${PATH}/${id}`, { key });
const addLake = async ({ admin }: TestTeam): Promise<string> =>
  (await call("POST", PATH, { key: admin.key, body: { type: "lake", credentials: {} } })).body.integration.id;
const audited = async (teamId: string) =>
  (
    await env.DB.prepare("SELECT subject_id FROM audit_events WHERE team_id = ? AND action = 'integration.delete'")
      .bind(teamId)
      .all<{ subject_id: string }>()
  ).results.map((row) => row.subject_id);

refusesStrangers("deleteIntegration", (key) => remove(key, crypto.randomUUID()), { right: "integrations:write" });
refusesStrangers("getIntegration", (key) => call("GET", `${PATH}/${crypto.randomUUID()}`, { key }), {
  right: "integrations:read",
});

describe("deleteIntegration", () => {
  it("takes the row and its credentials away, once", async () => {
    const team = await newTeam();
    const id = await addPostgres(team);
    expect((await remove(team.admin.key, id)).status).toBe(204);
    expect((await call("GET", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(404);
    expect((await remove(team.admin.key, id)).status).toBe(404);
    expect(await env.DB.prepare("SELECT 1 FROM integrations WHERE id = ?").bind(id).first()).toBeNull();
    expect(await audited(team.id)).toEqual([id]);
  });

  it("is done and audited once when asked for twice at once", async () => {
    const team = await newTeam();
    const id = await addLake(team);
    const answers = await Promise.all([remove(team.admin.key, id), remove(team.admin.key, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await audited(team.id)).toEqual([id]);
  });

  it("keeps the team's own lake", async () => {
    const { admin } = await newTeam();
    const [lake] = (await call("GET", PATH, { key: admin.key })).body.data;
    expect(await remove(admin.key, lake.id)).toMatchObject({
      status: 409,
      body: { error: { code: "resource_conflict" } },
    });
    expect((await call("GET", `${PATH}/${lake.id}`, { key: admin.key })).status).toBe(200);
  });

  it("answers another team's integration, and what is no id, as a missing one", async () => {
    const [ours, theirs] = [await newTeam(), await newTeam()];
    const foreign = await addLake(theirs);
    for (const id of [foreign, crypto.randomUUID(), "x"]) {
      for (const answer of [
        await remove(ours.admin.key, id),
        await call("GET", `${PATH}/${id}`, { key: ours.admin.key }),
        await call("POST", `${PATH}/${id}/test`, { key: ours.admin.key }),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { message: `Integration ${id} was not found.` } });
      }
    }
    expect((await call("GET", `${PATH}/${foreign}`, { key: theirs.admin.key })).status).toBe(200);
  });
});

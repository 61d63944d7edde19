// Integrations of type cube: what they may lie on, and that it stays beneath them.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";
const create = ({ admin }: TestTeam, body: unknown) => call("POST", PATH, { key: admin.key, body });
const addLake = async (team: TestTeam): Promise<string> => (await create(team, { type: "lake" })).body.integration.id;
const layOn = (team: TestTeam, integrationId: string, more: object = {}) =>
  create(team, { type: "cube", credentials: { integration_id: integrationId }, ...more });
const remove = ({ admin }: TestTeam, id: string) => call("DELETE", `${PATH}/${id}`, { key: admin.key });
const ownLake = async ({ admin }: TestTeam): Promise<{ id: string; name: string }> =>
  (await call("GET", PATH, { key: admin.key })).body.data[0];
const rowsOf = async (teamId: string) =>
  (await env.DB.prepare("select id, type, details from integrations where team_id = ?").bind(teamId).all()).results;

describe("createIntegration of type cube", () => {
  it("lies on the team's own lake, and shows what it lies on", async () => {
    const team = await newTeam();
    const lake = await ownLake(team);
    const { status, body } = await layOn(team, lake.id.toUpperCase());
    expect(status).toBe(201);
    const name = `Semantic model: ${lake.name}`;
    expect(body).toMatchObject({
      warnings: [],
      integration: { type: "cube", name, category: "source", details: { integration_id: lake.id, name, type: "cube" } },
    });
    const { integration } = body;
    expect((await call("GET", `${PATH}?type=cube`, { key: team.member.key })).body.data).toEqual([integration]);
    const event = await env.DB.prepare(
      "select after from audit_events where team_id = ? and action = 'integration.create' and subject_id = ?",
    )
      .bind(team.id, integration.id)
      .first<{ after: string }>();
    expect(JSON.parse(event!.after)).toEqual({ name, type: "cube", integration_id: lake.id });
    expect(await layOn(team, lake.id)).toMatchObject({ status: 201, body: { integration: { name: `${name} (2)` } } });
    expect(await layOn(team, lake.id, { name: name.toUpperCase() })).toMatchObject({ status: 409 });
  });

  it("answers another team's integration as a missing one, and lies on no model", async () => {
    const [ours, theirs] = [await newTeam(), await newTeam()];
    const { id: cube } = (await layOn(ours, (await ownLake(ours)).id)).body.integration;
    for (const [id, message] of [
      [(await ownLake(theirs)).id, "was not found"],
      [crypto.randomUUID(), "was not found"],
      ["default", "was not found"],
      [cube, "not on an integration of type cube"],
    ]) {
      const { status, body } = await layOn(ours, id!);
      expect(status).toBe(422);
      expect(body.error.flaws).toEqual([
        { pointer: "/credentials/integration_id", message: expect.stringContaining(message!) },
      ]);
    }
    expect(await rowsOf(theirs.id)).toHaveLength(1);
  });

  it("is tested by what it lies on, and makes no lake of its own by it", async () => {
    const team = await newTeam();
    const { id } = (await layOn(team, await addLake(team))).body.integration;
    const { status, body } = await call("POST", `${PATH}/${id}/test`, { key: team.admin.key });
    expect(status).toBe(200);
    expect(body.connection.product).toBe("DuckLake");
  });

  it("can be renamed, and stays on what it was made for", async () => {
    const team = await newTeam();
    const lake = await addLake(team);
    const { id } = (await layOn(team, lake)).body.integration;
    const patch = (body: unknown) => call("PATCH", `${PATH}/${id}`, { key: team.admin.key, body });
    expect(await patch({ name: "Sales" })).toMatchObject({
      status: 200,
      body: { integration: { name: "Sales", details: { integration_id: lake, name: "Sales" } } },
    });
    expect(await patch({ credentials: { integration_id: (await ownLake(team)).id } })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/credentials" }] } },
    });
    expect((await call("GET", `${PATH}/${id}`, { key: team.admin.key })).body.integration.details.integration_id).toBe(
      lake,
    );
  });

  it("is no lake, and nothing is synced from it or into it", async () => {
    const team = await newTeam();
    const { key } = team.admin;
    const { id } = (await layOn(team, (await ownLake(team)).id)).body.integration;
    expect((await call("GET", `/v4/catalog/integrations/${id}/tables`, { key })).status).toBe(404);
    expect((await call("POST", `${PATH}/${id}/sample`, { key, body: {} })).status).toBe(422);
    const sync = { tables: ["t"], dest_schema: "s", schedule: "manual" };
    expect((await call("POST", `${PATH}/${id}/sync`, { key, body: sync })).status).toBe(422);
  });
});

describe("a role's grant", () => {
  it("is of what a semantic model lies on, not of the model", async () => {
    const team = await newTeam();
    const { id: lake } = await ownLake(team);
    const { id } = (await layOn(team, lake)).body.integration;
    const grant = (integration_id: string) =>
      call("POST", "/v4/data-access/roles", {
        key: team.admin.key,
        body: { name: crypto.randomUUID(), grants: [{ integration_id, schema: "sample", table: "*" }] },
      });
    expect((await grant(lake)).status).toBe(201);
    const { status, body } = await grant(id);
    expect(status).toBe(422);
    expect(body.error.flaws).toEqual([
      {
        pointer: "/grants/0/integration_id",
        message: expect.stringContaining("grant those of the integration it lies on"),
      },
    ]);
  });
});

describe("deleteIntegration beneath a semantic model", () => {
  it("is refused with the models' names until they are gone, and leaves the lake as it was", async () => {
    const team = await newTeam();
    const lake = await addLake(team);
    const cubes = [];
    for (const name of ["Sales", "Support"]) cubes.push((await layOn(team, lake, { name })).body.integration.id);
    const { status, body } = await remove(team, lake);
    expect(status).toBe(409);
    expect(body.message).toContain(`Sales (${cubes[0]}), Support (${cubes[1]})`);
    expect(body.error.conflictsWith).toEqual(cubes);
    const removals = "select count(*) as n from lake_removals where team_id = ?";
    expect(await env.DB.prepare(removals).bind(team.id).first("n")).toBe(0);
    for (const id of cubes) expect((await remove(team, id)).status).toBe(204);
    expect((await remove(team, lake)).status).toBe(204);
  });

  it("never leaves a model without what it lies on, whichever of both comes first", async () => {
    const team = await newTeam();
    for (let round = 0; round < 8; round++) {
      const lake = await addLake(team);
      const [laid, removed, laidToo] = await Promise.all([layOn(team, lake), remove(team, lake), layOn(team, lake)]);
      const made = [laid, laidToo].filter(({ status }) => status === 201);
      expect([laid.status, laidToo.status].every((status) => [201, 422].includes(status))).toBe(true);
      expect(removed.status).toBe(made.length > 0 ? 409 : 204);
    }
    const rows = await rowsOf(team.id);
    const ids = rows.map(({ id }) => id);
    for (const { type, details } of rows)
      if (type === "cube") expect(ids).toContain(JSON.parse(details as string).integration_id);
  });
});

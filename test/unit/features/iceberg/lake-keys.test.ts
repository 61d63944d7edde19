// The key by which a team's own engine reads one lake, and can do nothing else.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openDb } from "../../../../src/platform/db/client.ts";
import { createKey } from "../../../../src/features/teams/keys/create.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newIcebergLake, type IcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";
import { addCluster, addLakeKey } from "../../../support/unit/iceberg/clusters.ts";

const PATH = "/v1/api/integrations";
const keyPath = (id: string) => `${PATH}/${id}/lake_key`;
const SOME = crypto.randomUUID();
const right = "integrations:write" as const;
refusesStrangers("createLakeKey", (key) => call("POST", keyPath(SOME), { key }), { right });
refusesStrangers("deleteLakeKey", (key) => call("DELETE", keyPath(SOME), { key }), { right });

let lake: IcebergLake;
let cluster: string;
beforeAll(async () => {
  lake = await newIcebergLake();
  cluster = await addCluster(lake.team.admin.key, lake.lakeId);
});
const mint = (id = cluster) => addLakeKey(lake.team.admin.key, id);
const reads = async (key: string, path = "/main/tables/t", warehouse = lake.lakeId) =>
  (await lake.ask(path, { key, warehouse })).status;

describe("the key of a cluster", () => {
  it("reads its lake's tables by the catalog, with a credential of each one's folder", async () => {
    const key = await mint();
    expect(await reads(key, "")).toBe(200);
    expect(await reads(key, "/main/tables")).toBe(200);
    expect((await lake.load("t", { key }))["storage-credentials"]).toHaveLength(1);
    expect(await reads(key, "/main/tables/t", `${lake.lakeId}:spark`)).toBe(200);
    const config = await call("GET", "/iceberg/v1/config", { key });
    expect(config.body.overrides).toEqual({ prefix: lake.lakeId });
  });

  it("knows no other lake, neither the team's nor another's", async () => {
    const { admin } = lake.team;
    const other = await call("POST", PATH, { key: admin.key, body: { type: "lake", credentials: {} } });
    const foreign = await newIcebergLake();
    const key = await mint();
    for (const id of [other.body.integration.id, foreign.lakeId, crypto.randomUUID()]) {
      expect(await reads(key, "", id)).toBe(404);
      expect(await reads(key, "/main/tables/t", id)).toBe(404);
      expect((await call("GET", `/iceberg/v1/config?warehouse=${id}`, { key })).status).toBe(404);
    }
  });

  it("of another lake than the team's own names that one where a client names none", async () => {
    const { admin } = lake.team;
    const other = await call("POST", PATH, { key: admin.key, body: { type: "lake", credentials: {} } });
    const id = other.body.integration.id as string;
    const key = await mint(await addCluster(admin.key, id));
    expect((await call("GET", "/iceberg/v1/config", { key })).body.overrides).toEqual({ prefix: id });
    expect(await reads(key, "")).toBe(404);
  });

  it.each([
    ["POST", "/v1/query", { sql: "SELECT 1" }],
    ["GET", "/v4/me", undefined],
    ["GET", PATH, undefined],
    ["POST", "/mcp", {}],
  ])("is refused %s %s", async (method, path, body) => {
    const { status } = await call(method, path, { key: await mint(), ...(body && { body }) });
    expect(status).toBe(403);
  });

  it("is dead the moment another is made in its place", async () => {
    const first = await mint();
    expect(await reads(first)).toBe(200);
    const second = await mint();
    expect([await reads(first), await reads(second)]).toEqual([401, 200]);
  });

  it("is dead the moment it is revoked, which happens once", async () => {
    const { admin } = lake.team;
    const key = await mint();
    expect(await reads(key)).toBe(200);
    expect((await call("DELETE", keyPath(cluster), { key: admin.key })).status).toBe(204);
    expect(await reads(key)).toBe(401);
    expect((await call("DELETE", keyPath(cluster), { key: admin.key })).status).toBe(404);
  });

  it("dies with its integration, and leaves that of another cluster of the lake", async () => {
    const { admin } = lake.team;
    const [one, two] = [await addCluster(admin.key, lake.lakeId), await addCluster(admin.key, lake.lakeId)];
    const keys = [await mint(one), await mint(two)] as const;
    expect((await call("DELETE", `${PATH}/${one}`, { key: admin.key })).status).toBe(204);
    expect([await reads(keys[0]), await reads(keys[1])]).toEqual([401, 200]);
    expect(await env.DB.prepare("select 1 from lake_keys where integration_id = ?").bind(one).first()).toBeNull();
  });

  it("dies with who made it, and reads what they may read", async () => {
    const maker = await lake.team.newMember("admin");
    const id = await addCluster(maker.key, lake.lakeId);
    const key = await addLakeKey(maker.key, id);
    expect(await reads(key)).toBe(200);
    expect((await call("DELETE", `/v4/users/${maker.id}`, { key: lake.team.admin.key })).status).toBe(204);
    expect(await reads(key)).toBe(401);
  });

  it("is made for an integration of the team's own cluster alone", async () => {
    const stranger = await newTeam();
    for (const id of [cluster, lake.lakeId, "x"])
      expect((await call("POST", keyPath(id), { key: stranger.admin.key })).status).toBe(404);
    expect((await call("POST", keyPath(lake.lakeId), { key: lake.team.admin.key })).status).toBe(404);
  });

  it("is made by nobody whose own key may not read", async () => {
    const { team } = lake;
    const ctx = { db: openDb(env.DB), scope: scopeOf(team.id, team.admin.id, false) };
    const terms = { name: "narrow", expires_at: null, scopes: ["integrations:write" as const] };
    const { key } = await createKey(ctx, team.admin.id, terms);
    expect((await call("POST", keyPath(cluster), { key })).status).toBe(403);
  });

  it("is shown once, in a file that is ready, and audited without it", async () => {
    const { admin, id: teamId } = lake.team;
    const { body, headers } = await call("POST", keyPath(cluster), { key: admin.key });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.lake_properties).toContain(`iceberg.rest-catalog.oauth2.token=${body.key}\n`);
    expect(body.lake_properties).toContain(`iceberg.rest-catalog.warehouse=${lake.lakeId}\n`);
    expect(body.lake_properties).toMatch(/^s3\.endpoint=https?:\/\/\S+$/m);
    const { results } = await env.DB.prepare(
      "select after, action from audit_events where team_id = ? and subject_id = ?",
    )
      .bind(teamId, body.id)
      .all();
    expect(results.map(({ action }) => action)).toEqual(["lake_key.create"]);
    expect(JSON.stringify(results)).not.toContain(body.key.slice(-32));
    const shown = await call("GET", `${PATH}/${cluster}`, { key: admin.key });
    expect(JSON.stringify(shown.body)).not.toContain(body.key.slice(-32));
  });
});

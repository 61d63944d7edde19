// Publishing a dashboard: what may be published, by whom, at which version, and what is recorded of it.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { PUBLICATION_LIMITS } from "../../../../src/features/publications/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import {
  DASHBOARD,
  made,
  publishDashboard,
  tokenOf,
  uploadTilePage,
} from "../../../support/unit/endpoints/dashboards.ts";
import { GRANTS } from "../../../support/unit/endpoints/published.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/published-dashboards";
const nobody = `${PATH}/${crypto.randomUUID()}`;
const right = "endpoints:manage" as const;
refusesStrangers("createPublishedDashboard", (key) => call("POST", PATH, { key, body: {} }), { right });
refusesStrangers("updatePublishedDashboard", (key) => call("PATCH", nobody, { key, body: {} }), { right });
refusesStrangers("deletePublishedDashboard", (key) => call("DELETE", nobody, { key }), { right });
refusesStrangers("setPublishedDashboardSecret", (key) => call("POST", `${nobody}/secret`, { key }), { right });

let team: TestTeam;
let docId: string;
let roleId: string;
beforeAll(async () => {
  team = await newTeam();
  await uploadTilePage(team);
  docId = (await made("/v4/docs", team.admin.key, DASHBOARD)).id;
  roleId = await addRole(team, GRANTS, []);
});

const publishing = (more: object, key = team.admin.key) =>
  call("POST", PATH, { key, body: { name: "one", doc_id: docId, role_id: roleId, ...more } });
const flaws = async (more: object) => {
  const { status, body } = await publishing(more);
  return [status, body.error?.flaws.map(({ pointer }: { pointer: string }) => pointer)];
};
const docOf = async (doc: object) => (await made("/v4/docs", team.admin.key, { ...DASHBOARD, ...doc })).id as string;

describe("createPublishedDashboard", () => {
  it("publishes a dashboard alone, of the team, that is there and draws something", async () => {
    const pipeline = await docOf({ kind: "pipeline" });
    const empty = await docOf({ layout: { columns: 36 }, filters: [] });
    const archived = await docOf({});
    await call("DELETE", `/v4/docs/${archived}`, { key: team.admin.key });
    const other = await publishDashboard(await newTeam());
    for (const doc_id of [crypto.randomUUID(), other.docId, pipeline, empty, archived])
      expect(await flaws({ doc_id })).toEqual([422, ["/doc_id"]]);
    expect(await flaws({ doc_version: 2 })).toEqual([422, ["/doc_version"]]);
    expect(await flaws({ role_id: other.roleId })).toEqual([422, ["/role_id"]]);
  });

  it("publishes no tile whose file is not in the drive, or is too large", async () => {
    const tile = (driveFile: string) => ({ id: "a", type: "html", driveFile, x: 0, y: 0, w: 9, h: 8 });
    const doc = (driveFile: string) => docOf({ filters: [], layout: { tiles: [tile(driveFile)] } });
    expect(await flaws({ doc_id: await doc("nowhere.html") })).toEqual([422, ["/doc_id"]]);
    const path = `${team.id}/drive/large.html`;
    await env.BUCKET.put(path, "x".repeat(PUBLICATION_LIMITS.contentBytesMax + 1));
    expect(await flaws({ doc_id: await doc("large.html") })).toEqual([422, ["/doc_id"]]);
  });

  it("opens no parameter that no dataset has", async () => {
    expect(await flaws({ open_parameters: ["least", "nowhere"] })).toEqual([422, ["/open_parameters/1"]]);
  });

  it("is an admin's, whose key may query and read docs", async () => {
    const keyWith = async (...scopes: string[]) =>
      (await made(`/v4/users/${team.admin.id}/keys`, team.admin.key, { name: "k", scopes })).key as string;
    expect((await publishing({}, await keyWith(right, "docs:read"))).status).toBe(403);
    expect((await publishing({}, await keyWith(right, "query"))).status).toBe(403);
    // The right drive, since one of the tiles shows a file of it.
    expect((await publishing({}, await keyWith(right, "query", "docs:read"))).status).toBe(403);
    expect((await publishing({ name: "scoped" }, await keyWith(right, "query", "docs:read", "drive"))).status).toBe(
      201,
    );
  });

  it("takes for the pages that may frame it https origins, and http of this machine alone", async () => {
    const good = ["https://portal.example.com", "https://a.example:8443", "http://localhost:3000", "http://[::1]"];
    const answer = await publishing({ name: "framed", frame_ancestors: [...good, "http://127.0.0.1:80"] });
    expect(answer.status).toBe(422);
    expect((await publishing({ name: "framed", frame_ancestors: good })).body.data.frame_ancestors).toEqual(good);
    for (const bad of [
      "http://portal.example.com",
      "https://portal.example.com/",
      "https://portal.example.com/path",
      "https://*.example.com",
      "https://Portal.example.com",
      "https://user@portal.example.com",
      "https://portal.example.com;script-src",
      "https://portal.example.com https://other.example",
      "https://portal.example.com'",
      "https://portal.example.com:443",
      "javascript:alert(1)",
      "data:text/html,x",
      "http://localhost.example.com",
      "*",
      "'self'",
      "null",
      "",
    ])
      expect(await flaws({ frame_ancestors: [bad] }), bad).toEqual([422, ["/frame_ancestors/0"]]);
    expect(await flaws({ frame_ancestors: [good[0], good[0]] })).toEqual([422, ["/frame_ancestors"]]);
  });

  it("refuses a query of the semantic layer with a parameter's place, which would be left out of it", async () => {
    const filters = [{ member: "orders.country", operator: "equals", values: [{ parameter: "country" }] }];
    const sales = { engine: "cube", measures: ["orders.count"], filters };
    const tiles = [{ id: "one", type: "table", source: "sales", x: 0, y: 0, w: 9, h: 8 }];
    const doc_id = await docOf({ datasets: { sales }, filters: [], layout: { tiles } });
    expect(await flaws({ doc_id })).toEqual([422, ["/doc_id"]]);
  });

  it("has its names beside those of endpoints, each once", async () => {
    const { id } = await made("/v4/queries", team.admin.key, { name: "One", sql: "SELECT 1" });
    const endpoint = { name: "same", query_id: id, role_id: roleId };
    await made("/v4/endpoints", team.admin.key, endpoint);
    const { body } = await publishing({ name: "same" });
    expect(body.data).toMatchObject({ name: "same", path: `/v1/dashboards/${team.id}/same`, doc_id: docId });
    expect((await publishing({ name: "same" })).status).toBe(409);
    for (const path of [`/v4/endpoints/${body.data.id}`, `${PATH}/${crypto.randomUUID()}`])
      expect((await call("GET", path, { key: team.admin.key })).status).toBe(404);
    const list = (await call("GET", "/v4/endpoints", { key: team.admin.key })).body.data.items as { id: string }[];
    expect(list.map((each) => each.id)).not.toContain(body.data.id);
  });
});

describe("updatePublishedDashboard", () => {
  it("publishes another version when it is told to, and none before", async () => {
    const own = await publishDashboard(await newTeam());
    const { key } = own.team.admin;
    const token = await tokenOf(own);
    const title = async () => {
      const { body } = await call("GET", own.path, { key: token });
      return [body.title, body.version];
    };
    const body = { ...DASHBOARD, metadata: { name: "Renamed" } };
    expect((await call("PUT", `/v4/docs/${own.docId}`, { key, body })).status).toBe(200);
    expect(await title()).toEqual(["Orders", 1]);
    const patch = { doc_version: 2, open_parameters: ["country"] };
    const changed = await call("PATCH", `${PATH}/${own.id}`, { key, body: patch });
    expect(changed.body.data).toMatchObject({ doc_version: 2, open_parameters: ["country"], doc_id: own.docId });
    expect(await title()).toEqual(["Renamed", 2]);
  });

  it("refuses a version that lacks a parameter which is open", async () => {
    const own = await publishDashboard(await newTeam(), { open_parameters: ["least"] });
    const { key } = own.team.admin;
    const { orders, ...rest } = DASHBOARD.datasets;
    const datasets = { ...rest, orders: { ...orders, sql: "SELECT 1", parameters: {} } };
    expect((await call("PUT", `/v4/docs/${own.docId}`, { key, body: { ...DASHBOARD, datasets } })).status).toBe(200);
    const answer = await call("PATCH", `${PATH}/${own.id}`, { key, body: { doc_version: 2 } });
    expect([answer.status, answer.body.error.flaws[0].pointer]).toEqual([422, "/open_parameters/0"]);
  });
});

it("is in the audit log from its publishing to its end, without its secret and what is asked", async () => {
  const own = await publishDashboard(await newTeam(), { name: "audited" });
  const { key } = own.team.admin;
  const frame_ancestors = ["https://portal.example.com"];
  await call("PATCH", `${PATH}/${own.id}`, { key, body: { frame_ancestors } });
  await call("DELETE", `${PATH}/${own.id}`, { key });
  const { results } = await env.DB.prepare(
    'select action, "before", "after" from audit_events where subject_id = ? order by at, rowid',
  )
    .bind(own.id)
    .all<{ action: string; before: string | null; after: string | null }>();
  expect(results.map(({ action }) => action)).toEqual([
    ...["published_dashboard.create", "published_dashboard_secret.set"],
    ...["published_dashboard.update", "published_dashboard.delete"],
  ]);
  expect(JSON.parse(results[2]!.after!)).toEqual({ frame_ancestors });
  expect(JSON.stringify(results)).not.toMatch(/fjs_|SELECT/);
});

// A team's own Trino as an integration.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callWith } from "../../../support/unit/call-with.ts";
import { addLake, addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { newIcebergLake, type IcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";
import { recordingEngine } from "../../../support/unit/query/recording-engine.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { addCluster, CLUSTER, newTrino } from "../../../support/unit/iceberg/clusters.ts";

const PATH = "/v1/api/integrations";
/** Whether it can be read is for the engine to say. */
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

let lake: IcebergLake;
let key: string;
beforeAll(async () => {
  lake = await newIcebergLake();
  key = lake.team.admin.key;
});
const create = (body: object) => call("POST", PATH, { key, body });
const patch = (id: string, body: object) => call("PATCH", `${PATH}/${id}`, { key, body });

describe("createIntegration of a team's own Trino", () => {
  it("keeps it without a connection, and says what is to be done", async () => {
    const { status, body } = await create(newTrino(lake.lakeId.toUpperCase(), { route: { above_bytes: 5 } }));
    expect([status, body.warnings]).toEqual([201, [expect.stringContaining("lake_key")]]);
    expect(body.integration).toMatchObject({ type: "trino", category: "destination", is_default: false });
    expect(body.integration.details).toEqual({
      ...{ name: "trino: trino.example.com:8443", type: "trino" },
      ...{ url: CLUSTER.url, username: "fjord", catalog: "lake", lake_id: lake.lakeId },
      ...{ above_bytes: "5", after_memory_failure: "false" },
    });
    expect(JSON.stringify(body)).not.toContain(CLUSTER.password);
  });

  it("seals its credentials, and audits none of its secrets", async () => {
    const id = await addCluster(key, lake.lakeId);
    const row = await env.DB.prepare("select sealed_credentials, details from integrations where id = ?")
      .bind(id)
      .first();
    const audit = await env.DB.prepare("select * from audit_events where subject_id = ?").bind(id).all();
    expect(JSON.stringify([row, audit.results])).not.toContain(CLUSTER.password);
    expect(row!["sealed_credentials"]).toMatch(/./);
  });

  it.each([
    ["another team's lake", async () => (await newIcebergLake()).lakeId],
    ["no lake", async () => addCluster(key, lake.lakeId)],
    ["what is not there", async () => crypto.randomUUID()],
    ["what is no id", async () => "lake"],
  ])("is refused with %s", async (_, lakeOf) => {
    const { status, body } = await create(newTrino(await lakeOf()));
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/lake_id"]);
  });

  it.each([
    ["http://trino.example.com", "https://"],
    ["http://10.0.0.1", "https://"],
    ["ftp://trino.example.com", "https://"],
    ["https://a:b@trino.example.com", "apart"],
    ["https://trino.example.com/v1/statement", "without a path"],
    ["https://trino.example.com/?a=1", "without a path"],
    ["https://trino.example.com/#a", "without a path"],
    ["trino.example.com", "whole URL"],
    ["", ""],
  ])("refuses the URL %j", async (url, words) => {
    const { status, body } = await create(newTrino(lake.lakeId, { credentials: { ...CLUSTER, url } }));
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/credentials/url"]);
    expect(body.error.flaws[0].message).toContain(words);
  });

  it.each([
    [{ token: "t" }, "/credentials/token"],
    [{ catalog: 'lake"; DROP' }, "/credentials/catalog"],
    [{ catalog: "Lake" }, "/credentials/catalog"],
    [{ username: "a\r\nX-Trino-User: b" }, "/credentials/username"],
    [{ username: "a:b" }, "/credentials/username"],
    [{ password: undefined, token: "a\nb" }, "/credentials/token"],
    [{ role: "admin" }, "/credentials/role"],
    [{ sslrootcert: "no certificate" }, "/credentials/sslrootcert"],
  ])("refuses credentials with %j", async (more, pointer) => {
    const { status, body } = await create(newTrino(lake.lakeId, { credentials: { ...CLUSTER, ...more } }));
    expect(status).toBe(422);
    expect(JSON.stringify(body.error.flaws)).toContain(pointer);
  });

  it.each([{ above_bytes: -1 }, { above_bytes: 1.5 }, { after: true }])("refuses the route %j", async (route) => {
    expect((await create(newTrino(lake.lakeId, { route }))).status).toBe(422);
  });
});

describe("an integration of a team's own Trino", () => {
  it("shows nothing but its name to whom roles grant nothing of its lake", async () => {
    const fresh = await newIcebergLake();
    const id = await addCluster(fresh.team.admin.key, fresh.lakeId);
    const shown = async () => (await call("GET", `${PATH}/${id}`, { key: fresh.team.member.key })).body.integration;
    expect((await shown()).details).toMatchObject({ url: CLUSTER.url });
    const other = await addLake(fresh.team);
    await addRole(fresh.team, [{ integration_id: other, schema: "*" }], [fresh.team.member.id]);
    expect((await shown()).details).toEqual({ name: "trino: trino.example.com:8443", type: "trino" });
  });

  it.each([
    [{ token: "bearer" }, { url: "https://evil.example.com", password: null }, "token"],
    [{ token: "bearer" }, { sslrootcert: CERTIFICATE, password: null }, "token"],
    [{ password: CLUSTER.password }, { url: "https://evil.example.com", token: null }, "password"],
    [{ password: CLUSTER.password }, { sslrootcert: CERTIFICATE, token: null }, "password"],
  ])("with %j carries no secret to what %j changes", async (secret, change, pointer) => {
    const { password: _, ...rest } = CLUSTER;
    const id = await addCluster(key, lake.lakeId, { credentials: { ...rest, ...secret } });
    const { status, body } = await patch(id, { credentials: change });
    expect([status, body.error.flaws[0].pointer]).toEqual([422, `/credentials/${pointer}`]);
  });

  it("keeps its lake from being deleted", async () => {
    const other = (await create({ type: "lake", credentials: {} })).body.integration.id as string;
    const id = await addCluster(key, other);
    const refused = await call("DELETE", `${PATH}/${other}`, { key });
    expect([refused.status, refused.body.error.conflictsWith]).toEqual([409, [id]]);
    expect((await call("DELETE", `${PATH}/${id}`, { key })).status).toBe(204);
    expect((await call("DELETE", `${PATH}/${other}`, { key })).status).toBe(204);
  });

  it("is no source: it is neither queried, synced nor described by a model", async () => {
    const id = await addCluster(key, lake.lakeId);
    const asked = await call("POST", "/v1/query", { key, body: { sql: "SELECT 1", integration_id: id } });
    expect([asked.status, asked.body.message]).toEqual([422, expect.stringContaining("holds nothing to query")]);
    const cube = await create({ type: "cube", credentials: { integration_id: id } });
    expect([cube.status, cube.body.error.flaws[0].pointer]).toEqual([422, "/credentials/integration_id"]);
    const sync = { source_integration_id: id, destination_integration_id: lake.lakeId };
    expect((await call("POST", `${PATH}/${lake.lakeId}/syncs`, { key, body: sync })).status).toBeGreaterThanOrEqual(
      400,
    );
  });

  it("changes its route and its credentials apart, and its secret goes to no other host", async () => {
    const id = await addCluster(key, lake.lakeId);
    const routed = await patch(id, { route: { after_memory_failure: true } });
    expect(routed.body.integration.details).toMatchObject({ after_memory_failure: "true", url: CLUSTER.url });
    expect((await patch(id, { route: { above_bytes: 7 } })).body.integration.details).toMatchObject({
      ...{ above_bytes: "7", after_memory_failure: "true" },
    });
    expect((await patch(id, { route: { above_bytes: null } })).body.integration.details).not.toHaveProperty(
      "above_bytes",
    );
    const moved = await patch(id, { credentials: { url: "https://evil.example.com" } });
    expect([moved.status, moved.body.error.flaws[0].pointer]).toEqual([422, "/credentials/password"]);
    const token = { url: "https://other.example.com", token: "bearer" };
    expect((await patch(id, { credentials: token })).body.integration.details.url).toBe("https://other.example.com");
    const believed = await patch(id, { credentials: { sslrootcert: CERTIFICATE } });
    expect([believed.status, believed.body.error.flaws]).toEqual([
      422,
      [{ pointer: "/credentials/token", message: "Send the secret again when sslrootcert changes." }],
    ]);
    const back = await patch(id, { credentials: { url: CLUSTER.url } });
    expect(back.body.error.flaws[0].pointer).toBe("/credentials/token");
    expect((await patch(id, { credentials: { lake_id: crypto.randomUUID() } })).status).toBe(422);
    expect((await patch(lake.lakeId, { route: { above_bytes: 7 } })).status).toBe(422);
  });
});

describe("testIntegration of a team's own Trino", () => {
  const report = { version: "476", tls: true, nodes: 2, comparedTable: true };
  let engine: ReturnType<typeof recordingEngine>;
  beforeEach(() => void (engine = recordingEngine({ "/clusters/test": report })));
  const test = (id: string, by = key) => callWith(engine.bindings, "POST", `${PATH}/${id}/test`, { key: by });

  it("has the cluster show a table of this lake, at the snapshot that it has now", async () => {
    const id = await addCluster(key, lake.lakeId);
    const { status, body } = await test(id);
    expect([status, body.connection, body.warnings]).toEqual([
      200,
      { product: "Trino", version: "476", tls: true, can_write: false },
      [],
    ]);
    const { snapshotId } = await lake.catalog.currentSnapshot();
    expect(engine.asked[0]!.body).toMatchObject({
      cluster: CLUSTER,
      table: { schema: "main", name: "t", snapshotId: String(snapshotId) },
    });
  });

  it("says so where the lake has no table to be seen by", async () => {
    const team = await newTeam();
    const [own] = (await call("GET", PATH, { key: team.admin.key })).body.data;
    const id = await addCluster(team.admin.key, own.id);
    engine.answers["/clusters/test"] = { ...report, comparedTable: false };
    const { body } = await test(id, team.admin.key);
    expect(engine.asked[0]!.body.table).toBeNull();
    expect(body.warnings).toEqual([expect.stringContaining("no table")]);
  });

  it("fails at the credential that it is about, without quoting it", async () => {
    const id = await addCluster(key, lake.lakeId);
    const message = `The cluster does not take ${CLUSTER.password}.`;
    engine.answers["/clusters/test"] = { code: "connection_failed", reason: "authentication", message };
    const { status, body } = await test(id);
    expect([status, body.error.code]).toEqual([400, "connection_failed"]);
    expect(JSON.stringify(body)).not.toContain(CLUSTER.password);
  });

  it("goes by the certificates among its credentials, and fails at them where they do not do", async () => {
    const id = await addCluster(key, lake.lakeId, { credentials: { ...CLUSTER, sslrootcert: CERTIFICATE } });
    engine.answers["/clusters/test"] = { code: "connection_failed", reason: "tls", message: "No certificates." };
    const { body } = await test(id);
    expect(engine.asked[0]!.body.cluster).toEqual({ ...CLUSTER, sslrootcert: CERTIFICATE });
    expect(body.error.flaws[0].pointer).toBe("/credentials/sslrootcert");
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { alter, append, column, createTable } from "../../../support/unit/lake.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { newIcebergLake, sendRaw } from "../../../support/unit/iceberg/iceberg-lake.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { signIn } from "../../../support/unit/sign-in/session.ts";

const MISSING = { status: 404, body: { error: { type: "NoSuchTableException", code: 404 } } };
const HTTP = "/main/tables";

/** A lake with the table t, of which a member's role grants what it says, and u, which it grants whole. */
async function newBoundLake(grant: object) {
  const lake = await newIcebergLake();
  await lake.commit(createTable("main", "u"), createTable("other", "hidden"));
  const all = { schema: "main", table: "u", integration_id: lake.lakeId };
  const grants = [all, { schema: "main", table: "t", integration_id: lake.lakeId, ...grant }];
  await addRole(lake.team, grants as never, [lake.team.member.id]);
  return { ...lake, member: { key: lake.team.member.key } };
}

describe("for whom roles show a part of a table", () => {
  it.each([
    ["some of its rows", { filters: [{ member: "a", operator: "equals", values: ["1"] }] }],
    ["some of its columns", { exclude_columns: ["b"] }],
    ["a mask in a column's place", { masks: { b: null } }],
  ])("it is not there with %s", async (_, grant) => {
    const { ask, path, member, team } = await newBoundLake(grant);
    expect((await ask(HTTP, member)).body.identifiers).toEqual([{ namespace: ["main"], name: "u" }]);
    const { headers } = await ask(`${HTTP}/t`);
    const tagged = { headers: { "if-none-match": headers.get("etag")! } };
    expect(await ask(`${HTTP}/t`, member)).toMatchObject(MISSING);
    expect(await ask(`${HTTP}/t`, { ...member, ...tagged })).toMatchObject(MISSING);
    expect(await ask(`${HTTP}/t/credentials`, member)).toMatchObject(MISSING);
    const head = (key: string) => sendRaw("HEAD", path(`${HTTP}/t`), { key });
    expect([(await head(member.key)).status, (await head(team.admin.key)).status]).toEqual([404, 204]);
    expect((await ask(`${HTTP}/u`, member)).status).toBe(200);
  });

  it("it is not there once a column was dropped that they never saw", async () => {
    const lake = await newBoundLake({ exclude_columns: ["b"] });
    await lake.commit(alter("main", "t", { kind: "drop_column", id: 2 }));
    expect(await lake.ask(`${HTTP}/t`, lake.member)).toMatchObject(MISSING);
    expect((await lake.ask(`${HTTP}/t`)).status).toBe(200);
  });

  it("schemas without a table of theirs are not there", async () => {
    const { ask, path, member, team } = await newBoundLake({ exclude_columns: ["b"] });
    expect((await ask("", member)).body.namespaces).toEqual([["main"]]);
    expect((await ask("")).body.namespaces).toEqual([["main"], ["other"]]);
    expect(await ask("/other", member)).toMatchObject({ body: { error: { type: "NoSuchNamespaceException" } } });
    expect(await ask("/other/tables", member)).toMatchObject({ status: 404 });
    const head = (key: string) => sendRaw("HEAD", path("/other"), { key });
    expect([(await head(member.key)).status, (await head(team.admin.key)).status]).toEqual([404, 204]);
  });
});

describe("whoever reads a table whole", () => {
  it("is refused it as soon as the grant is gone, also to renew a credential", async () => {
    const lake = await newIcebergLake();
    const member = { key: lake.team.member.key };
    expect((await lake.ask(`${HTTP}/t`, member)).status).toBe(200);
    await addRole(lake.team, [], [lake.team.member.id]);
    expect(await lake.ask(`${HTTP}/t`, member)).toMatchObject(MISSING);
    expect(await lake.ask(`${HTTP}/t/credentials`, member)).toMatchObject(MISSING);
  });

  it("is judged by the roles that the database has, and by none that is remembered", async () => {
    const { ask, member, team } = await newBoundLake({});
    const { headers } = await ask(`${HTTP}/t`, member);
    const tagged = { ...member, headers: { "if-none-match": headers.get("etag")! } };
    expect((await ask(`${HTTP}/t`, tagged)).status).toBe(304);
    // As another isolate would have done it, which this one hears nothing of.
    await env.DB.prepare("DELETE FROM access_members WHERE team_id = ?").bind(team.id).run();
    expect(await ask(`${HTTP}/t`, tagged)).toMatchObject(MISSING);
    expect(await ask(`${HTTP}/t/credentials`, member)).toMatchObject(MISSING);
    expect((await ask(HTTP, member)).status).toBe(404);
  });

  it("is one who holds a key: a session opens nothing", async () => {
    const { team, path } = await newIcebergLake();
    const options = { headers: await signIn({ api_key: team.admin.key }) };
    expect((await sendRaw("GET", "/v4/me", options)).status).toBe(200);
    expect((await sendRaw("GET", path(""), options)).status).toBe(401);
  });

  it("is nobody of another team", async () => {
    const { path } = await newIcebergLake();
    const stranger = await newTeam();
    for (const rest of ["", "/main", "/main/tables", "/main/tables/t", "/main/tables/t/credentials"])
      expect([rest, (await sendRaw("GET", path(rest), { key: stranger.admin.key })).status]).toEqual([rest, 404]);
  });
});

describe("a table's credential", () => {
  const claimsOf = (config: Record<string, string>) => {
    const jwt = atob(config["s3.session-token"]!).replace("jwt/", "");
    return JSON.parse(atob(jwt.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
  };

  it("reads the objects of the table's folder, for an hour", async () => {
    const { load, root, ask } = await newIcebergLake();
    const { config, "storage-credentials": credentials, metadata } = await load();
    expect(credentials).toHaveLength(1);
    expect(credentials[0].prefix).toBe(`${root}main/t/`);
    expect(config).toMatchObject(credentials[0].config);
    const claims = claimsOf(config);
    expect(claims).toMatchObject({
      scope: "object-read-only",
      actions: ["GetObject", "HeadObject"],
      paths: { prefixPaths: [`${root.replace(`s3://${env.BUCKET_NAME}/`, "")}main/t/`], objectPaths: [] },
    });
    expect(claims.exp - claims.iat).toBe(3_600);
    expect(config["s3.session-token-expires-at-ms"]).toBe(String(claims.exp * 1_000));
    expect(metadata.snapshots[0]["manifest-list"].startsWith(credentials[0].prefix)).toBe(true);
    const renewal = new URL(config["client.refresh-credentials-endpoint"]);
    expect(renewal.pathname.endsWith("/namespaces/main/tables/t/credentials")).toBe(true);
    const renewed = (await ask("/main/tables/t/credentials")).body["storage-credentials"];
    expect(claimsOf(renewed[0].config).paths).toEqual(claims.paths);
  });

  it("is refused where another table has the folder, or had it and left files there", async () => {
    const lake = await newIcebergLake();
    await lake.commit({ kind: "rename_table", schema: "main", name: "t", to: "old" });
    await lake.commit(
      createTable("main", "t", [column(1, "a")]),
      append("main", "t", lake.writer.file("main", "t", 1)),
    );
    const message = expect.stringMatching(/CREATE TABLE "main"\."(\w+)_moved" AS FROM "main"\."\1"; DROP TABLE /);
    const refused = { status: 409, body: { error: { message, type: "ConflictException" } } };
    for (const table of ["old", "t"])
      for (const rest of ["", "/credentials"]) expect(await lake.ask(`${HTTP}/${table}${rest}`)).toMatchObject(refused);
    await lake.commit({ kind: "drop_table", schema: "main", name: "old" });
    expect(await lake.ask(`${HTTP}/t`)).toMatchObject(refused);
    // The dropped table is forgotten, and its files wait for their deletion.
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + 60_000 });
    expect(await lake.ask(`${HTTP}/t`)).toMatchObject(refused);
    const due = await lake.catalog.listDueFiles(Date.now() + 1e9, 100);
    await lake.catalog.confirmDeleted(due.map(({ id }) => id));
    expect((await lake.ask(`${HTTP}/t`)).status).toBe(200);
  });
});

describe("what a client asks", () => {
  it("is answered in Iceberg's form where it is not there, or asked without a key", async () => {
    const { path, team, lakeId } = await newIcebergLake();
    const get = async (target: string, key?: string) => {
      const response = await sendRaw("GET", target, key === undefined ? {} : { key });
      const { error } = (await response.json()) as { error: { type: string; code: number } };
      return [response.status, error.type, error.code];
    };
    const { key } = team.admin;
    const warehouse = (name: string) => `/iceberg/v1/config?warehouse=${encodeURIComponent(name)}`;
    expect(await get(path("/main/tables/t"))).toEqual([401, "NotAuthorizedException", 401]);
    expect(await get(path("/none"), key)).toEqual([404, "NoSuchNamespaceException", 404]);
    expect(await get(path("/none/tables"), key)).toEqual([404, "NoSuchNamespaceException", 404]);
    // As Spark asks for `main.t.snapshots`: its first try is a table of a schema in two parts.
    expect(await get(path("/main%1Ft/tables/snapshots"), key)).toEqual([404, "NoSuchTableException", 404]);
    expect(await get(path("/main/tables/none"), key)).toEqual([404, "NoSuchTableException", 404]);
    expect(await get(path("/main/tables/none/credentials"), key)).toEqual([404, "NoSuchTableException", 404]);
    for (const name of [crypto.randomUUID(), "x", `${lakeId}:other`, `${lakeId}:spark:spark`, ":spark"])
      expect([name, ...(await get(warehouse(name), key))]).toEqual([name, 404, "NoSuchWarehouseException", 404]);
    expect((await get(path("/main/views"), key))[0]).toBe(404);
  });

  it("finds a schema in any case, and says how the schema is spelled", async () => {
    const lake = await newIcebergLake();
    await lake.commit(createTable("Mixed", "Case"));
    expect((await lake.ask("/mIXED")).body.namespace).toEqual(["Mixed"]);
    expect((await lake.ask("/MIXED/tables")).body.identifiers).toEqual([{ namespace: ["Mixed"], name: "Case" }]);
    expect((await lake.ask("?parent=main")).body.namespaces).toEqual([]);
    expect((await lake.ask("?parent=none")).status).toBe(404);
  });

  it("begins with settings that name all that there is to ask, and the lake's name in paths", async () => {
    const { team, lakeId } = await newIcebergLake();
    const config = async (search: string) =>
      (await call("GET", `/iceberg/v1/config${search}`, { key: team.member.key })).body;
    const settings = await config("");
    expect(settings).toMatchObject({ overrides: { prefix: lakeId }, defaults: { "token-refresh-enabled": "false" } });
    expect(settings.endpoints.filter((each: string) => !/^(GET|HEAD) /.test(each))).toEqual([]);
    expect((await config(`?warehouse=${lakeId}:spark`)).overrides).toEqual({ prefix: `${lakeId}:spark` });
  });
});

describe("what is written", () => {
  it("is refused for a token, a view and a namespace too, with a key or without", async () => {
    const { team, lakeId } = await newIcebergLake();
    for (const path of ["oauth/tokens", `${lakeId}/views`, `${lakeId}/transactions/commit`, `${lakeId}/namespaces`])
      for (const key of [{ key: team.admin.key }, {}]) {
        const { status } = await sendRaw("POST", `/iceberg/v1/${path}`, { ...key, body: {} });
        expect([path, status]).toEqual([path, 406]);
      }
  });

  it.each(["POST", "PUT", "DELETE", "PATCH"])("by %s is refused with where to write", async (method) => {
    const { path, team } = await newIcebergLake();
    for (const rest of ["", "/main", "/main/tables", "/main/tables/t"]) {
      const response = await sendRaw(method, path(rest), { key: team.admin.key, body: {} });
      expect(response.status).toBe(406);
      expect(await response.json()).toMatchObject({
        error: { type: "UnsupportedOperationException", code: 406, message: expect.stringContaining("/v1/query") },
      });
    }
  });
});

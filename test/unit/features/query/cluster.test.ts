// Statements that are for the team's own Trino: who may send them, and what is sent.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { ClusterTarget } from "../../../../kernel/wire/statements/cluster.ts";
import { applyEdits } from "../../../../kernel/text/edits.ts";
import { column, createTable } from "../../../support/unit/lake.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { callWith, post } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { newIcebergLake, type IcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";
import { recordingEngine } from "../../../support/unit/query/recording-engine.ts";
import { addCluster, CLUSTER } from "../../../support/unit/iceberg/clusters.ts";
import { findOldestBase } from "../../../../src/lake/writers/leases.ts";
import { readToken } from "../../../../src/platform/crypto/token.ts";

let lake: IcebergLake;
let version: number;
let engine: ReturnType<typeof recordingEngine>;
beforeAll(async () => {
  lake = await newIcebergLake();
  await addCluster(lake.team.admin.key, lake.lakeId);
  version = (await lake.catalog.currentSnapshot()).snapshotId;
  // The table that is read is older than the lake.
  await lake.commit(createTable("main", "later", [column(1, "a")]));
});
beforeEach(() => void (engine = recordingEngine()));

type More = { key?: string; headers?: Record<string, string>; body?: object };
const run = (sql: string, { key = lake.team.admin.key, headers = {}, body = {} }: More = {}) =>
  callWith(engine.bindings, "POST", "/v1/query", {
    key,
    headers,
    body: { sql, dialect: "trino", engine: "trino", ...body },
  });
const statements = () => engine.asked.filter(({ path }) => path === "/statements").map(({ body }) => body);
/** The text as the cluster would be sent it. */
const sentText = (): string => {
  const { sql, target } = StatementRequest.parse(statements().at(-1));
  return applyEdits(sql!, ClusterTarget.parse(target).edits) ?? "";
};
/** The oldest snapshot that a statement holds. */
const heldBase = ({ lakeId }: IcebergLake): Promise<number | null> =>
  runInDurableObject(env.CATALOG.getByName(lakeId), (_, { storage }) => findOldestBase(storage.sql, Date.now()));

describe("runQuery on the team's own Trino", () => {
  it("sends the text as it is, with its tables at a snapshot of theirs, in the cluster's catalog", async () => {
    const sql = "SELECT count(*) -- all\nFROM lake.main.T AS x";
    const { status, headers } = await run(sql);
    expect([status, headers.get("fjord-engine")]).toEqual([200, "trino"]);
    expect(statements()[0]).toMatchObject({
      sql,
      target: { kind: "cluster", cluster: CLUSTER, timeZone: "UTC", form: "cells" },
    });
    expect(sentText()).toBe(
      `SELECT count(*) -- all\nFROM "lake"."main"."t" FOR VERSION AS OF BIGINT '${version}' AS x`,
    );
  });

  it("says of others that DuckDB has run them", async () => {
    for (const body of [{ engine: "duckdb" }, { engine: undefined }, { engine: "auto" }]) {
      const { headers } = await run("SELECT * FROM t", { body });
      expect(headers.get("fjord-engine")).toBe("duckdb");
    }
    expect(statements().map(({ target }) => target.kind)).toEqual(["lake", "lake", "lake"]);
  });

  it.each([
    ["another catalog", "SELECT * FROM tpch.tiny.nation"],
    ["a metadata table", 'SELECT * FROM main."t$files"'],
    ["what describes the lake", "SELECT * FROM information_schema.tables"],
    ["what describes the platform", "SELECT * FROM system.jdbc.tables"],
    ["a table that is not there", "SELECT * FROM nothing"],
    ["a table function", "SELECT * FROM TABLE(sequence(1, 3))"],
    ["a function beyond the list", "SELECT current_user"],
    ["a write", "INSERT INTO t VALUES (1, 2)"],
    ["a procedure", "CALL system.sync_partition_metadata('a', 'b', 'c')"],
    ["a session's property", "SET SESSION query_max_run_time = '1h'"],
    ["a role", "SET ROLE admin"],
    ["two statements", "SELECT 1; SELECT 2"],
    ["nothing that is SQL", "SELECT FROM WHERE"],
  ])("refuses %s", async (_, sql) => {
    const { status, body } = await run(sql);
    expect([status, body.error?.code]).toEqual([422, "validation_failed"]);
    expect(engine.asked).toEqual([]);
  });

  it("is for a lake that a cluster reads, of the sender's own team", async () => {
    const other = await newIcebergLake();
    const without = await run("SELECT * FROM t", { key: other.team.admin.key });
    expect([without.status, without.body.error.flaws[0].pointer]).toEqual([422, "/engine"]);
    const foreign = await run(`SELECT * FROM "${lake.lakeId}".main.t`, { key: other.team.admin.key });
    expect(foreign.status).toBe(422);
    const named = await run("SELECT * FROM t", { key: other.team.admin.key, body: { integration_id: lake.lakeId } });
    expect(named.status).toBe(422);
    expect(engine.asked).toEqual([]);
  });

  it("goes to the oldest of several clusters of one lake, and to the next once that is gone", async () => {
    const own = await newIcebergLake();
    const { key } = own.team.admin;
    const first = await addCluster(key, own.lakeId, { credentials: { ...CLUSTER, catalog: "first" } });
    await addCluster(key, own.lakeId, { credentials: { ...CLUSTER, catalog: "second" } });
    await run("SELECT * FROM t", { key });
    expect(sentText()).toContain('"first"."main"."t"');
    await call("DELETE", `/v1/api/integrations/${first}`, { key });
    await run("SELECT * FROM t", { key });
    expect(sentText()).toContain('"second"."main"."t"');
  });

  it("waits for nobody where its sender does not", async () => {
    engine.answers["/statements/async"] = { hasEnded: false };
    const id = crypto.randomUUID();
    const { status } = await run("SELECT * FROM t", { headers: { prefer: "respond-async", "x-request-id": id } });
    expect(status).toBe(202);
    expect(engine.asked[0]!.body.statement.target.kind).toBe("cluster");
    const row = await env.DB.prepare("select engine, integration_id, write_job_id from async_queries where id = ?")
      .bind(id)
      .first();
    expect(row).toEqual({ engine: "trino", integration_id: lake.lakeId, write_job_id: null });
  });
});

describe("a caller whom roles bind", () => {
  const bind = async (grant: object) => {
    const own = await newIcebergLake();
    await addCluster(own.team.admin.key, own.lakeId);
    await own.commit(createTable("main", "whole", [column(1, "a")]));
    const table = (name: string, more = {}) => ({ schema: "main", table: name, integration_id: own.lakeId, ...more });
    await addRole(own.team, [table("whole"), table("t", grant)] as never, [own.team.member.id]);
    return { key: own.team.member.key, own };
  };
  const PARTS = [
    ["some of its rows", { filters: [{ member: "a", operator: "equals", values: ["1"] }] }],
    ["some of its columns", { exclude_columns: ["b"] }],
    ["a mask in a column's place", { masks: { b: null } }],
  ] as const;

  it.each(PARTS)("is refused a table of which they see %s, and nothing is sent", async (_, grant) => {
    const { own, ...bound } = await bind(grant);
    const { status, body } = await run("SELECT a FROM whole JOIN t USING (a)", bound);
    expect([status, body.error.code]).toEqual([403, "heavy_engine_restricted"]);
    expect(engine.asked).toEqual([]);
    expect(await heldBase(own)).toBeNull();
    expect((await run("SELECT a FROM whole", bound)).status).toBe(200);
  });

  it("is told of no table that they see nothing of", async () => {
    const own = await newIcebergLake();
    await addCluster(own.team.admin.key, own.lakeId);
    await own.commit(createTable("main", "whole", [column(1, "a")]));
    const grant = { schema: "main", table: "whole", integration_id: own.lakeId };
    await addRole(own.team, [grant] as never, [own.team.member.id]);
    const { key } = own.team.member;
    const [hidden, missing] = [await run("SELECT * FROM t", { key }), await run("SELECT * FROM u", { key })];
    expect([hidden.status, missing.status]).toEqual([422, 422]);
    expect(hidden.body.message.replace("main.t'", "main.u'")).toBe(missing.body.message);
  });

  it("stays on DuckDB by auto", async () => {
    const own = await newIcebergLake();
    await addCluster(own.team.admin.key, own.lakeId, { route: { above_bytes: 0 } });
    const grant = { schema: "main", table: "t", integration_id: own.lakeId, exclude_columns: ["b"] };
    await addRole(own.team, [grant] as never, [own.team.member.id]);
    engine.answers["/estimates"] = estimateOf(9);
    const { status, headers } = await run("SELECT a FROM t", { key: own.team.member.key, body: { engine: "auto" } });
    expect([status, headers.get("fjord-engine")]).toEqual([200, "duckdb"]);
  });
});

const estimateOf = (bytes: number) => {
  const figures = { files: 1, filesTotal: 1, bytes, bytesTotal: bytes };
  return { tables: [{ schema: "main", name: "t", at: null, figures }], readsDrive: false, writes: false };
};

describe("auto", () => {
  let routed: IcebergLake;
  let key: string;
  beforeAll(async () => {
    routed = await newIcebergLake();
    key = routed.team.admin.key;
    await addCluster(key, routed.lakeId, { route: { above_bytes: 1_000, after_memory_failure: true } });
  });
  const auto = (sql: string, by = key) => run(sql, { key: by, body: { engine: "auto" } });

  it.each([
    [999, "duckdb"],
    [1_000, "duckdb"],
    [1_001, "trino"],
  ])("of %d bytes after pruning is for %s", async (bytes, name) => {
    engine.answers["/estimates"] = estimateOf(bytes);
    const { status, headers } = await auto("SELECT a FROM t");
    expect([status, headers.get("fjord-engine")]).toEqual([200, name]);
  });

  it("stays on DuckDB where nothing can be estimated, where it writes, and where a cluster is not asked for it", async () => {
    engine.answers["/estimates"] = { code: "deadline_exceeded", message: "Too long." };
    expect((await auto("SELECT a FROM t")).headers.get("fjord-engine")).toBe("duckdb");
    engine.answers["/estimates"] = estimateOf(5_000);
    expect((await auto("INSERT INTO t SELECT * FROM t")).headers.get("fjord-engine")).toBe("duckdb");
    expect((await auto("SELECT count(*) FROM information_schema.tables")).headers.get("fjord-engine")).toBe("duckdb");
  });

  it("goes to the cluster once DuckDB had too little memory for it", async () => {
    engine.answers["/estimates"] = estimateOf(5);
    const failure = { code: "resources_exceeded", message: "Out of memory." };
    const rows = { columns: [], types: [], data: [], rowCount: 0, truncated: false, timing: { durationMs: 1 } };
    const answered = { ...rows, meta: { requestId: "a", durationMs: 1, engine: "trino" }, success: true };
    engine.answers["/statements"] = ({ target }) => (target.kind === "lake" ? failure : answered);
    const { status, headers, body } = await auto("SELECT a FROM t");
    expect([status, headers.get("fjord-engine"), body.meta.engine]).toEqual([200, "trino", "trino"]);
    expect(statements().map(({ id, target }) => [id, target.kind])).toEqual([
      [statements()[0].id, "lake"],
      [statements()[0].id, "cluster"],
    ]);
  });

  it("of who does not wait has the engine run it at the cluster then, and names that", async () => {
    engine.answers["/estimates"] = estimateOf(5);
    engine.answers["/statements/async"] = { hasEnded: false };
    const headers = { prefer: "respond-async", "x-request-id": crypto.randomUUID() };
    const sent = async (by: string) => {
      const id = crypto.randomUUID();
      await run("SELECT a FROM t", { key: by, body: { engine: "auto" }, headers: { ...headers, "x-request-id": id } });
      return { id, asked: engine.asked.at(-1)!.body };
    };
    const { id, asked } = await sent(key);
    expect([asked.statement.target.kind, asked.fallback]).toEqual([
      "lake",
      { sql: "SELECT a FROM t", target: expect.objectContaining({ kind: "cluster" }) },
    ]);
    const engineOfRow = () => env.DB.prepare("select engine from async_queries where id = ?").bind(id).first("engine");
    expect(await engineOfRow()).toBe("duckdb");
    const { created_at: createdAt } = (await env.DB.prepare("select created_at from async_queries where id = ?")
      .bind(id)
      .first<{ created_at: string }>())!;
    const token = {
      use: "query",
      teamId: routed.team.id,
      queryId: id,
      createdAt,
      expiresAt: Date.now() + 60_000,
    } as const;
    const body = { outcome: "succeeded", bytes: 1, isFallback: true };
    expect((await post(`/queries/${id}/finish`, { token, body })).status).toBe(204);
    expect(await engineOfRow()).toBe("trino");
    expect((await sent(lake.team.admin.key)).asked.fallback).toBeUndefined();
  });

  it("fails as DuckDB did for any other reason, or where the route says no", async () => {
    engine.answers["/estimates"] = estimateOf(5);
    engine.answers["/statements"] = { code: "sql_error", message: "It is wrong." };
    expect((await auto("SELECT a FROM t")).status).toBe(400);
    engine.answers["/statements"] = { code: "resources_exceeded", message: "Out of memory." };
    expect((await auto("SELECT a FROM t", lake.team.admin.key)).status).toBe(400);
    expect(statements().map(({ target }) => target.kind)).toEqual(["lake", "lake"]);
  });
});

describe("the snapshot of a statement at a cluster", () => {
  it("is kept while it is held, however old the snapshot is, and no longer than it was to be", async () => {
    const own = await newIcebergLake();
    const { catalog } = own;
    const [hold, later] = [{ statementId: "a", ttlMs: 400 * 86_400_000 }, Date.now() + 300 * 86_400_000];
    expect(await catalog.pinIcebergTables([{ schema: "main", name: "t" }], hold, "everything")).toMatchObject({
      value: [{ snapshotId: 1, sharesFolder: false }],
    });
    for (const name of ["a", "b"]) await own.commit(createTable("main", name, [column(1, "a")]));
    await catalog.setOption("retain_last", "1");
    await catalog.releaseLease("test", own.writer.token.fence);
    expect((await catalog.expireDue(later)).snapshots).toBe(1);
    expect((await catalog.expireDue(later + 200 * 86_400_000)).snapshots).toBe(2);
    expect(await catalog.releasePins("a")).toBe(true);
    expect(await catalog.releasePins("a")).toBe(false);
  });

  it.each([{}, { prefer: "respond-async" }])("is let go where no engine has the statement: %o", async (headers) => {
    const own = await newIcebergLake();
    const { key } = own.team.admin;
    await addCluster(key, own.lakeId);
    const gone = { code: "busy", message: "It is full." };
    engine.answers["/statements"] = gone;
    engine.answers["/statements/async"] = gone;
    const id = crypto.randomUUID();
    await run("SELECT * FROM t", { key, headers: { ...headers, "x-request-id": id } });
    expect(engine.asked).toHaveLength(1);
    await expect.poll(() => heldBase(own)).toBeNull();
    // A second one of the id is refused before any engine is asked.
    if ("prefer" in headers)
      expect((await run("SELECT * FROM t", { key, headers: { ...headers, "x-request-id": id } })).status).toBe(409);
    expect(engine.asked).toHaveLength(1);
    expect(await heldBase(own)).toBeNull();
  });

  const use = (token: object, id: string, body: object = { bytesRead: 7, outcome: "succeeded" }) =>
    post(`/cluster-statements/${id}/use`, { token: token as never, body });
  const used = async (key: string) => (await call("GET", "/v4/usage", { key })).body.data.month.cluster_bytes.used;
  const year = 365 * 86_400_000;

  it("expires under nobody until the engine says that the statement has ended, and its bytes count once", async () => {
    const own = await newIcebergLake();
    const { key } = own.team.admin;
    await addCluster(key, own.lakeId);
    await run("SELECT * FROM t;", { key });
    const { id, target } = statements()[0];
    expect(await heldBase(own)).toBe(1);
    const token = await readToken(env, "cluster", target.token, new Date());
    expect(token.expiresAt).toBeLessThan(Date.now() + year);
    expect((await use(token, crypto.randomUUID())).status).toBe(404);
    expect((await use({ ...token, statementId: "x" }, id)).status).toBe(404);
    expect((await use(token, id, { bytesRead: -1, outcome: "succeeded" })).status).toBeGreaterThanOrEqual(400);
    expect(await used(key)).toBe(0);
    expect([(await use(token, id)).status, (await use(token, id)).status]).toEqual([204, 204]);
    expect([await used(key), await heldBase(own)]).toEqual([7, null]);
  });
});

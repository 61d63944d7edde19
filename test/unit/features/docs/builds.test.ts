import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunOrder } from "../../../../kernel/wire/sandbox.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import type { LakeCommit } from "../../../../kernel/lake/commit.ts";
import { lastResultsKey } from "../../../../src/features/docs/builds/build.ts";
import { resultsKey, stageKey } from "../../../../src/features/docs/builds/kept-stages.ts";
import { statementKey } from "../../../../src/lake/commit/statements.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { fakeSandbox } from "../../../support/unit/fake-sandbox.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { newLakeTeam } from "../lake-admin/lakes.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let lakeId: string;
beforeAll(async () => {
  team = await newTeam();
  lakeId = await findLakeId(team.id);
});

const findLakeId = async (teamId: string): Promise<string> =>
  String(
    (await env.DB.prepare("select id from integrations where team_id = ? and type = 'lake'").bind(teamId).first())!.id,
  );

const post = (datasets: object, key = team.admin.key) =>
  call("POST", "/v4/docs", { key, body: { version: 1, kind: "pipeline", metadata: { name: "Shop" }, datasets } });
const sql = (more: object) => ({ engine: "sql", sql: "SELECT 1 AS id", ...more });
const since = { sql: "SELECT 1 AS id WHERE 1 > $since", incremental: { column: "id" } };
const table = (name: string, more: object = {}) => ({ materialize: { table: name, ...more } });

describe("a dataset that builds a table", () => {
  it.each([
    ["an unknown member", sql({ materialize: { table: "t", schema: "x" } }), "/materialize/schema"],
    ["an unknown mode", sql(table("t", { mode: "upsert" })), "/materialize/mode"],
    ["a table that is no name", sql(table("a.b.c")), "/materialize/table"],
    ["a merge without a key", sql(table("t", { mode: "merge" })), "/materialize/key"],
    ["a key without a merge", sql(table("t", { key: ["id"] })), "/materialize/key"],
    ["a key that is named twice", sql(table("t", { mode: "merge", key: ["id", "id"] })), "/materialize/key"],
    ["tests without a table", sql({ tests: [{ kind: "unique", columns: ["id"] }] }), "/tests"],
    ["an incremental read without a table", sql({ incremental: { column: "id" } }), "/incremental"],
    ["an incremental read of a table that is replaced", sql({ ...table("t"), ...since }), "/incremental"],
    [
      "an incremental read that does not read by $since",
      sql({ ...table("t", { mode: "append" }), incremental: { column: "id" } }),
      "/sql",
    ],
    ["SQL that writes", { engine: "sql", sql: "DELETE FROM t", ...table("t") }, "/sql"],
    ["SQL that writes behind a comment", { engine: "sql", sql: "/* t */ DELETE FROM t", ...table("t") }, "/sql"],
    ["SQL of another database", sql({ ...table("t"), integrationId: "x" }), "/integrationId"],
    ["a cube", { engine: "cube", cube: "Orders", ...table("t") }, "/materialize"],
    [
      "an incremental frame",
      { engine: "python", code: "result = 1", ...table("t", { mode: "append" }), incremental: { column: "id" } },
      "/incremental",
    ],
    ["a test of an unknown kind", sql({ ...table("t"), tests: [{ kind: "fresh" }] }), "/tests/0/kind"],
    [
      "a test with an unknown member",
      sql({ ...table("t"), tests: [{ kind: "unique", columns: ["id"], if: 1 }] }),
      "/tests/0/if",
    ],
    ["a test of no bound", sql({ ...table("t"), tests: [{ kind: "row_count" }] }), "/tests/0"],
  ])("is refused %s, where it stands", async (_, dataset, pointer) => {
    const { status, body } = await post({ t: dataset });
    expect({ status, flaws: body.error?.flaws }).toMatchObject({
      status: 422,
      flaws: [{ pointer: `/datasets/t${pointer}`, line: expect.any(Number) }],
    });
  });

  it.each(["WITH a AS (SELECT 1 AS id) SELECT * FROM a", "-- one row\nSELECT 1 AS id", "(SELECT 1 AS id)"])(
    "is taken with SQL that reads: %s",
    async (text) => {
      expect((await post({ t: { engine: "sql", sql: text, ...table("t") } })).status).toBe(201);
    },
  );

  it("is the only one of its doc that builds that table, in whatever case", async () => {
    const { body } = await post({ a: sql(table("Orders")), b: sql(table("main.orders")) });
    expect(body.error.flaws).toMatchObject([
      { pointer: "/datasets/b/materialize/table", message: "The dataset a builds this table, too." },
    ]);
  });
});

describe("a doc that builds tables", () => {
  const build = async (name: string) => (await post({ t: sql(table(name)) })).body.data.id as string;
  const run = (doc: string, key = team.admin.key) => fakeSandbox().post(`/v4/docs/${doc}/run`, key, {});

  it("is run by who may write to the lake, and by nobody else", async () => {
    const doc = await build("written");
    expect(await run(doc, team.member.key)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("lake:write") },
    });
    expect((await run(doc)).status).toBe(202);
  });

  it("owns them from its run on: no other doc and no sync takes them until it is archived", async () => {
    const doc = await build("mine");
    expect((await run(doc)).status).toBe(202);
    expect(await openLake(env, lakeId).ownerOf("main", "mine")).toMatchObject({ owner: `doc:${doc}`, name: "Shop" });
    expect(await post({ other: sql(table("mine")) })).toMatchObject({
      status: 409,
      body: { error: { flaws: [{ pointer: "/datasets/other/materialize/table" }] } },
    });
    await call("DELETE", `/v4/docs/${doc}`, { key: team.admin.key });
    expect((await post({ other: sql(table("mine")) })).status).toBe(201);
  });

  it("is refused a table that a sync owns, as it is saved and as it is run", async () => {
    const doc = await build("synced");
    await openLake(env, lakeId).claimTables({ owner: "sync:s1", name: "Shop sync" }, [
      { schema: "main", name: "synced" },
    ]);
    expect((await post({ t: sql(table("synced")) })).status).toBe(409);
    expect(await run(doc)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("belongs to the sync Shop sync") },
    });
  });

  it("orders its datasets staged, with a time for publishing, and only its own run stages them", async () => {
    const doc = await build("staged");
    let order: RunOrder | undefined;
    const answers: number[] = [];
    const sandbox = fakeSandbox({
      async during(given, send) {
        order = given;
        await env.DB.prepare("update users set role = 'member' where id = ?").bind(team.admin.id).run();
        const { executionId } = given.datasets[0]!;
        const denied = await send("stage", { executionId, isRead: false });
        answers.push(denied.status, (await send("publish", {})).status);
        await env.DB.prepare("update users set role = 'admin' where id = ?").bind(team.admin.id).run();
        answers.push((await send("stage", { executionId: "another", isRead: false })).status);
      },
    });
    await sandbox.post(`/v4/docs/${doc}/run`, team.admin.key, {});
    expect(order).toMatchObject({ datasets: [{ key: "t", isStaged: true }], publishMs: expect.any(Number) });
    // The user may not write to the lake any more; nothing is staged that could be published; no such dataset.
    expect(answers).toEqual([403, 409, 404]);
  });

  /** A run whose commit is made, with these notes, by an engine and a sandbox that nobody hears of again. */
  async function publishUnheard(
    doc: string,
    prepare: (runId: string, executionId: string) => Promise<NonNullable<LakeCommit["state"]>>,
  ) {
    const sandbox = fakeSandbox({
      vanish: true,
      async during({ runId, datasets }) {
        const state = await prepare(runId, datasets[0]!.executionId);
        const row = await env.DB.prepare("select build_id from doc_runs where id = ?").bind(runId).first();
        const lake = openLake(env, lakeId);
        const key = statementKey(`doc/${doc}/${runId}`);
        const jobId = String(row!.build_id);
        const opened = await lake.openStatement({ key, jobId, table: undefined, actor: `doc:${doc}`, ttlMs: 60_000 });
        if (!opened.ok) throw new Error(opened.refusal.detail);
        const { lease, fence } = opened.value;
        const change = { kind: "create_schema" as const, schema: `of_${jobId.slice(-6)}` };
        const commit = { key, author: null, message: null, actor: `doc:${doc}`, changes: [change], state };
        await lake.commit({ lease, fence, jobId, commit });
        // Its sandbox is silent from here on, and knows nothing of it.
        await env.DB.prepare("update doc_runs set lease_until = '2020-01-01' where id = ?").bind(runId).run();
      },
    });
    const { body } = await sandbox.post(`/v4/docs/${doc}/run`, team.admin.key, {});
    const { id } = body.data as { id: string };
    const seen = async () => (await call("GET", `/v4/docs/${doc}/runs/${id}`, { key: team.admin.key })).body.data;
    await expect
      .poll(seen, { timeout: 20_000 })
      .toMatchObject({ state: "succeeded", executions: [{ state: "succeeded" }] });
    return id;
  }

  it("has succeeded where its tables are published, whatever became of its sandbox", async () => {
    await publishUnheard(await build("late"), async () => []);
  });

  const warned = [
    { kind: "unique", columns: ["id"] },
    { kind: "row_count", max: 1, severity: "warn" },
  ];
  const results = [
    { dataset: "t", index: 0, severity: "error", state: "passed", rows: 0, sample: null, error: null },
    { dataset: "t", index: 1, severity: "warn", state: "failed", rows: 2, sample: null, error: null },
  ];

  it.each<[string, { noted: string; kept: string }, object[]]>([
    [
      "as its engine put it in the bucket before the commit",
      { noted: "results", kept: JSON.stringify(results) },
      [{ state: "passed" }, { state: "failed", rows: 2 }],
    ],
    [
      "that nobody knows it where a later run's commit has left its note",
      { noted: "those of another run", kept: JSON.stringify(results) },
      [{ state: "passed" }, { state: "unknown", rows: null }],
    ],
    [
      "that nobody knows it where what is there are no results",
      { noted: "results", kept: '[{"dataset": "t"' },
      [{ state: "passed" }, { state: "unknown", rows: null }],
    ],
  ])("tells of its tests, where the answer of its publishing was lost, %s", async (_, { noted, kept }, tests) => {
    const name = `lost_${noted.length}_${kept.length}`;
    const doc = (await post({ t: sql({ ...table(name), tests: warned }) })).body.data.id as string;
    const id = await publishUnheard(doc, async (runId, executionId) => {
      const run = { teamId: team.id, id: runId };
      const staged = {
        ...{ dataset: "t", tableId: null, columns: [], addedIds: [], widened: [], files: [], rows: 2, watermark: null },
        target: { schema: "main", name, mode: "replace" as const, key: [] },
      };
      const stage = { staged, reads: [], since: null, publishedBy: null, stagedAt: Date.now() };
      await env.BUCKET.put(stageKey(run, executionId), JSON.stringify(stage));
      await env.BUCKET.put(resultsKey(run, "results"), kept);
      return [{ key: lastResultsKey(doc), value: noted }];
    });
    const { body } = await call("GET", `/v4/docs/${doc}/runs/${id}/tables`, { key: team.admin.key });
    expect(body.data.items).toMatchObject([{ name, is_published: true, rows: 2, tests }]);
  });
});

describe("listRunTables", () => {
  refusesStrangers("listRunTables", (key) => call("GET", `/v4/docs/${lakeId}/runs/${lakeId}/tables`, { key }), {
    right: "docs:read",
  });

  it("tells what a run builds, before anything of it is there", async () => {
    const doc = (
      await post({ t: sql({ ...table("told", { mode: "append" }), tests: [{ kind: "unique", columns: ["id"] }] }) })
    ).body.data.id as string;
    const { body } = await fakeSandbox().post(`/v4/docs/${doc}/run`, team.admin.key, {});
    const { id } = body.data as { id: string };
    expect((await call("GET", `/v4/docs/${doc}/runs/${id}/tables`, { key: team.member.key })).body.data).toMatchObject({
      total: 1,
      items: [
        { schema: "main", name: "told", mode: "append", is_published: false, rows: null, sources: [], tests: [] },
      ],
    });
  });
});

describe("listLineage", () => {
  refusesStrangers("listLineage", (key) => call("GET", `/v4/catalog/integrations/${lakeId}/lineage`, { key }), {
    right: "catalog:read",
  });

  it("is empty where no doc has built a table, and not found of what is no lake", async () => {
    const path = (id: string) => `/v4/catalog/integrations/${id}/lineage`;
    const fresh = await newTeam();
    const answer = await call("GET", path(await findLakeId(fresh.id)), { key: fresh.member.key });
    expect(answer.body.data).toMatchObject({ items: [], total: 0 });
    expect((await call("GET", path(lakeId), { key: fresh.admin.key })).status).toBe(404);
  });
});

describe("getTableLineage", () => {
  const path = (table: string, lake = lakeId) => `/v4/catalog/integrations/${lake}/tables/main/${table}/lineage`;

  refusesStrangers("getTableLineage", (key) => call("GET", path("t"), { key }), { right: "catalog:read" });

  it("tells the columns that each column comes from, and which are unknown; not to whom roles bind", async () => {
    const { team, lakeId: lake } = await newLakeTeam();
    expect((await call("GET", path("t", lake), { key: team.member.key })).status).toBe(404);
    const columns = [
      { column: "id", sources: [{ schema: "main", name: "t", column: "id" }] },
      { column: "one", sources: [] },
      { column: "guess", sources: null },
    ];
    await env.DB.prepare(
      `insert into table_builds (team_id, lake_id, schema_name, table_name, doc_id, dataset_key, run_id, state, tried_at,
         tests_failed, tests_warned, published_at, sources, columns)
       values (?1, ?2, 'main', 'T', ?1, 't', ?1, 'published', ?3, 0, 0, ?3, ?4, ?5)`,
    )
      .bind(
        ...[team.id, lake, new Date().toISOString(), JSON.stringify([{ schema: "main", name: "t" }])],
        JSON.stringify(columns),
      )
      .run();
    const { data } = (await call("GET", path("t", lake), { key: team.member.key })).body;
    expect(data).toMatchObject({ dataset_key: "t", sources: [{ schema: "main", name: "t" }] });
    expect(data.columns).toEqual([
      { name: "id", is_known: true, sources: columns[0]!.sources },
      { name: "one", is_known: true, sources: [] },
      { name: "guess", is_known: false, sources: [] },
    ]);
    await addRole(team, [{ integration_id: lake, schema: "main", table: "t" }], [team.member.id]);
    expect((await call("GET", path("t", lake), { key: team.member.key })).body.data).toMatchObject({ columns: null });
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LAKE_ADMIN_LIMITS } from "../../../../src/features/lake-admin/limits.ts";
import { collectLakeObjects } from "../../../../src/features/lakes/collect-objects.ts";
import { newId } from "../../../../src/core/ids.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { deleteRows } from "../../../support/unit/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { newLakeTeam, newOperator } from "./lakes.ts";

const PATH = "/v4/admin/lake/health";
const clients = openClients(env as Env);

refusesStrangers("listLakeHealth", (key) => call("GET", PATH, { key }), { right: "lake:manage" });
refusesStrangers("getLakeHealth", (key) => call("GET", `${PATH}/${newId()}`, { key }), { right: "lake:manage" });

/** Inserts the row that an ended maintenance run would have left. */
const endMaintenance = (teamId: string, lakeId: string, state: string, progress: object | null = null) =>
  env.DB.prepare(
    `insert into automation_runs (id, team_id, resource_type, resource_id, kind, cause, owner_id, attempts_max,
       backoff_seconds, timeout_seconds, state, attempt, refusals, due_at, deadline_at, revision, started_at, ended_at,
       created_at, updated_at, progress)
     values (?1, ?2, 'lake_integration_maintenance', ?3, 'full', 'manual', ?1, 1, 1, 1, ?4, 1, 0, ?5, ?5, 1, ?5, ?5, ?5, ?5, ?6)`,
  )
    .bind(newId(), teamId, lakeId, state, new Date().toISOString(), progress && JSON.stringify(progress))
    .run();

describe("getLakeHealth", () => {
  it("asks the catalog now: files, deleted rows, snapshots, and a verdict that says what to do", async () => {
    const { team, lakeId, lake, writer, fill } = await newLakeTeam();
    const { key } = team.admin;
    expect((await call("GET", `${PATH}/${lakeId}`, { key })).body.data).toMatchObject({
      integrationId: lakeId,
      grade: "good",
      findings: [],
      orphans: null,
      lastMaintenance: null,
      figures: { files: 0, rows: 0, deleteRatio: 0, snapshots: 2, tables: 1 },
    });
    await fill(30);
    const { snapshotId } = await lake.catalog.currentSnapshot();
    const file = writer.deletes("main", "t", 4);
    valueOf(await writer.commit([deleteRows("main", "t", { dataFileId: 0, file })], { baseSnapshotId: snapshotId }));
    await endMaintenance(team.id, lakeId, "failed");
    const { data } = (await call("GET", `${PATH}/${lakeId}`, { key })).body;
    expect(data).toMatchObject({
      grade: "fair",
      figures: { files: 30, smallFiles: 30, smallFileShare: 1, deleteFiles: 1, rows: 296, deletedRows: 4 },
      lastMaintenance: { kind: "full", state: "failed" },
      tables: [{ schema: "main", name: "t", grade: "fair", rows: 296 }],
    });
    expect(data.figures.deleteRatio).toBeCloseTo(4 / 300);
    expect(data.findings.map(({ code }: { code: string }) => code)).toEqual(["small_files", "maintenance_failed"]);
  });

  it("names a table that each of the last three maintenances has left alone, until one comes to it", async () => {
    const { team, lakeId } = await newLakeTeam();
    const maintained = async (state: string) => {
      const tables = [
        { schema: "main", name: "orders", step: "merge", state },
        { schema: "main", name: "orders", step: "rewrite", state },
        { schema: "main", name: "lines", step: "merge", state: "done" },
      ];
      await endMaintenance(team.id, lakeId, "succeeded", { kind: "maintenance", level: "full", steps: [], tables });
      return (await call("GET", `${PATH}/${lakeId}`, { key: team.admin.key })).body.data;
    };
    for (let times = 0; times < 2; times++) expect((await maintained("left_alone")).findings).toEqual([]);
    const message = expect.stringMatching(/^main\.orders has been left alone by each of the last maintenances/);
    expect(await maintained("left_alone")).toMatchObject({
      grade: "fair",
      findings: [{ code: "left_alone", grade: "fair", message }],
    });
    expect((await maintained("done")).findings).toEqual([]);
  });

  it("tells of tables that docs build: tests that fail or warn, and what is older than a job of its doc promises", async () => {
    const { team, lakeId } = await newLakeTeam();
    const { key } = team.admin;
    const dataset = (table: string) => ({ engine: "sql", sql: "SELECT 1 AS id", materialize: { table } });
    const datasets = Object.fromEntries(["fresh", "failed", "warned", "old", "unplanned"].map((t) => [t, dataset(t)]));
    const made = await call("POST", "/v4/docs", {
      key,
      body: { version: 1, kind: "pipeline", metadata: { name: "Shop" }, datasets },
    });
    const docId = made.body.data.id as string;
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const build = async (table: string, { age = 1, failed = 0, warned = 0 } = {}) => {
      const run = newId();
      const tests = [
        ...(failed ? [{ schema: "main", table, name: "unique id", severity: "error" }] : []),
        ...(warned ? [{ schema: "main", table, name: "not_null id", severity: "warn" }] : []),
      ];
      await env.DB.batch([
        env.DB.prepare(
          `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until,
             deadline_at, created_at, failed_tests) values (?1, ?2, ?3, 'Shop', 1, 'manual', ?4, '', 'failed', ?5, ?5, ?5, ?6)`,
        ).bind(run, team.id, docId, team.admin.id, minutesAgo(age), tests.length > 0 ? JSON.stringify(tests) : null),
        env.DB.prepare(
          `insert into table_builds (team_id, lake_id, schema_name, table_name, doc_id, dataset_key, run_id, state, tried_at,
             tests_failed, tests_warned, published_at) values (?1, ?2, 'main', ?3, ?4, ?3, ?5, ?6, ?7, ?8, ?9, ?7)`,
        ).bind(
          ...[team.id, lakeId, table, docId, run, failed ? "tests_failed" : "published", minutesAgo(age)],
          ...[failed, warned],
        ),
      ]);
    };
    await build("fresh");
    await build("failed", { failed: 1, warned: 1 });
    await build("warned", { warned: 1 });
    await build("old", { age: 300 });
    await build("unplanned", { age: 300 });
    const job = await call("POST", "/v4/automations/jobs", {
      key,
      body: {
        ...{
          name: "Hourly",
          resourceType: "doc",
          resourceId: docId,
          datasetKeys: ["fresh", "old", "warned", "failed"],
        },
        schedule: { cron: "0 * * * *", timezone: "UTC" },
      },
    });
    expect(job.status, JSON.stringify(job.body)).toBe(201);
    // The schedule is older than the tables.
    await env.DB.prepare("update automation_jobs set updated_at = ? where team_id = ?")
      .bind(minutesAgo(1_000), team.id)
      .run();
    const health = async () => (await call("GET", `${PATH}/${lakeId}`, { key })).body.data;
    const { builtTables, findings, grade } = await health();
    expect(builtTables).toMatchObject([
      { name: "failed", state: "tests_failed", testsFailed: 1, testsWarned: 1, overdueSince: null },
      { name: "fresh", state: "published", testsFailed: 0, testsWarned: 0, overdueSince: null, failedTests: [] },
      { name: "old", overdueSince: expect.any(String) },
      { name: "unplanned", overdueSince: null },
      { name: "warned", failedTests: [{ name: "not_null id", severity: "warn" }] },
    ]);
    expect(builtTables[0].failedTests).toEqual([
      { name: "unique id", severity: "error" },
      { name: "not_null id", severity: "warn" },
    ]);
    expect(builtTables[2].ageSeconds).toBeGreaterThanOrEqual(300 * 60);
    expect(findings.map(({ code, message }: Record<string, string>) => [code, message!.split(" ")[0]])).toEqual([
      ["tests_failed", "main.failed"],
      ["tests_warned", "main.warned"],
      ["not_built", "main.old"],
    ]);
    expect(grade).toBe("fair");
    // Nobody builds the tables of an archived doc.
    await call("DELETE", `/v4/docs/${docId}`, { key });
    expect(await health()).toMatchObject({ builtTables: [], findings: [] });
  });

  it("is 404 for another team's lake and for an integration that is none, but an operator's for any lake", async () => {
    const [{ lakeId }, stranger, operator] = [await newLakeTeam(), await newTeam(), await newOperator()];
    expect((await call("GET", `${PATH}/${lakeId}`, { key: stranger.admin.key })).status).toBe(404);
    expect((await call("GET", `${PATH}/${lakeId}`, { key: operator.admin.key })).body.data).toMatchObject({
      integrationId: lakeId,
    });
    expect((await call("GET", `${PATH}/${newId()}`, { key: operator.admin.key })).status).toBe(404);
    const source = newId();
    await env.DB.prepare(
      `insert into integrations (id, team_id, type, name, is_default, details, created_at, updated_at)
       values (?, ?, 'postgres', 'shop', 0, '{}', '2000', '2000')`,
    )
      .bind(source, stranger.id)
      .run();
    for (const { key } of [stranger.admin, operator.admin])
      expect((await call("GET", `${PATH}/${source}`, { key })).status).toBe(404);
  });
});

describe("listLakeHealth", () => {
  it("shows an admin the own team's lakes, and nothing for another team's id", async () => {
    const [one, other] = [await newLakeTeam(), await newLakeTeam()];
    const idsOf = async (query: string) =>
      (await call("GET", `${PATH}${query}`, { key: one.team.admin.key })).body.data.items.map(
        ({ integrationId }: { integrationId: string }) => integrationId,
      );
    expect(await idsOf("")).toEqual([one.lakeId]);
    expect(await idsOf(`?teamIds=${one.team.id}&teamIds=${other.team.id}`)).toEqual([one.lakeId]);
    expect(await idsOf(`?teamIds=${other.team.id}`)).toEqual([]);
    expect((await call("GET", `${PATH}?teamIds=x`, { key: one.team.admin.key })).status).toBe(422);
  });

  it("shows an operator those of the teams that are named, by page", async () => {
    const [one, other, operator] = [await newLakeTeam(), await newLakeTeam(), await newOperator()];
    const { key } = operator.admin;
    const page = (
      await call("GET", `${PATH}?teamIds=${one.team.id}&teamIds=${other.team.id}&limit=1&offset=1`, { key })
    ).body.data;
    expect(page).toMatchObject({ total: 2, limit: 1, offset: 1, items: [{ integrationId: other.lakeId }] });
    expect((await call("GET", PATH, { key })).body.data.total).toBeGreaterThanOrEqual(3);
  });

  it("answers from what the last round has seen, and says of when that is", async () => {
    const { team, lakeId, fill } = await newLakeTeam();
    const { key } = team.admin;
    const at = new Date(Date.now() - 3_600_000);
    await fill(25);
    await collectLakeObjects(clients, { teamId: team.id, id: lakeId }, at);
    await fill(700);
    const { items } = (await call("GET", PATH, { key })).body.data;
    expect(items).toMatchObject([{ measuredAt: at.toISOString(), grade: "fair", figures: { files: 25 } }]);
    expect(items[0].orphans).toEqual({ objects: 0, bytes: 0, measuredAt: at.toISOString() });
    expect((await call("GET", `${PATH}/${lakeId}`, { key })).body.data).toMatchObject({ grade: "poor" });
  });

  it("asks a bounded number of lakes that no round has seen, and does not know the others", async () => {
    const { team } = await newLakeTeam();
    const operator = await newOperator();
    const ids = Array.from({ length: LAKE_ADMIN_LIMITS.lakesMeasuredLiveMax + 2 }, () => newId());
    const insert = env.DB.prepare(
      `insert into integrations (id, team_id, type, name, is_default, details, created_at, updated_at)
       values (?1, ?2, 'lake', ?1, 0, '{}', '2000-01-01T00:00:00.000Z', '2000-01-01T00:00:00.000Z')`,
    );
    await env.DB.batch(ids.map((id) => insert.bind(id, team.id)));
    const { items } = (await call("GET", `${PATH}?teamIds=${team.id}`, { key: operator.admin.key })).body.data;
    const grades = items.map(({ grade }: { grade: string }) => grade);
    expect(grades.filter((grade: string) => grade === "good")).toHaveLength(LAKE_ADMIN_LIMITS.lakesMeasuredLiveMax);
    expect(grades.filter((grade: string) => grade === "unknown")).toHaveLength(3);
    expect(items.find(({ grade }: { grade: string }) => grade === "unknown")).toMatchObject({
      measuredAt: null,
      figures: null,
      tables: [],
    });
  });
});

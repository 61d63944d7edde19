// A statement that writes by Trino's protocol while it is held, how it ends, and for how long that is known.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../src/features/query/async/limits.ts";
import { TRINO_LIMITS } from "../../../../src/features/trino/limits.ts";
import { findQuery, selectOverdue } from "../../../../src/features/query/async/store.ts";
import { sweepAsyncQueries } from "../../../../src/features/query/async/sweep.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { patientEngine, reportEnd, sendAsync, storeResult } from "../../../support/unit/query/async-queries.ts";
import { catalogEnding } from "../../../support/unit/query/writing-engine.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const WRITE = 'CREATE SCHEMA "made"';
const COUNTED = "CREATE TABLE lake.main.made AS SELECT 1 AS a";

let team: TestTeam;
let engine: ReturnType<typeof patientEngine>;
beforeEach(async () => {
  // The sweep looks at those of every team.
  await env.DB.prepare("delete from async_queries").run();
  team = await newTeam();
  engine = patientEngine();
});

const headers = { "content-type": "text/plain", "x-trino-catalog": "lake" };
async function begin(raw: string = WRITE, key = team.admin.key) {
  const { status, body } = await callWith(engine.bindings, "POST", "/v1/statement", { key, raw, headers });
  expect(status, body.message).toBe(200);
  return body;
}
const look = async ({ nextUri }: { nextUri: string }, more: object = {}, key = team.admin.key) =>
  callWith({ ...(engine.bindings as object), ...more } as never, "GET", new URL(nextUri).pathname, { key });
const clients = () => openClients({ ...env, ...(engine.bindings as object) } as Env);
const sweep = (ms: number) => sweepAsyncQueries(clients(), new Date(Date.now() + ms));
const rowOf = (id: string) => findQuery(clients().db, team.id, id);
const heldSqlOf = (id: string) =>
  env.DB.prepare("select held_sql from async_queries where id = ?").bind(id).first<string>("held_sql");
const exec = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const countOf = (table: string, where = "true") =>
  env.DB.prepare(`select count(*) n from ${table} where team_id = ? and ${where}`).bind(team.id).first<number>("n");

/** Rows of others' queries of the team that have not ended. */
const fill = (count: number, { heldSql, deadlineMs = 600_000 }: { heldSql?: string; deadlineMs?: number } = {}) =>
  exec(
    `insert into async_queries (team_id, id, user_id, integration_id, asked_by, format, created_at, deadline_at,
       is_repeated, held_sql)
     with recursive t(n) as (select 1 union all select n + 1 from t where n < ?4)
     select ?1, 'filled-' || n, 'u', 'i', 'sql', 'json', ?2, ?3, 1, ?5 from t`,
    team.id,
    new Date().toISOString(),
    new Date(Date.now() + deadlineMs).toISOString(),
    count,
    heldSql ?? null,
  );
const empty = () => exec("delete from async_queries where team_id = ? and id like 'filled-%'", team.id);

describe("statements that are held", () => {
  it("keep no query of the team from running", async () => {
    await fill(ASYNC_QUERY_LIMITS.runningMax, { heldSql: "select 1" });
    expect((await begin("SELECT 1")).error).toBeUndefined();
    expect((await sendAsync(engine, team.admin.key, { body: {} })).status).toBe(202);
    expect(engine.sent).toHaveLength(2);
  });

  it("are so many of one user at a time, and as many of another", async () => {
    const pages = await Promise.all(
      Array.from({ length: ASYNC_QUERY_LIMITS.heldStatementsPerUserMax + 3 }, () => begin()),
    );
    const refused = pages.filter(({ error }) => error);
    expect(refused.map(({ error }) => error.errorName)).toEqual(Array(3).fill("QUERY_QUEUE_FULL"));
    expect(refused[0]!.error.message).toMatch(/^20 statements .* ask for their pages/);
    expect(await countOf("async_queries")).toBe(ASYNC_QUERY_LIMITS.heldStatementsPerUserMax);
    expect((await begin(WRITE, (await team.newMember("admin")).key)).error).toBeUndefined();
    await look(pages.find(({ error }) => !error)!);
    expect((await begin()).error).toBeUndefined();
  });

  it("end at their deadline by one sweep that reads none of their SQL, and count as no queries", async () => {
    const page = await begin();
    await fill(ASYNC_QUERY_LIMITS.sweptMax, { heldSql: "select 1", deadlineMs: ASYNC_QUERY_LIMITS.heldStatementMs });
    await sweep(ASYNC_QUERY_LIMITS.heldStatementMs - 10_000);
    expect(await countOf("async_queries", "ended_at is not null")).toBe(0);
    const late = new Date(Date.now() + 86_400_000).toISOString();
    expect(await selectOverdue(clients().db, late, 1_000)).toEqual([]);
    expect(await rowOf(page.id)).not.toHaveProperty("heldSql");
    expect((await sweep(ASYNC_QUERY_LIMITS.heldStatementMs + 10_000)).queriesLost).toBe(ASYNC_QUERY_LIMITS.sweptMax);
    expect((await sweep(ASYNC_QUERY_LIMITS.heldStatementMs + 10_000)).queriesLost).toBe(1);
    expect(await countOf("async_queries", "held_sql is not null")).toBe(0);
    expect((await look(page)).body.error.errorName).toBe("USER_CANCELED");
    expect([engine.sent, engine.asked]).toEqual([[], []]);
    expect(await countOf("event_rollups", "type = 'query'")).toBe(0);
  });

  it("count as no queries where they are cancelled, or could not begin", async () => {
    const page = await begin();
    const path = new URL(page.nextUri).pathname;
    expect((await callWith(engine.bindings, "DELETE", path, { key: team.admin.key })).status).toBe(204);
    expect(await heldSqlOf(page.id)).toBeNull();
    const late = await begin();
    await exec("update async_queries set deadline_at = created_at where id = ?", late.id);
    for (const each of [page, late]) expect((await look(each)).body.error.errorName).toBe("USER_CANCELED");
    expect(engine.sent).toHaveLength(0);
    expect(await countOf("event_rollups", "type = 'query'")).toBe(0);
  });

  it("wait while as many queries run as may, and then begin once", async () => {
    await fill(ASYNC_QUERY_LIMITS.runningMax);
    const page = await begin();
    const { status, body } = await look(page);
    expect([status, body.stats.state, body.error]).toEqual([200, "QUEUED", undefined]);
    expect(engine.sent).toHaveLength(0);
    expect(await heldSqlOf(page.id)).toContain("made");
    await empty();
    await Promise.all([look(body), look(body), look(page)]);
    expect(engine.sent.map(({ statement }) => statement.id)).toEqual([page.id]);
    await storeResult(engine, team, page.id, "");
    expect((await look(body)).body).toMatchObject({ updateType: "CREATE SCHEMA", stats: { state: "FINISHED" } });
  });

  it("end at their deadline where as many queries run as may all the time", async () => {
    await fill(ASYNC_QUERY_LIMITS.runningMax);
    const page = await begin();
    await look(page);
    await exec("update async_queries set deadline_at = created_at where id = ?", page.id);
    const { error } = (await look(page)).body;
    expect([error.errorName, error.message]).toEqual([
      "USER_CANCELED",
      expect.stringContaining("Nothing of it was written."),
    ]);
    await empty();
    expect((await look(page)).body.error).toEqual(error);
    expect(engine.sent).toHaveLength(0);
  });

  it("have no more bytes than the database keeps of a row, in whatever letters", async () => {
    const most = Math.floor(TRINO_LIMITS.heldStatementBytesMax / 3);
    const long = (letters: number): string => `CREATE TABLE lake.main.made AS SELECT '${"€".repeat(letters)}' AS a`;
    const { error } = await begin(long(most));
    expect([error.errorName, error.message]).toEqual([
      "NOT_SUPPORTED",
      expect.stringContaining("too long once it is translated"),
    ]);
    const page = await begin(long(most - 1_000));
    await look(page);
    expect(engine.sent.map(({ statement }) => statement.id)).toEqual([page.id]);
  });
});

describe("a statement that has written", () => {
  it("says so for as long as an address of its page is good", async () => {
    const page = await begin(COUNTED);
    await look(page);
    await storeResult(engine, team, page.id, '{"count":7}\n');
    for (const sweptMs of [
      ASYNC_QUERY_LIMITS.repeatedQueryResultMs + 60_000,
      ASYNC_QUERY_LIMITS.trinoPageMs - 60_000,
    ]) {
      await sweep(sweptMs);
      const { status, body } = await look(page);
      expect([status, body.error, body.updateCount]).toEqual([200, undefined, 7]);
    }
    await sweep(ASYNC_QUERY_LIMITS.trinoPageMs + 60_000);
    expect((await look(page)).status).toBe(404);
  });

  it("is forgotten later than one that read", async () => {
    const page = await begin("SELECT 1");
    await storeResult(engine, team, page.id, "[1],\n");
    await sweep(ASYNC_QUERY_LIMITS.repeatedQueryResultMs + 60_000);
    expect((await look(page)).status).toBe(404);
  });

  it("says so where its sender is bound by roles since, and one that failed says nothing of why", async () => {
    const writer = await team.newMember("admin");
    const pages = [];
    for (const sql of [COUNTED, COUNTED, COUNTED]) pages.push(await begin(sql, writer.key));
    for (const page of pages) await look(page, {}, writer.key);
    const [written, lost, failed] = pages;
    await storeResult(engine, team, written.id, '{"count":7}\n');
    await reportEnd(engine, team, failed.id, { outcome: "failed", failure: { code: "sql_error", message: "Secret." } });
    engine.running.clear();
    await exec("update async_queries set accepted_at = created_at where id = ?", lost.id);
    await addRole(team, [{ integration_id: "*", schema: "elsewhere" }], [writer.id]);
    const demoted = { key: team.admin.key, body: { role: "member" } };
    expect((await callWith(engine.bindings, "PATCH", `/v4/users/${writer.id}`, demoted)).status).toBe(200);
    const committed = catalogEnding(async () => 7);
    expect((await look(written, {}, writer.key)).body).toMatchObject({ updateCount: 7, stats: { state: "FINISHED" } });
    expect((await look(lost, committed, writer.key)).body.warnings).toHaveLength(1);
    expect((await look(failed, {}, writer.key)).body.error.errorName).toBe("PERMISSION_DENIED");
  });
});

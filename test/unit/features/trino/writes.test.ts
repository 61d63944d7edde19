// A statement that writes by Trino's protocol, where answers are lost, engines fail and nobody asks.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { LIMITS } from "../../../../src/core/limits.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../src/features/query/async/limits.ts";
import { sweepAsyncQueries } from "../../../../src/features/query/async/sweep.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { patientEngine, reportEnd, storeResult } from "../../../support/unit/query/async-queries.ts";
import { catalogEnding } from "../../../support/unit/query/writing-engine.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const WRITE = 'CREATE SCHEMA "made"';
const COUNTED = "CREATE TABLE lake.main.made AS SELECT 1 AS a";

let team: TestTeam;
let engine: ReturnType<typeof patientEngine>;
beforeAll(async () => void (team = await newTeam()));
beforeEach(() => void (engine = patientEngine()));

const bindings = (more: object = {}): object => ({ ...(engine.bindings as object), ...more });
const headers = { "content-type": "text/plain", "x-trino-catalog": "lake" };
async function begin(raw: string = WRITE, key = team.admin.key) {
  const { status, body } = await callWith(bindings(), "POST", "/v1/statement", { key, raw, headers });
  expect(status).toBe(200);
  return body;
}
const pathOf = ({ nextUri }: { nextUri: string }): string => new URL(nextUri).pathname;
const look = async (page: { nextUri: string }, more: object = {}, key = team.admin.key) =>
  callWith(bindings(more), "GET", pathOf(page), { key });
const rowOf = (id: string) => env.DB.prepare("select * from async_queries where id = ?").bind(id).first();
const FAILED = { outcome: "failed", failure: { code: "sql_error", message: "It exists." } } as const;

describe("a statement that writes", () => {
  it("is known to no engine before its first page is asked for, and runs once however often it is", async () => {
    const page = await begin();
    expect(engine.sent).toHaveLength(0);
    const answers = await Promise.all([look(page), look(page), look(page)]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([200, undefined]));
    expect(engine.sent.map(({ statement }) => [statement.id, statement.sql])).toEqual([
      [page.id, 'CREATE SCHEMA LAKE."made"'],
    ]);
    expect(engine.sent[0]!.statement.target).toMatchObject({ kind: "lake" });
    expect((await rowOf(page.id))!["held_sql"]).toBeNull();
    await storeResult(engine, team, page.id, "");
    expect((await look(page)).body).toMatchObject({
      updateType: "CREATE SCHEMA",
      columns: [],
      stats: { state: "FINISHED" },
    });
    await look(page);
    expect(engine.sent).toHaveLength(1);
  });

  it("says how many rows it wrote", async () => {
    const page = await begin(COUNTED);
    await look(page);
    await storeResult(engine, team, page.id, '{"count":9007199254740993}\n');
    const { body } = await look(page);
    expect(body).toMatchObject({ updateType: "CREATE TABLE", columns: [{ name: "rows", type: "bigint" }] });
    expect(body.data).toHaveLength(1);
  });

  it("was written where its engine was lost after the commit, though nobody knows how many rows", async () => {
    const page = await begin(COUNTED);
    await look(page);
    const committed = catalogEnding(async () => 7);
    engine.running.clear();
    await env.DB.prepare("update async_queries set accepted_at = created_at where id = ?").bind(page.id).run();
    const { body } = await look(page, committed);
    expect(body.error).toBeUndefined();
    expect(body).toMatchObject({ updateType: "CREATE TABLE", stats: { state: "FINISHED" } });
    expect(body.warnings).toMatchObject([{ warningCode: { name: "ROW_COUNT_UNKNOWN" } }]);
    expect(body).not.toHaveProperty("updateCount");
    expect(body).not.toHaveProperty("data");
  });

  it("says that nothing was written where its engine was lost before", async () => {
    const page = await begin();
    await look(page);
    engine.running.clear();
    const { status, body } = await look(
      page,
      catalogEnding(async () => "unwritten"),
    );
    expect([status, body.error.message]).toEqual([200, expect.stringContaining("Nothing of it was written.")]);
  });

  it("runs on while its lake cannot say whether it was written, and ends as not known, never as to be sent again", async () => {
    const page = await begin();
    await look(page);
    engine.running.clear();
    const away = catalogEnding(() => Promise.reject(new Error("The catalog is away.")));
    const meanwhile = await look(page, away);
    expect([meanwhile.status, meanwhile.body.error, typeof meanwhile.body.nextUri]).toEqual([200, undefined, "string"]);
    const late = Date.now() + LIMITS.queryDeadlineMsMax + ASYNC_QUERY_LIMITS.writeSettledMs + 600_000;
    await sweepAsyncQueries(openClients({ ...env, ...bindings(away) } as Env), new Date(late));
    const { status, body } = await look(page, away);
    expect([status, body.error.errorName]).toEqual([200, "GENERIC_INTERNAL_ERROR"]);
    expect(body.error.message).toMatch(/not known.*may be written twice/);
    expect(body.error.message).not.toContain("X-Request-Id");
  });

  it("that could not begin has ended so, and begins by no later request", async () => {
    engine.refusal = "busy";
    const page = await begin();
    await look(page);
    engine.refusal = undefined;
    const answers = [await look(page), await look(page)];
    for (const { status, body } of answers) expect([status, body.error.errorName]).toEqual([200, "NO_NODES_AVAILABLE"]);
    expect(engine.sent).toHaveLength(1);
  });

  it("does not begin where nobody asked for it in time", async () => {
    const page = await begin();
    const past = new Date(Date.now() - 1_000).toISOString();
    await env.DB.prepare("update async_queries set deadline_at = ? where id = ?").bind(past, page.id).run();
    expect((await look(page)).body.error.errorName).toBe("USER_CANCELED");
    const forgotten = await begin();
    const later = Date.now() + ASYNC_QUERY_LIMITS.heldStatementMs + 10_000;
    await sweepAsyncQueries(openClients({ ...env, ...bindings() } as Env), new Date(later));
    expect((await look(forgotten)).body.error.errorName).toBe("USER_CANCELED");
    expect(engine.sent).toHaveLength(0);
  });

  it("is kept, and begun, for nobody but its sender", async () => {
    const page = await begin();
    const stranger = await newTeam();
    for (const key of [team.member.key, stranger.admin.key]) expect((await look(page, {}, key)).status).toBe(404);
    const refused = await begin(WRITE, team.member.key);
    expect(refused.error.errorName).toBe("PERMISSION_DENIED");
    expect(await rowOf(refused.id)).toBeNull();
    expect(engine.sent).toHaveLength(0);
  });

  it("has failed as its engine says", async () => {
    const page = await begin();
    await look(page);
    await reportEnd(engine, team, page.id, FAILED);
    expect((await look(page)).body.error).toMatchObject({ errorName: "GENERIC_USER_ERROR", message: "It exists." });
  });
});

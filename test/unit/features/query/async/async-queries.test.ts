// Queries with `Prefer: respond-async`: what their senders hear, however they end.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../../../src/core/limits.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../../src/features/query/async/limits.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { patientEngine, reportEnd, sendAsync, storeResult } from "../../../../support/unit/query/async-queries.ts";
import { callWith, post } from "../../../../support/unit/call-with.ts";
import { addLake, addRole } from "../../../../support/unit/data-access/roles.ts";
import { addPostgres } from "../../../../support/unit/databases.ts";
import { call } from "../../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

refusesStrangers("getQuery", (key) => call("GET", `/v1/query/${crypto.randomUUID()}`, { key }), { right: "query" });

let team: TestTeam;
let postgres: string;
let engine: ReturnType<typeof patientEngine>;
beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team);
});
beforeEach(() => void (engine = patientEngine()));

/** Sends one as the member and answers its id. */
async function send(more: { prefer?: string; id?: string; key?: string; of?: string; body?: object } = {}) {
  const { key = team.member.key, of = postgres, body: extra = {}, ...rest } = more;
  const { status, body } = await sendAsync(engine, key, { ...rest, body: { integration_id: of, ...extra } });
  expect(status, body.message).toBe(202);
  return body.request_id as string;
}
const get = (id: string, key = team.member.key) => callWith(engine.bindings, "GET", `/v1/query/${id}`, { key });
const cancel = (id: string, key = team.member.key) => callWith(engine.bindings, "DELETE", `/v1/query/${id}`, { key });
const RESULT = JSON.stringify({
  columns: ["one"],
  types: [{ name: "one", type: "int4", kind: "integer" }],
  data: [{ one: 1 }],
  rowCount: 1,
  truncated: false,
  timing: { durationMs: 1 },
  meta: { requestId: crypto.randomUUID(), durationMs: 1 },
  success: true,
});
const FAILED = { outcome: "failed", failure: { code: "sql_error", message: "No such column." } } as const;
const exec = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe("a query that its sender does not wait for", () => {
  it("is 202 with its address until it has ended, and then its result", async () => {
    const id = crypto.randomUUID();
    const sent = await sendAsync(engine, team.member.key, { id, body: { integration_id: postgres } });
    const running = { success: true, request_id: id, status: "running" };
    expect([sent.status, sent.body]).toEqual([202, expect.objectContaining(running)]);
    const { headers } = sent;
    expect([headers.get("location"), headers.get("preference-applied")]).toEqual([`/v1/query/${id}`, "respond-async"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await get(id.toUpperCase())).toMatchObject({ status: 202, body: running });
    expect(await storeResult(engine, team, id, RESULT)).toBe(204);
    const ended = await get(id);
    expect([ended.status, ended.body, ended.headers.get("content-type")]).toEqual([
      200,
      JSON.parse(RESULT),
      "application/json",
    ]);
    expect((await get(id, team.admin.key)).status).toBe(200);
  });

  it("takes the longest deadline unless it says another, and is no lease's", async () => {
    await send();
    await send({ body: { timeout_ms: 5_000 } });
    expect(engine.sent.map(({ statement }) => statement.deadlineMs)).toEqual([LIMITS.queryDeadlineMsMax, 5_000]);
    expect(engine.sent.map(({ waitMs }) => waitMs)).toEqual([0, 0]);
  });

  it("is answered at once where it ends while its sender waits, as it went", async () => {
    engine.onSent = async ({ statement }) => {
      await storeResult(engine, team, statement.id, RESULT);
      return true;
    };
    const body = { integration_id: postgres };
    const good = await sendAsync(engine, team.member.key, { prefer: "respond-async, wait=100000", body });
    expect([good.status, good.body.data]).toEqual([200, [{ one: 1 }]]);
    engine.onSent = async ({ statement }) => {
      await reportEnd(engine, team, statement.id, FAILED);
      return true;
    };
    const bad = await sendAsync(engine, team.member.key, { prefer: "wait=2,Respond-Async", body });
    expect([bad.status, bad.body.error.code]).toEqual([400, "query_failed"]);
    expect(engine.sent.map(({ waitMs }) => waitMs)).toEqual([ASYNC_QUERY_LIMITS.waitMsMax, 2_000]);
  });

  it("is 202 also where it ends before that is said", async () => {
    engine.onSent = async ({ statement }) => {
      await reportEnd(engine, team, statement.id, FAILED);
      return false;
    };
    expect((await get(await send())).status).toBe(400);
  });

  it("fails with the failure's own status, words and place", async () => {
    const id = await send();
    const location = { position: 8, line: 1, column: 8 };
    const failure = { ...FAILED.failure, position: 8 };
    expect(await reportEnd(engine, team, id, { outcome: "failed", failure, location })).toBe(204);
    expect(await get(id)).toMatchObject({
      status: 400,
      body: {
        message: "No such column. (at character 8)",
        error: { code: "query_failed", ...location, flaws: [{ pointer: "/sql", line: 1, column: 8 }] },
      },
    });
  });

  it("says when to send it again, where its failure does", async () => {
    const id = await send();
    const failure = { code: "queue_full", message: "As many wait as may.", retryAfterSeconds: 7 } as const;
    await reportEnd(engine, team, id, { outcome: "failed", failure });
    const { status, headers } = await get(id);
    expect([status, headers.get("retry-after")]).toEqual([429, "7"]);
  });

  it("ends as it ended first, whatever is reported later, and counts once", async () => {
    const own = await newTeam();
    const id = await send({ key: own.member.key, of: await addPostgres(own) });
    await reportEnd(engine, own, id, FAILED);
    expect(await storeResult(engine, own, id, RESULT)).toBe(204);
    expect((await get(id, own.member.key)).status).toBe(400);
    const counted = await env.DB.prepare(
      "select sum(count) n from event_rollups where team_id = ? and type = 'query' and span_minutes = 1",
    )
      .bind(own.id)
      .first("n");
    expect(counted).toBe(1);
    const row = env.DB.prepare("select created_at from async_queries where id = ?").bind(id);
    const createdAt = (await row.first<string>("created_at"))!;
    const token = { use: "query" as const, teamId: own.id, queryId: id, createdAt, expiresAt: Date.now() + 60_000 };
    expect((await post(`/queries/${id}/result`, { token, body: { bytes: 1 } })).status).toBe(401);
  });

  it("is refused under an id that was sent before, and runs once", async () => {
    const id = await send({ id: crypto.randomUUID() });
    const again = await sendAsync(engine, team.member.key, { id, body: { integration_id: postgres } });
    expect([again.status, again.body.error.code]).toEqual([409, "resource_conflict"]);
    expect(engine.sent).toHaveLength(1);
  });

  it("may be sent again under the id of one that its engine did not take, for it was at that very statement", async () => {
    const id = crypto.randomUUID();
    engine.refusal = "id_running";
    const body = { integration_id: postgres };
    expect((await sendAsync(engine, team.member.key, { body, id })).body.error.code).toBe("work_in_progress");
    engine.refusal = undefined;
    await send({ id });
    expect((await get(id)).status).toBe(202);
  });

  it("is none where the preference is another, or quoted", async () => {
    for (const prefer of ["wait=1", 'foo="a, respond-async"', "respond-async=no", "respond-asynchronously"]) {
      const { status } = await sendAsync(engine, team.member.key, { prefer, body: { integration_id: postgres } });
      expect([prefer, status]).not.toEqual([prefer, 202]);
      expect(engine.sent.at(-1)).not.toHaveProperty("token");
    }
  });
});

describe("another's query", () => {
  it("is not found, to see or to cancel, but by admins", async () => {
    const id = await send();
    const { key } = await team.newMember();
    const stranger = await newTeam();
    for (const other of [key, stranger.member.key, stranger.admin.key]) {
      const [seen, cancelled] = [await get(id, other), await cancel(id, other)];
      expect([seen.status, cancelled.status]).toEqual([404, 404]);
      expect(seen.body.message).toBe(`Query ${id} was not found.`);
    }
    expect(engine.running.has(id)).toBe(true);
    expect((await cancel(id, team.admin.key)).status).toBe(204);
  });
});

describe("a query that is cancelled", () => {
  it("ends as its engine says, who may have been done", async () => {
    const id = await send();
    expect((await cancel(id)).status).toBe(204);
    await storeResult(engine, team, id, RESULT);
    expect((await get(id)).status).toBe(200);
    expect((await cancel(id)).status).toBe(404);
  });

  it("ends there and then where no engine runs it, and is not begun any more", async () => {
    const cancelled = { id: "" };
    engine.onSent = async ({ statement: { id } }) => {
      engine.running.delete(id);
      expect((await cancel(id)).status).toBe(204);
      engine.running.add((cancelled.id = id));
      return false;
    };
    const answer = await get(await send());
    expect([answer.status, answer.body.error.code]).toEqual([499, "query_cancelled"]);
    expect(engine.running.has(cancelled.id)).toBe(false);
  });
});

describe("a query whose engine is gone", () => {
  it("has failed, in words, for whoever asks next", async () => {
    const id = await send();
    engine.running.clear();
    expect(await get(id)).toMatchObject({
      status: 503,
      body: { error: { code: "engine_unavailable" }, message: expect.stringContaining("stopped while it worked") },
    });
    expect((await get(id)).status).toBe(503);
  });

  it("is waited for while its engine may be starting", async () => {
    const id = await send();
    engine.running.clear();
    await exec("update async_queries set accepted_at = null where id = ?", id);
    expect((await get(id)).status).toBe(202);
    const created = new Date(Date.now() - ASYNC_QUERY_LIMITS.startMs - 1_000).toISOString();
    await exec("update async_queries set created_at = ? where id = ?", created, id);
    expect((await get(id)).status).toBe(503);
  });

  it("has failed where it refuses it, with that failure, and where the connection breaks", async () => {
    engine.refusal = "busy";
    const id = crypto.randomUUID();
    const refused = await sendAsync(engine, team.member.key, { id, body: { integration_id: postgres } });
    expect([refused.status, refused.body.error.code]).toEqual([503, "engine_unavailable"]);
    expect((await get(id)).status).toBe(503);
    engine.refusal = undefined;
    engine.onSent = () => Promise.reject(new Error("broken"));
    const lost = crypto.randomUUID();
    const answer = await sendAsync(engine, team.member.key, { id: lost, body: { integration_id: postgres } });
    expect(answer.status).toBe(503);
    expect(engine.running.has(lost)).toBe(false);
  });
});

describe("a result", () => {
  it("is not shown once its sender may read otherwise than as it was made", async () => {
    const own = await newTeam();
    const of = await addPostgres(own);
    const id = await send({ key: own.member.key, of });
    await storeResult(engine, own, id, RESULT);
    await addRole(own, [{ integration_id: of, schema: "public" }], [own.member.id]);
    const mine = async (query: string) => (await get(query, own.member.key)).status;
    // Roles are remembered for a while; a member who is new to this isolate is asked about anew.
    const second = await send({ key: own.member.key, of });
    await storeResult(engine, own, second, RESULT);
    expect([await mine(id), await mine(second)]).toEqual([403, 200]);
    expect((await get(id, own.admin.key)).status).toBe(200);
  });

  it("that is a failure is not shown either, whether the query had failed by then or runs on", async () => {
    const own = await newTeam();
    const of = await addPostgres(own);
    const [failed, runs] = [await send({ key: own.member.key, of }), await send({ key: own.member.key, of })];
    await reportEnd(engine, own, failed, FAILED);
    await addRole(own, [{ integration_id: of, schema: "public" }], [own.member.id]);
    // Roles are remembered for a while; a member who is new to this isolate is asked about anew.
    await send({ key: own.member.key, of });
    await reportEnd(engine, own, runs, FAILED);
    for (const id of [failed, runs]) {
      const mine = await get(id, own.member.key);
      expect([mine.status, mine.body.message]).toEqual([403, expect.stringContaining("has changed since")]);
      expect(JSON.stringify(mine.body)).not.toContain("No such column");
      expect((await get(id, own.admin.key)).body.message).toContain("No such column");
    }
  });

  it("of who is bound since says what was written, or that a statement that might write has run", async () => {
    const own = await newTeam();
    const lake = await addLake(own);
    const writer = await own.newMember("admin");
    const sql = "CREATE TABLE LAKE.main.t AS SELECT 1 AS one";
    const sendWrite = () => send({ key: writer.key, of: lake, body: { sql } });
    const [done, committed, failed] = [await sendWrite(), await sendWrite(), await sendWrite()];
    await storeResult(engine, own, done, RESULT);
    await reportEnd(engine, own, failed, FAILED);
    await exec(
      "update async_queries set ended_at = created_at, problem = ? where id = ?",
      JSON.stringify({ code: "write_committed", detail: "It wrote snapshot 7.", flaws: [] }),
      committed,
    );
    await addRole(own, [{ integration_id: "*", schema: "elsewhere" }], [writer.id]);
    const demoted = { key: own.admin.key, body: { role: "member" } };
    expect((await callWith(engine.bindings, "PATCH", `/v4/users/${writer.id}`, demoted)).status).toBe(200);
    const heard = async (id: string) => {
      const { status, body } = await get(id, writer.key);
      return [status, body.message];
    };
    expect(await heard(done)).toEqual([403, expect.stringContaining("if it is one that writes, it has written")]);
    expect(await heard(committed)).toEqual([409, "It wrote snapshot 7."]);
    expect(await heard(failed)).toEqual([403, expect.stringContaining("It failed.")]);
    for (const id of [done, failed]) expect((await heard(id))[1]).not.toContain("Send it again");
  });

  it("comes with the roles of its sender, for nobody is there to be asked for them", async () => {
    const own = await newTeam();
    const of = await addPostgres(own);
    await addRole(own, [{ integration_id: of, schema: "public" }], [own.member.id]);
    await send({ key: own.member.key, of });
    expect(engine.sent[0]!.statement.target).toMatchObject({ access: { roles: [[{ schema: "public" }]] } });
  });
});

describe("a team", () => {
  it("has so many of them running, and so many kept", async () => {
    const own = await newTeam();
    const of = await addPostgres(own);
    const fill = (count: number, endedAt: string | null) =>
      exec(
        `insert into async_queries (team_id, id, user_id, integration_id, asked_by, format, created_at, deadline_at, ended_at)
         with recursive t(n) as (select 1 union all select n + 1 from t where n < ?4)
         select ?1, n, 'u', 'i', 'sql', 'json', ?2, ?2, ?3 from t`,
        own.id,
        new Date(Date.now() + 60_000).toISOString(),
        endedAt,
        count,
      );
    await fill(ASYNC_QUERY_LIMITS.runningMax, null);
    const more = () => sendAsync(engine, own.member.key, { body: { integration_id: of } });
    expect((await more()).status).toBe(429);
    await exec("delete from async_queries where team_id = ?", own.id);
    await fill(ASYNC_QUERY_LIMITS.keptMax, new Date().toISOString());
    expect((await more()).status).toBe(426);
    expect(engine.sent).toHaveLength(0);
  });
});

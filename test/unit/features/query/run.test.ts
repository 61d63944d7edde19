import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openEngine } from "../../../../src/platform/engine/engine.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addPostgres, engineBoot, mysqlCredentials, signalEngine } from "../../../support/unit/databases.ts";
import { call, send } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/query";
refusesStrangers("runQuery", (key) => call("POST", PATH, { key, body: { sql: "select 1" } }), { right: "query" });

let team: TestTeam;
let postgres: string;
beforeAll(async () => {
  team = await newTeam();
  // What runs at the source is looked at below, and other files sleep in the other database.
  postgres = await addPostgres(team, { database: "shop" });
});

const run = (sql: string, more: { query?: string; accept?: string; body?: object; id?: string } = {}) =>
  call("POST", PATH + (more.query ?? ""), {
    key: team.member.key,
    body: { sql, integration_id: postgres, ...more.body },
    headers: { ...(more.accept ? { accept: more.accept } : {}), ...(more.id ? { "x-request-id": more.id } : {}) },
  });

describe("runQuery", () => {
  it("answers a member rows, columns, types, and the request's id", async () => {
    const id = crypto.randomUUID();
    const { status, headers, body } = await run("select 1 as one, null as nothing, '' as empty", { id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      columns: ["one", "nothing", "empty"],
      data: [{ one: 1, nothing: null, empty: "" }],
      rowCount: 1,
      truncated: false,
      meta: { requestId: id },
    });
    expect(headers.get("x-request-id")).toBe(id);
  });

  it("refuses half of a surrogate pair, which would be asked for as another character", async () => {
    expect((await run("select '\uD83D'")).body.error).toMatchObject({
      code: "validation_failed",
      flaws: [{ pointer: "/sql" }],
    });
    expect((await run("select '\uD83D\uDE00' as whole")).body.data).toEqual([{ whole: "\uD83D\uDE00" }]);
  });

  it("binds parameters to the names in a statement, and keeps them out of its text", async () => {
    const parameters = { day: { type: "date", value: "2026-01-31" }, ids: [1, 2], word: "'; select 1; --" };
    const { status, body } = await run("select $day as day, $word as word, 2 in ($ids) as has", {
      body: { parameters },
    });
    expect([status, body.data]).toEqual([200, [{ day: "2026-01-31", word: "'; select 1; --", has: true }]]);
    const lacking = await run("select $word, $other", { body: { parameters: { word: "x" } } });
    expect(lacking.status).toBe(400);
    expect(JSON.stringify(lacking.body.error)).toContain("no value for $other");
  });

  it("says which parameter is not what it is said to be", async () => {
    const parameters = { a: { type: "date", value: "2026-02-30" }, b: [1, "x"], e: { value: 1 } };
    const { status, body } = await run("select 1", { body: { parameters } });
    expect(status).toBe(422);
    expect(body.error.flaws.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "/parameters/a/value",
      "/parameters/b/1",
      "/parameters/e/type",
    ]);
    const prototype = JSON.parse('{"__proto__": 1}') as object;
    expect((await run("select 1", { body: { parameters: prototype } })).body.error.flaws).toMatchObject([
      { pointer: "/parameters/__proto__" },
    ]);
    const misnamed = await run("select 1", { body: { parameters: { "c-d": 1 } } });
    expect(misnamed.body.error.flaws).toMatchObject([{ pointer: "/parameters/c-d" }]);
    const cube = { sql: undefined, cube_query: { measures: ["a.b"] }, parameters: {} };
    expect((await run("select 1", { body: cube })).body.error.flaws).toMatchObject([{ pointer: "/parameters" }]);
  });

  it("answers the same from MySQL", async () => {
    const { body } = await call("POST", "/v1/api/integrations", {
      key: team.admin.key,
      body: { type: "mysql", credentials: mysqlCredentials() },
    });
    const rows = await call("POST", PATH, {
      key: team.member.key,
      body: { sql: "select 1 as one, 'x' as x", integration_id: body.integration.id },
    });
    expect(rows.body.data).toEqual([{ one: 1, x: "x" }]);
  });

  it("passes numbers through as the engine wrote them", async () => {
    const sql = "select 9007199254740993::bigint as big";
    const text = await (
      await send("POST", PATH, { key: team.member.key, body: { sql, integration_id: postgres } })
    ).text();
    expect(text).toContain('"big":9007199254740993');
    expect((await run(sql, { query: "?numbers=string" })).body.data).toEqual([{ big: "9007199254740993" }]);
  });

  it.each([
    ["text/csv", "text/csv", "n\r\n1\r\n2\r\n"],
    ["application/x-ndjson", "application/x-ndjson", '{"n":1}\n{"n":2}\n'],
  ])("answers %s", async (accept, type, expected) => {
    const { status, headers, body } = await run("select n from generate_series(1, 2) as t(n)", { accept });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain(type);
    expect(body.replaceAll("\r\n", "\n")).toBe(expected.replaceAll("\r\n", "\n"));
  });

  it.each(["application/vnd.apache.arrow.stream", "application/vnd.apache.parquet"])("answers %s", async (accept) => {
    const { status, headers } = await run("select 1 as one", { accept });
    expect({ status, type: headers.get("content-type") }).toEqual({ status: 200, type: accept });
  });

  it("takes what existing clients send besides", async () => {
    expect(
      (await run("select 1 as one", { query: "?raw=true", body: { persist: true, invalidate: false } })).status,
    ).toBe(200);
  });

  it("streams: the first rows are there while the statement still runs", async () => {
    const response = await send("POST", PATH, {
      key: team.member.key,
      headers: { accept: "text/csv" },
      body: { sql: "select generate_series(1, 100000000) as n, repeat('x', 1000) as x", integration_id: postgres },
    });
    const reader = response.body!.getReader();
    for (let bytes = 0; bytes < 1_000_000; ) bytes += (await reader.read()).value?.length ?? Number.NaN;
    await reader.cancel();
    await statementsEnd();
  });
});

describe("runQuery refuses", () => {
  it.each([
    ["neither sql nor cube_query", {}, ["/sql"]],
    ["both sql and cube_query", { sql: "select 1", cube_query: {} }, ["/cube_query", "/sql"]],
    ["a cube_query where there is no semantic model", { cube_query: { measures: ["a.b"] } }, ["/integration_id"]],
    ["an unknown field", { sql: "select 1", limit: 1 }, ["/limit"]],
    ["an empty statement", { sql: "" }, ["/sql"]],
    ["a statement of two megabytes", { sql: `select '${"x".repeat(2_000_000)}'` }, ["/sql"]],
    ["a deadline past the longest", { sql: "select 1", timeout_ms: 900_001 }, ["/timeout_ms"]],
  ])("%s", async (_, body, pointers) => {
    const answer = await call("POST", PATH, { key: team.member.key, body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.flaws.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers);
  });

  it("an unknown query parameter and a way of numbers that is none", async () => {
    expect(await run("select 1", { query: "?numbers=text" })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/query/numbers" }] } },
    });
    expect(await run("select 1", { query: "?pretty=1" })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/query/pretty" }] } },
    });
  });

  it("a format there is not", async () => {
    expect(await run("select 1", { accept: "text/html" })).toMatchObject({
      status: 406,
      body: { error: { code: "not_acceptable" } },
    });
  });

  it("an integration that is unknown, another team's, or no id, all alike", async () => {
    const foreign = await addPostgres(await newTeam());
    for (const id of [crypto.randomUUID(), foreign, "default"]) {
      expect(await run("select 1", { body: { integration_id: id } })).toMatchObject({
        status: 404,
        body: { message: `Integration ${id} was not found.` },
      });
    }
  });

  it("SQL to a semantic model and a cube_query to a database, each naming the other", async () => {
    const now = new Date().toISOString();
    const id = crypto.randomUUID();
    await env.DB.prepare("INSERT INTO integrations VALUES (?, ?, 'cube', 'Cube', 0, ?, NULL, NULL, ?, ?)")
      .bind(id, team.id, JSON.stringify({ integration_id: postgres }), now, now)
      .run();
    expect(await run("select 1", { body: { integration_id: id } })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("cube_query"), error: { flaws: [{ pointer: "/sql" }] } },
    });
    const body = { cube_query: { measures: ["a.b"] }, integration_id: postgres };
    expect(await call("POST", PATH, { key: team.member.key, body })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("send it sql"), error: { flaws: [{ pointer: "/cube_query" }] } },
    });
  });

  it("a statement the source refuses, with the source's message and where", async () => {
    const { status, body } = await run("select nonsense from pg_class");
    expect(status).toBe(400);
    expect(body).toMatchObject({
      message: expect.stringContaining("nonsense"),
      error: {
        code: "query_failed",
        retryable: false,
        position: 8,
        line: 1,
        column: 8,
        flaws: [{ pointer: "/sql", line: 1, column: 8 }],
      },
    });
  });

  it("a statement that writes", async () => {
    expect(await run("create table t (a int)")).toMatchObject({
      status: 400,
      body: { error: { code: "query_failed" } },
    });
  });

  it("a statement that outlasts its deadline, and nothing of it goes on", async () => {
    expect(await run("select pg_sleep(60)", { body: { timeout_ms: 500 } })).toMatchObject({
      status: 408,
      body: { error: { code: "query_timeout" } },
    });
    await statementsEnd();
  });

  it("a second statement under the id of one that runs", async () => {
    const id = crypto.randomUUID();
    const first = run("select pg_sleep(60)", { id });
    await statementRuns("pg_sleep");
    expect(await run("select 1", { id })).toMatchObject({ status: 409, body: { error: { code: "work_in_progress" } } });
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.member.key })).status).toBe(204);
    expect((await first).status).toBe(499);
  });
});

describe("cancelQuery", () => {
  it("cancels at the source, and the one who waited is told", async () => {
    const id = crypto.randomUUID();
    const waiting = run("select pg_sleep(60)", { id });
    await statementRuns("pg_sleep");
    expect((await call("DELETE", `${PATH}/${id.toUpperCase()}`, { key: team.admin.key })).status).toBe(204);
    expect(await waiting).toMatchObject({ status: 499, body: { error: { code: "query_cancelled" } } });
    await statementsEnd();
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.member.key })).status).toBe(404);
  });

  it("reaches nobody else's, unless by an admin, nor does who goes away under another's id", async () => {
    const [id, other] = [crypto.randomUUID(), await team.newMember()];
    const waiting = run("select pg_sleep(60)", { id });
    await statementRuns("pg_sleep");
    const missing = await call("DELETE", `${PATH}/${crypto.randomUUID()}`, { key: other.key });
    const refused = await call("DELETE", `${PATH}/${id}`, { key: other.key });
    expect([refused.status, refused.body.message.replace(id, "")]).toEqual([
      404,
      missing.body.message.replace(/[0-9a-f-]{36}/, ""),
    ]);
    expect(
      (await call("POST", PATH, { key: other.key, body: { sql: "select 1" }, headers: { "x-request-id": id } })).status,
    ).not.toBe(200);
    expect(await openEngine(env, team.id).cancelStatement(id, other.id)).toBe(false);
    expect(await openEngine(env, team.id).renewStatement(id)).toBe(true);
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await waiting).status).toBe(499);
  });

  it("reaches no other team's statements, and wakes no engine", async () => {
    const other = await newTeam();
    const id = crypto.randomUUID();
    const waiting = run("select pg_sleep(60)", { id });
    await statementRuns("pg_sleep");
    for (const name of [id, "x"])
      expect((await call("DELETE", `${PATH}/${name}`, { key: other.admin.key })).status).toBe(404);
    expect(await engineBoot(other.id)).toBeUndefined();
    await call("DELETE", `${PATH}/${id}`, { key: team.member.key });
    expect((await waiting).status).toBe(499);
  });
});

refusesStrangers("cancelQuery", (key) => call("DELETE", `${PATH}/${crypto.randomUUID()}`, { key }), { right: "query" });

describe("a caller who goes away", () => {
  it("mid-stream ends the statement at the source", async () => {
    const response = await send("POST", PATH, {
      key: team.member.key,
      headers: { accept: "text/csv" },
      body: { sql: "select generate_series(1, 100000000) as n, repeat('x', 1000) as x", integration_id: postgres },
    });
    const reader = response.body!.getReader();
    await reader.read();
    await statementRuns("generate_series");
    await reader.cancel();
    await statementsEnd();
  });
});

describe("a caller who goes away before the first row", () => {
  it("ends the statement at the source, where the runtime tells of it", async () => {
    const [id, leaving] = [crypto.randomUUID(), new AbortController()];
    const request = new Request(`https://fjord.test${PATH}`, {
      method: "POST",
      headers: { authorization: `Bearer ${team.member.key}`, "content-type": "application/json", "x-request-id": id },
      body: JSON.stringify({ sql: "select pg_sleep(60)", integration_id: postgres }),
      signal: leaving.signal,
    });
    const answer = exports.default.fetch(request).then(
      (response) => response.status,
      () => "left",
    );
    await statementRuns("pg_sleep");
    leaving.abort();
    expect(["left", 499]).toContain(await answer);
    await until(async (statements) => {
      // Its lease is kept up, so that it can't be what ends it.
      await openEngine(env, team.id).renewStatement(id);
      return !isLong(statements);
    });
  });
});

describe("an engine that is killed", () => {
  it("is replaced for the next call", async () => {
    expect((await run("select 1 as one")).status).toBe(200);
    const before = await engineBoot(team.id);
    await signalEngine(team.id, 9);
    expect((await run("select 1 as one")).body.data).toEqual([{ one: 1 }]);
    expect(await engineBoot(team.id)).not.toBe(before);
  });

  it("fails the statement it was at with a retryable answer, and does not run it again", async () => {
    const waiting = run("select pg_sleep(60)");
    await statementRuns("pg_sleep");
    await signalEngine(team.id, 9);
    const { status, headers, body } = await waiting;
    expect({
      status,
      code: body.error.code,
      retryable: body.error.retryable,
      again: headers.get("retry-after"),
    }).toEqual({ status: 503, code: "engine_unavailable", retryable: true, again: "2" });
    expect(body.message).toContain("stopped while it worked");
    expect((await run("select 1 as one")).status).toBe(200);
  });
});

/** What runs at the source right now but for the question itself. */
const running = async (): Promise<string[]> => {
  const sql =
    "select query from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'";
  const { body } = await run(sql);
  return body.data.map((row: { query: string }) => row.query);
};

const until = async (isSo: (statements: string[]) => boolean | Promise<boolean>) => {
  let seen: string[] = [];
  for (const end = Date.now() + 45_000; Date.now() < end; await scheduler.wait(50)) {
    seen = await running();
    if (await isSo(seen)) return;
  }
  throw new Error(`still running: ${seen.join("; ")}`);
};
const statementRuns = (word: string) => until((statements) => statements.some((text) => text.includes(word)));
const isLong = (statements: string[]) => statements.some((text) => /pg_sleep|generate_series/.test(text));
const statementsEnd = () => until((statements) => !isLong(statements));

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { QUESTION_LIMITS } from "../../../../src/features/saved-queries/limits.ts";
import { readToken } from "../../../../src/platform/crypto/token.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { writingEngine } from "../../../support/unit/query/writing-engine.ts";
import { newTeam, type Person, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/queries";
const NEW = { name: "Orders", sql: "SELECT * FROM orders" };
const nobody = `${PATH}/${crypto.randomUUID()}`;

refusesStrangers("createSavedQuery", (key) => call("POST", PATH, { key, body: NEW }), { right: "queries:write" });
refusesStrangers("updateSavedQuery", (key) => call("PATCH", nobody, { key, body: { name: "x" } }), {
  right: "queries:write",
});
refusesStrangers("deleteSavedQuery", (key) => call("DELETE", nobody, { key }), { right: "queries:write" });
refusesStrangers("restoreSavedQuery", (key) => call("POST", `${nobody}/restore`, { key }), { right: "queries:write" });
refusesStrangers("listSavedQueries", (key) => call("GET", PATH, { key }), { right: "query" });
refusesStrangers("runSavedQuery", (key) => call("POST", `${nobody}/run`, { key }), { right: "query" });

let team: TestTeam;
let other: Person;
beforeAll(async () => {
  team = await newTeam();
  other = await team.newMember();
});

const save = (body: object, key = team.member.key) => call("POST", PATH, { key, body });
const saved = async (body: object = NEW, key?: string) => (await save(body, key)).body.data;
const patch = (id: string, body: object, { key = team.member.key, headers = {} } = {}) =>
  call("PATCH", `${PATH}/${id}`, { key, body, headers });
const get = (id: string, more = "") => call("GET", `${PATH}/${id}${more}`, { key: other.key });
const pointers = ({ status, body }: Answer) => [
  status,
  body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];

describe("createSavedQuery", () => {
  it("keeps a question with its parameters, and others of the team read it", async () => {
    const body = {
      name: " Orders ",
      description: "Of a country",
      tags: ["sales", "sales", "daily"],
      sql: "SELECT * FROM orders WHERE country = $country AND id IN ($ids)",
      parameters: {
        country: { type: "text", default: "NO", allowed_values: ["NO", "SE"] },
        ids: { type: "integer", list: true, nullable: true },
      },
    };
    const answer = await save(body);
    expect([answer.status, answer.headers.get("etag")]).toEqual([201, '"1"']);
    const read = await get(answer.body.data.id);
    expect(read.headers.get("etag")).toBe('"1"');
    expect(read.body.data).toMatchObject({
      name: "Orders",
      tags: ["sales", "daily"],
      owner_id: team.member.id,
      certified: false,
      version: 1,
      sql: body.sql,
      parameters: { country: { type: "text", list: false, nullable: false, default: "NO" }, ids: { list: true } },
    });
  });

  const declared = (declaration: object) => ({ name: "x", sql: "SELECT $a", parameters: { a: declaration } });
  it.each([
    ["neither SQL nor a cube_query", { name: "x" }, ["/sql"]],
    ["both", { ...NEW, cube_query: { measures: ["a.b"] } }, ["/sql"]],
    ["no name", { ...NEW, name: " " }, ["/name"]],
    ["a parameter that the text does not name", { ...NEW, parameters: { a: { type: "text" } } }, ["/parameters/a"]],
    [
      "a place of a cube_query without a parameter",
      { name: "x", cube_query: { limit: { parameter: "n" } } },
      ["/cube_query"],
    ],
    ["a type that is none", declared({ type: "varchar" }), ["/parameters/a/type"]],
    ["a default of another type", declared({ type: "integer", default: "one" }), ["/parameters/a/default"]],
    [
      "NULL as the default of what may not be NULL",
      declared({ type: "text", default: null }),
      ["/parameters/a/default"],
    ],
    [
      "a default that is not allowed",
      declared({ type: "text", default: "c", allowed_values: ["a"] }),
      ["/parameters/a/default"],
    ],
    [
      "an allowed value of another type",
      declared({ type: "date", allowed_values: ["soon"] }),
      ["/parameters/a/allowed_values/0"],
    ],
    [
      "two sources of allowed values",
      declared({ type: "text", allowed_values: ["a"], allowed_sql: "SELECT 1" }),
      ["/parameters/a/allowed_sql"],
    ],
    ["a list as the default of one value", declared({ type: "text", default: ["a"] }), ["/parameters/a/default"]],
    ["an integration that is not there", { ...NEW, integration_id: crypto.randomUUID() }, ["/integration_id"]],
  ])("refuses %s, and says where", async (_, body, expected) => {
    expect(pointers(await save(body))).toEqual([422, expected]);
  });

  it("refuses more than a row takes, and keeps nothing of it", async () => {
    const before = (await call("GET", PATH, { key: other.key })).body.data.total;
    const answer = await save({ name: "x", sql: `SELECT '${"x".repeat(QUESTION_LIMITS.savedQueryBytesMax)}'` });
    expect(answer.status).toBe(422);
    expect((await call("GET", PATH, { key: other.key })).body.data.total).toBe(before);
  });

  it("refuses SQL for a semantic model, and a cube_query for a lake", async () => {
    const lake = (await call("GET", "/v1/api/integrations?type=lake", { key: team.admin.key })).body.data[0].id;
    const credentials = { integration_id: lake };
    const made = await call("POST", "/v1/api/integrations", {
      key: team.admin.key,
      body: { type: "cube", name: "Model", credentials },
    });
    const cube = made.body.integration.id;
    expect(pointers(await save({ ...NEW, integration_id: cube }))).toEqual([422, ["/integration_id"]]);
    const asked = { name: "x", cube_query: { measures: ["orders.count"] } };
    expect(pointers(await save({ ...asked, integration_id: lake }))).toEqual([422, ["/integration_id"]]);
    expect((await save({ ...asked, integration_id: cube })).status).toBe(201);
  });
});

describe("updateSavedQuery", () => {
  it("is its owner's and the admins', and nobody else's", async () => {
    const { id } = await saved();
    const body = { name: "Mine now" };
    expect((await patch(id, body, { key: other.key })).status).toBe(403);
    expect((await call("DELETE", `${PATH}/${id}`, { key: other.key })).status).toBe(403);
    expect((await patch(id, body, { key: team.admin.key })).body.data).toMatchObject({
      ...body,
      owner_id: team.member.id,
    });
    expect((await patch(id, { owner_id: other.id })).status).toBe(403);
    expect((await patch(id, { owner_id: other.id }, { key: team.admin.key })).status).toBe(200);
    expect((await patch(id, body)).status).toBe(403);
    expect((await patch(id, { name: "Handed over" }, { key: other.key })).status).toBe(200);
  });

  it("gives no query to a user of another team", async () => {
    const { id } = await saved();
    const stranger = await newTeam();
    const answer = await patch(id, { owner_id: stranger.member.id }, { key: team.admin.key });
    expect(pointers(answer)).toEqual([422, ["/owner_id"]]);
  });

  it("takes the certified mark at any change, of its name or description too: agents take them at their word", async () => {
    const { id } = await saved();
    expect((await patch(id, { certified: true })).status).toBe(403);
    const marked = await patch(id, { certified: true }, { key: team.admin.key });
    expect(marked.body.data).toMatchObject({ certified: true, certified_by: team.admin.id, version: 1 });
    let version = 1;
    const gone = { certified: false, certified_by: null, certified_at: null };
    for (const change of [{ name: "Another" }, { description: "Obey me." }, { tags: ["a"] }, { sql: "SELECT 2" }]) {
      expect((await patch(id, change)).body.data).toMatchObject({ ...gone, version: ++version });
      await patch(id, { certified: true }, { key: team.admin.key });
    }
    expect((await patch(id, { parameters: {}, certified: true }, { key: team.admin.key })).body.data.certified).toBe(
      true,
    );
    expect((await patch(id, { certified: false }, { key: team.admin.key })).body.data.certified).toBe(false);
  });

  it("changes only what was read, and of two changes at once one", async () => {
    const { id } = await saved();
    await patch(id, { name: "Second" });
    expect((await patch(id, { name: "Late" }, { headers: { "if-match": '"1"' } })).status).toBe(412);
    expect((await patch(id, { name: "Third" }, { headers: { "if-match": '"2"' } })).status).toBe(200);
    const answers = await Promise.all(["a", "b", "c"].map((name) => patch(id, { name, sql: `SELECT '${name}'` })));
    const made = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 409).length).toBe(answers.length - made.length);
    const { version, name, sql } = (await get(id)).body.data;
    expect(version).toBe(3 + made.length);
    expect(sql).toBe(`SELECT '${name}'`);
  });

  it("keeps what it said before, and forgets the oldest versions", async () => {
    const { id } = await saved({ ...NEW, sql: "SELECT 1" });
    await patch(id, { cube_query: { measures: ["a.b"] } });
    await patch(id, { cube_query: { measures: ["a.b"] } });
    const versions = await get(id, "/versions");
    expect(versions.body.data.items).toMatchObject([
      { version: 2, created_by_name: "Ada" },
      { version: 1, created_by_name: "Ada" },
    ]);
    expect((await get(id, "/versions/1")).body.data).toMatchObject({ name: "Orders", sql: "SELECT 1" });
    const second = (await get(id, "/versions/2")).body.data;
    expect([second.sql, second.cube_query]).toEqual([undefined, { measures: ["a.b"] }]);
    await env.DB.prepare("update saved_queries set version = ?2 where id = ?1")
      .bind(id, QUESTION_LIMITS.savedQueryVersionsKeptMax)
      .run();
    await env.DB.prepare("update saved_query_versions set version = ?2 where query_id = ?1 and version = 2")
      .bind(id, QUESTION_LIMITS.savedQueryVersionsKeptMax)
      .run();
    await patch(id, { sql: "SELECT 3" });
    expect((await get(id, "/versions/1")).status).toBe(404);
  });

  it("is audited, with who did it and without the text", async () => {
    const { id } = await saved({ name: "Audited", sql: "SELECT 'hidden'" });
    await patch(id, { certified: true }, { key: team.admin.key });
    await call("DELETE", `${PATH}/${id}`, { key: team.admin.key });
    await call("POST", `${PATH}/${id}/restore`, { key: team.admin.key });
    const { items } = (await call("GET", `/v4/audit?subject_id=${id}`, { key: team.admin.key })).body.data;
    const actions = items.map(({ action }: { action: string }) => action).sort();
    expect(actions).toEqual(["create", "delete", "restore", "update"].map((verb) => `saved_query.${verb}`));
    expect(JSON.stringify(items)).not.toContain("hidden");
  });
});

describe("listSavedQueries", () => {
  it("finds by all words in name, description, tags and text, in any case", async () => {
    const word = crypto.randomUUID().slice(0, 8);
    const { id } = await saved({
      name: `Straße ${word}`,
      description: "Größe",
      tags: ["Nord"],
      sql: "SELECT revenue FROM t",
    });
    const found = async (search: string) =>
      (await call("GET", `${PATH}?search=${encodeURIComponent(search)}`, { key: other.key })).body.data.items.map(
        (query: { id: string }) => query.id,
      );
    for (const search of [word, `STRASSE ${word}`, `${word} REVENUE`, `nord ${word}`, `GRÖSSE ${word.toUpperCase()}`])
      expect(await found(search)).toEqual([id]);
    expect(await found(`${word} missing`)).toEqual([]);
    expect(await found(`${word} %`)).toEqual([]);
    await patch(id, { sql: "SELECT cost FROM t" });
    expect(await found(`${word} revenue`)).toEqual([]);
    expect(await found(`${word} cost`)).toEqual([id]);
  });

  it("filters by tag, owner and mark, leaves archived ones out, and shows no text", async () => {
    const tag = crypto.randomUUID().slice(0, 8);
    const [one, two] = [await saved({ ...NEW, tags: [tag] }), await saved({ ...NEW, tags: [tag] }, other.key)];
    await patch(one.id, { certified: true }, { key: team.admin.key });
    const ids = async (query: string) => {
      const { body } = await call("GET", `${PATH}?tag=${tag}${query}`, { key: other.key });
      for (const item of body.data.items) expect(item).not.toHaveProperty("sql");
      return body.data.items.map(({ id }: { id: string }) => id);
    };
    expect(await ids("")).toEqual([one.id, two.id]);
    expect(await ids(`&owner_id=${other.id}`)).toEqual([two.id]);
    expect(await ids("&certified=true")).toEqual([one.id]);
    expect(await ids("&limit=1&offset=1")).toEqual([two.id]);
    await call("DELETE", `${PATH}/${one.id}`, { key: team.member.key });
    expect([await ids(""), await ids("&archived=true")]).toEqual([[two.id], [one.id]]);
  });
});

describe("runSavedQuery", () => {
  const run = (id: string, parameters?: object, key = other.key, headers = {}) =>
    call("POST", `${PATH}/${id}/run`, { key, headers, ...(parameters && { body: { parameters } }) });
  let postgres: string;
  beforeAll(async () => void (postgres = await addPostgres(team)));
  const question = (sql: string, parameters: object) =>
    saved({ name: "Asked", sql, parameters, integration_id: postgres });

  it("binds what is sent, takes defaults for the rest, and answers by Accept", async () => {
    const { id } = await question("SELECT $a AS a, $b AS b, $c AS c, ARRAY[$d] AS d", {
      a: { type: "text" },
      b: { type: "date", default: "2026-01-31" },
      c: { type: "decimal", nullable: true, default: null },
      d: { type: "integer", list: true, default: [1, 2] },
    });
    const answer = await run(id, { a: "'; DROP TABLE t; --" });
    expect(answer.body).toMatchObject({
      success: true,
      columns: ["a", "b", "c", "d"],
      data: [{ a: "'; DROP TABLE t; --", b: "2026-01-31", c: null, d: [1, 2] }],
    });
    const csv = await run(id, { a: "x", d: [3] }, other.key, { accept: "text/csv" });
    expect(csv.body).toContain("x,2026-01-31,,");
  });

  it("names each value that is missing, superfluous, of another type or not allowed", async () => {
    const { id } = await question("SELECT $a, $b, $c, $d", {
      a: { type: "text" },
      b: { type: "integer" },
      c: { type: "text", allowed_values: ["x", "y"] },
      d: { type: "text" },
    });
    const answer = await run(id, { b: "one", c: "z", d: null, e: 1 });
    expect(pointers(answer)).toEqual([
      422,
      ["/parameters/e", "/parameters/a", "/parameters/b", "/parameters/c", "/parameters/d"],
    ]);
    const prototype = JSON.parse('{"a": "", "b": 1, "c": "x", "d": "", "__proto__": 1}') as Record<string, unknown>;
    expect(pointers(await run(id, prototype))).toEqual([422, ["/parameters/__proto__"]]);
  });

  it("holds a value against what a query allows, with the rights of whoever asks", async () => {
    const { id } = await question("SELECT $n AS n", {
      n: { type: "decimal", allowed_sql: "SELECT unnest(ARRAY[1.50, 2])" },
    });
    expect((await run(id, { n: "1.5" })).body.data).toEqual([{ n: 1.5 }]);
    expect(pointers(await run(id, { n: "1.51" }))).toEqual([422, ["/parameters/n"]]);
    const broken = await question("SELECT $n", { n: { type: "text", allowed_sql: "SELECT nowhere" } });
    expect((await run(broken.id, { n: "x" })).body).toMatchObject({
      message: expect.stringMatching(/^The query for the allowed values of n: /),
      error: { code: "query_failed" },
    });
    const many = await question("SELECT $n", {
      n: { type: "integer", allowed_sql: "SELECT generate_series(1, 10001)" },
    });
    expect((await run(many.id, { n: 1 })).body.message).toContain("more than 10000 values");
  });

  it("writes nothing, even with the key of an admin", async () => {
    const { id } = await saved({ name: "Trap", sql: "CREATE TABLE trap AS SELECT 1" });
    const writers: unknown[] = [];
    const engine = writingEngine(async ({ target }) => {
      if (target.kind !== "lake") throw new Error("Not the lake");
      writers.push((await readToken(env, "lake", target.lake.token, new Date())).writes);
      return "forbidden";
    });
    expect((await callWith(engine, "POST", `${PATH}/${id}/run`, { key: team.admin.key })).status).toBe(403);
    await callWith(engine, "POST", "/v1/query", {
      key: team.admin.key,
      body: { sql: "CREATE TABLE trap AS SELECT 1" },
    });
    expect(writers).toEqual([undefined, expect.objectContaining({ author: expect.any(String) })]);
  });

  it("runs no archived query", async () => {
    const { id } = await question("SELECT 1", {});
    await call("DELETE", `${PATH}/${id}`, { key: team.member.key });
    expect((await run(id)).status).toBe(404);
    await call("POST", `${PATH}/${id}/restore`, { key: team.member.key });
    expect((await run(id)).status).toBe(200);
  });
});

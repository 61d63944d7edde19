// Published endpoints from outside, with an engine that answers what a test says: who is let in, as whom it reads, and
// what is told to whom is not.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { resolveAccess } from "../../../../src/features/access/resolve.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addMember, addRole } from "../../../support/unit/data-access/roles.ts";
import {
  claimsOf,
  ETAG,
  GRANTS,
  inSeconds,
  publish,
  SQL,
  taggingEngine,
  type Published,
} from "../../../support/unit/endpoints/published.ts";
import { signToken, withClaims } from "../../../support/unit/endpoints/tokens.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";

const PATH = "/v4/endpoints";
const nobody = `${PATH}/${crypto.randomUUID()}`;
const right = "endpoints:manage" as const;
refusesStrangers("createEndpoint", (key) => call("POST", PATH, { key, body: {} }), { right });
refusesStrangers("updateEndpoint", (key) => call("PATCH", nobody, { key, body: {} }), { right });
refusesStrangers("deleteEndpoint", (key) => call("DELETE", nobody, { key }), { right });
refusesStrangers("setEndpointSecret", (key) => call("POST", `${nobody}/secret`, { key }), { right });
refusesStrangers("createEndpointKey", (key) => call("POST", `${nobody}/keys`, { key, body: {} }), { right });

const engine = taggingEngine();
let published: Published;
beforeAll(async () => void (published = await publish(await newTeam())));
beforeEach(() => void (engine.sent.length = 0));

const get = ({ team, name }: Published, key: string | undefined, query = "?country=NO", headers = {}) =>
  callWith(engine.bindings, "GET", `/v1/endpoints/${team.id}/${name}${query}`, { key, headers });
const post = ({ team, name }: Published, key: string, parameters: object) =>
  callWith(engine.bindings, "POST", `/v1/endpoints/${team.id}/${name}`, { key, body: { parameters } });
const pointers = ({ status, body }: Answer) => [
  status,
  body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];
/** All of a refusal but the request's id and duration. */
const refusal = ({ status, headers, body }: Answer) => [
  status,
  JSON.stringify({ ...body, meta: undefined }),
  headers.get("etag"),
  headers.get("cache-control"),
  headers.get("ratelimit"),
];

const manage = (method: string, { team, id }: Published, more = "", body?: object) =>
  call(method, `${PATH}/${id}${more}`, { key: team.admin.key, ...(body && { body }) });
const secretOf = async (endpoint: Published, body = {}) =>
  (await manage("POST", endpoint, "/secret", body)).body.data.secret as string;
describe("a call", () => {
  it("reads by the endpoint's role alone, and binds what is sent", async () => {
    const answer = await get(published, published.key, "?country=NO&ids=1&ids=2");
    expect([answer.status, answer.body.data]).toEqual([200, [{ one: 1 }]]);
    const [statement] = engine.sent;
    const scope = { ...scopeOf(published.team.id, published.id, false), role: "member" as const };
    const access = await resolveAccess(
      { ...openClients(env), scope: { ...scope, accessRoleId: published.roleId } },
      { id: statement!.target.kind === "lake" ? statement!.target.lake.lakeId : "" },
    );
    expect(access.kind).toBe("roles");
    expect(statement).toMatchObject({
      sql: SQL,
      target: { kind: "lake", lake: { reader: access.kind === "roles" && access.digest } },
      parameters: { country: { values: ["NO"] }, ids: { isList: true, values: ["1", "2"] } },
    });
    expect(statement!.target).not.toHaveProperty("lake.writer");
    expect((await post(published, published.key, { country: "SE", ids: [7] })).status).toBe(200);
  });

  it("asks the database once, for all that decides on it; many are counted together, behind their answers", async () => {
    await get(published, published.key);
    const asked: string[] = [];
    const DB = new Proxy(env.DB, {
      get(db, name) {
        const member = Reflect.get(db, name) as unknown;
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => {
          if (name === "prepare") asked.push(String(values[0]));
          return Reflect.apply(member, db, values) as unknown;
        };
      },
    });
    const path = `/v1/endpoints/${published.team.id}/${published.name}?country=NO`;
    const calls = Array.from({ length: 5 }, () =>
      callWith({ ...(engine.bindings as object), DB } as never, "GET", path, { key: published.key }),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(asked.map((sql) => sql.split(" ")[0])).toEqual([...Array<string>(5).fill("select"), "insert"]);
  });

  it("names each parameter that is missing, superfluous, of another type or not allowed", async () => {
    expect(pointers(await get(published, published.key, "?ids=one&other=1"))).toEqual([
      422,
      ["/query/other", "/query/country", "/query/ids"],
    ]);
    expect(pointers(await post(published, published.key, { country: "DE" }))).toEqual([422, ["/parameters/country"]]);
    expect(engine.sent).toEqual([]);
  });

  it("goes on with the version that was published, until another is", async () => {
    const own = await publish(published.team, {}, "versions");
    const key = own.team.admin.key;
    await call("PATCH", `/v4/queries/${own.queryId}`, { key, body: { sql: "SELECT $country, $ids" } });
    await get(own, own.key);
    await manage("PATCH", own, "", { query_id: own.queryId });
    await get(own, own.key);
    expect(engine.sent.map(({ sql }) => sql)).toEqual([SQL, "SELECT $country, $ids"]);
  });
});

it("answers where it was published before what is published had kinds", async () => {
  const own = await publish(await newTeam());
  const old = { ...own, id: crypto.randomUUID(), name: "of-before" };
  const columns =
    "query_id, query_version, question, role_id, publisher_id, audience, numbers, rate_per_minute, revision, created_at, updated_at";
  await env.DB.prepare(
    `insert into endpoints (id, team_id, name, ${columns}) select ?, team_id, ?, ${columns} from endpoints where id = ?`,
  )
    .bind(old.id, old.name, own.id)
    .run();
  const { key } = (await manage("POST", old, "/keys", { name: "k" })).body.data;
  expect((await get(old, key)).status).toBe(200);
  expect((await manage("GET", old)).body.data).toMatchObject({ id: old.id, query_id: own.queryId });
});

describe("what does not open an endpoint", () => {
  it("is one 404, to the byte, for team, name, key, token and lost rights", async () => {
    const { team } = published;
    const other = await publish(await newTeam());
    const sibling = await publish(team, {}, "sibling");
    const missing = { ...published, name: "missing" };
    const refused = [
      await get({ ...published, team: { ...team, id: crypto.randomUUID() } }, published.key),
      await get({ ...published, team: { ...team, id: "no-id" } }, published.key),
      await get(missing, published.key),
      await get(published, undefined),
      await get(published, team.admin.key),
      await get(published, sibling.key),
      await get(published, other.key),
      await get(other, published.key),
      await get(published, "fjk_"),
      await get(published, "a.b.c"),
      await get(published, published.key.toLowerCase()),
      await get(published, published.key, "?country=1", { "if-none-match": `${ETAG}, *` }).then(() =>
        get(missing, published.key, "", { "if-none-match": ETAG }),
      ),
      await post(missing, published.key, { nonsense: 1 }),
    ];
    for (const each of refused) expect(refusal(each)).toEqual(refusal(refused[0]!));
    expect(refused[0]!.status).toBe(404);
    expect(engine.sent).toEqual([]);
  });

  it("opens nothing else: an endpoint's key is nobody's on the rest of the API", async () => {
    const secret = await secretOf(published);
    for (const key of [published.key, await signToken(secret, claimsOf(published))])
      for (const [method, path] of [
        ["GET", "/v4/me"],
        ["POST", "/v1/query"],
        ["GET", PATH],
        ["GET", `/v4/queries/${published.queryId}`],
      ])
        expect(
          (await call(method!, path!, { key, ...(method === "POST" && { body: { sql: "SELECT 1" } }) })).status,
        ).toBe(401);
  });

  it("is the name of another team's endpoint, which answers under its own role", async () => {
    const other = await publish(await newTeam());
    await get(published, published.key);
    await get(other, other.key);
    const teams = engine.sent.map(({ target }) => target.kind === "lake" && target.lake.teamId);
    expect(teams).toEqual([published.team.id, other.team.id]);
  });
});

describe("rights that are taken away", () => {
  const opens = async (endpoint: Published) =>
    (await get(endpoint, endpoint.key, "?country=NO", { "if-none-match": ETAG })).status;

  it("close the endpoint at the next call, before any tag is compared", async () => {
    const own = await publish(await newTeam());
    const { team } = own;
    expect(await opens(own)).toBe(304);

    expect((await manage("DELETE", own, `/keys/${own.keyId}`)).status).toBe(204);
    expect(await opens(own)).toBe(404);

    const again = await publish(team, {}, "again");
    await call("DELETE", `/v4/data-access/roles/${again.roleId}`, { key: team.admin.key });
    await call("DELETE", `/v4/data-access/roles/${own.roleId}`, { key: team.admin.key });
    expect(await opens(again)).toBe(404);

    const third = await publish(team, {}, "third");
    expect((await manage("DELETE", third)).status).toBe(204);
    expect(await opens(third)).toBe(404);
  });

  it("are the publisher's, too: demoted they cover no more than the roles they have, gone they cover nothing", async () => {
    const team = await newTeam();
    const second = await team.newMember("admin");
    const own = await publish({ ...team, admin: second });
    const demote = { role: "member" };
    expect(await opens(own)).toBe(304);
    expect((await call("PATCH", `/v4/users/${second.id}`, { key: team.admin.key, body: demote })).status).toBe(200);
    expect(await opens(own)).toBe(404);
    await addMember(team, own.roleId, second.id);
    expect(await opens(own)).toBe(304);
    expect((await call("DELETE", `/v4/users/${second.id}`, { key: team.admin.key })).status).toBe(204);
    expect(await opens(own)).toBe(404);
    const taken = await call("PATCH", `${PATH}/${own.id}`, { key: team.admin.key, body: { description: "Mine" } });
    expect(taken.body.data.publisher_id).toBe(team.admin.id);
    expect(await opens(own)).toBe(304);
  });

  it("make another tag's reader: what a role shows has its own name in the engine's cache", async () => {
    const own = await publish(await newTeam());
    await get(own, own.key);
    const grants = [{ ...GRANTS[0]!, exclude_columns: ["email", "phone"] }];
    await call("PATCH", `/v4/data-access/roles/${own.roleId}`, { key: own.team.admin.key, body: { grants } });
    await get(own, own.key);
    const readers = engine.sent.map(({ target }) => target.kind === "lake" && target.lake.reader);
    expect(new Set(readers).size).toBe(2);
  });

  it("end with a key's own end", async () => {
    const minted = await manage("POST", published, "/keys", { name: "Short", expires_at: "2999-01-01T00:00:00Z" });
    const { key, id } = minted.body.data;
    expect((await get(published, key)).status).toBe(200);
    await env.DB.prepare("update endpoint_keys set expires_at = '2000-01-01T00:00:00.000Z' where id = ?")
      .bind(id)
      .run();
    expect((await get(published, key)).status).toBe(404);
  });
});

describe("a token", () => {
  let own: Published;
  let secret: string;
  beforeAll(async () => {
    own = await publish(published.team, {}, "tokens");
    secret = await secretOf(own);
  });

  it("binds values that its holder can neither change nor leave out", async () => {
    const token = await signToken(secret, claimsOf(own, { parameters: { country: "SE" } }));
    expect((await get(own, token, "?ids=5")).status).toBe(200);
    expect(engine.sent[0]!.parameters).toMatchObject({ country: { values: ["SE"] }, ids: { values: ["5"] } });
    expect(pointers(await get(own, token, "?country=NO"))).toEqual([422, ["/query/country"]]);
    expect(pointers(await get(own, token, "?country=SE"))).toEqual([422, ["/query/country"]]);
    expect(pointers(await post(own, token, { country: null }))).toEqual([422, ["/parameters/country"]]);
    expect(engine.sent).toHaveLength(1);
  });

  it("binds no value that its parameter may not have", async () => {
    for (const parameters of [{ country: "DE" }, { country: 1 }, { country: ["NO"] }, { nowhere: 1, country: "NO" }])
      expect((await get(own, await signToken(secret, claimsOf(own, { parameters })), "")).status).toBe(422);
    expect(engine.sent).toEqual([]);
  });

  const { exp: _, ...endless } = { exp: 0, sub: "", aud: "fjord" };
  it.each([
    ["signed with another secret", async () => signToken(`${secret}x`, claimsOf(own))],
    [
      "signed with nothing",
      async () => signToken(secret, claimsOf(own), { alg: "none" }).then((text) => text.replace(/[^.]*$/, "")),
    ],
    ["of another algorithm", () => signToken(secret, claimsOf(own), { alg: "HS512" })],
    ["of an extension that is not understood", () => signToken(secret, claimsOf(own), { alg: "HS256", crit: ["b64"] })],
    [
      "whose values were changed",
      async () => withClaims(await signToken(secret, claimsOf(own)), claimsOf(own, { parameters: { country: "NO" } })),
    ],
    ["that has ended", () => signToken(secret, claimsOf(own, { exp: inSeconds(-1) }))],
    ["that is good for longer than a day", () => signToken(secret, claimsOf(own, { exp: inSeconds(86_500) }))],
    ["without an end", () => signToken(secret, { ...endless, sub: own.id })],
    ["whose end is a text", () => signToken(secret, claimsOf(own, { exp: "2999" }))],
    ["that is not good yet", () => signToken(secret, claimsOf(own, { nbf: inSeconds(60) }))],
    ["for another audience", () => signToken(secret, claimsOf(own, { aud: "portal" }))],
    ["for a list of audiences", () => signToken(secret, claimsOf(own, { aud: ["fjord"] }))],
    ["of another endpoint", () => signToken(secret, claimsOf(published))],
    ["of no endpoint", () => signToken(secret, claimsOf(own, { sub: undefined }))],
    ["whose parameters are a list", () => signToken(secret, claimsOf(own, { parameters: ["NO"] }))],
    ["longer than any", () => signToken(secret, claimsOf(own, { more: "x".repeat(9_000) }))],
    ["of two parts", async () => (await signToken(secret, claimsOf(own))).replace(/\.[^.]*$/, "")],
    ["of four parts", async () => `${await signToken(secret, claimsOf(own))}.x`],
  ])("%s opens nothing", async (_, make) => {
    expect(await get(own, await make())).toMatchObject({ status: 404, body: { error: { flaws: [] } } });
    expect(engine.sent).toEqual([]);
  });

  it("of a secret that was replaced is good for the overlap, and no longer", async () => {
    const endpoint = await publish(published.team, { audience: "portal" }, "rotated");
    const [first, claims] = [await secretOf(endpoint), claimsOf(endpoint, { aud: "portal" })];
    const old = await signToken(first, claims);
    const second = await secretOf(endpoint, { overlap_seconds: 600 });
    expect((await get(endpoint, old)).status).toBe(200);
    expect((await get(endpoint, await signToken(second, claims))).status).toBe(200);
    await env.DB.prepare("update endpoints set previous_secret_until = '2000-01-01T00:00:00.000Z' where id = ?")
      .bind(endpoint.id)
      .run();
    expect((await get(endpoint, old)).status).toBe(404);
    await secretOf(endpoint);
    expect((await get(endpoint, await signToken(second, claims))).status).toBe(404);
    const row = await env.DB.prepare("select * from endpoints where id = ?").bind(endpoint.id).first();
    expect(JSON.stringify(row)).not.toContain(second);
  });
});

describe("an answer", () => {
  it("is kept by its caller alone, and told unchanged where the caller has it", async () => {
    const first = await get(published, published.key);
    expect([first.headers.get("etag"), first.headers.get("cache-control"), first.headers.get("vary")]).toEqual([
      ETAG,
      "private, no-cache",
      "Accept, Authorization",
    ]);
    const again = await get(published, published.key, "?country=NO", { "if-none-match": `"x", ${ETAG.slice(2)}` });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, undefined, ETAG]);
    expect((await get(published, published.key, "?country=DE", { "if-none-match": ETAG })).status).toBe(422);
    expect((await get(published, published.key, "")).headers.get("cache-control")).toBe("no-store");
  });

  it("comes no more often in a minute than the endpoint allows, for each key by itself", async () => {
    const own = await publish(published.team, { rate_per_minute: 3 }, "slow");
    const other = (await manage("POST", own, "/keys", { name: "Other" })).body.data.key;
    const answers: Answer[] = [];
    // A minute may end in between, but not two.
    while (answers.length < 8 && answers.at(-1)?.status !== 429) answers.push(await get(own, own.key));
    expect(answers.length).toBeGreaterThan(3);
    expect(answers.at(-1)!.status).toBe(429);
    expect(Number(answers.at(-1)!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await get(own, other)).status).toBe(200);
    const figures = async () => (await manage("GET", own, "/statistics")).body.data;
    const calls = answers.length + 1;
    await vi.waitUntil(async () => (await figures()).calls >= calls, { timeout: 60_000, interval: 200 });
    expect(await figures()).toMatchObject({ calls, errors: 1, cache_hits: calls - 1, p99_ms: expect.any(Number) });
  });
});

describe("createEndpoint", () => {
  const create = (body: object, key = published.team.admin.key) => call("POST", PATH, { key, body });
  const valid = () => ({ name: "new", query_id: published.queryId, role_id: published.roleId });

  it("wants a publisher who reads what the role grants, and a role that needs no user", async () => {
    const keys = `/v4/users/${published.team.admin.id}/keys`;
    const scoped = await call("POST", keys, {
      key: published.team.admin.key,
      body: { name: "k", scopes: ["endpoints:manage"] },
    });
    expect((await create(valid(), scoped.body.data.key)).status).toBe(403);
    const filters = [{ member: "region", operator: "equals" as const, values: [{ attribute: "region" }] }];
    const named = await addRole(published.team, [{ ...GRANTS[0]!, filters }], []);
    expect(pointers(await create({ ...valid(), role_id: named }))).toEqual([422, ["/role_id"]]);
    const stranger = await publish(await newTeam());
    expect(pointers(await create({ ...valid(), role_id: stranger.roleId }))).toEqual([422, ["/role_id"]]);
    expect(pointers(await create({ ...valid(), query_id: stranger.queryId }))).toEqual([422, ["/query_id"]]);
    expect(pointers(await create({ ...valid(), query_version: 9 }))).toEqual([422, ["/query_version"]]);
    expect((await create({ ...valid(), name: published.name })).status).toBe(409);
  });

  it("keeps its saved query from being archived, and is what depends on it", async () => {
    const path = `/v4/queries/${published.queryId}`;
    const answer = await call("DELETE", path, { key: published.team.admin.key });
    expect([answer.status, answer.body.error.conflictsWith]).toEqual([409, [published.id]]);
    const uses = await call("GET", `${path}/uses`, { key: published.team.member.key });
    expect(uses.body.data.items).toEqual([{ kind: "endpoint", id: published.id, name: published.name, version: 1 }]);
  });

  it("tells of no key, and audits without one", async () => {
    const listed = await manage("GET", published, "/keys");
    expect(JSON.stringify(listed.body)).not.toContain(published.key);
    const audit = await call("GET", "/v4/audit?limit=200", { key: published.team.admin.key });
    expect(JSON.stringify(audit.body)).not.toContain(published.key.slice(4, 20));
    const stored = await env.DB.prepare("select * from endpoint_keys where id = ?").bind(published.keyId).first();
    expect(JSON.stringify(stored)).not.toContain(published.key);
  });

  it("describes the team's endpoints by their parameters", async () => {
    const { body } = await call("GET", `${PATH}/openapi.json`, { key: published.team.admin.key });
    expect(body).toMatchObject({ openapi: "3.1.0" });
    const { get: operation, post: posted } = body.paths[`/v1/endpoints/${published.team.id}/orders`];
    expect(operation.parameters).toEqual([
      { name: "country", in: "query", required: true, schema: { type: "string", enum: ["NO", "SE"] } },
      {
        name: "ids",
        in: "query",
        required: false,
        schema: { type: "array", items: { type: "integer", format: "int64" }, default: [1] },
      },
    ]);
    expect(posted.requestBody.content["application/json"].schema.properties.parameters.required).toEqual(["country"]);
    expect(JSON.stringify(body)).not.toContain(SQL);
  });
});

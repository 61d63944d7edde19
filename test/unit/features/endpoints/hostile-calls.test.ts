// Published endpoints as somebody calls them who wants to read more than they may: by what is sent twice, beside itself
// or in another place, and by what was good a moment ago.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callWith } from "../../../support/unit/call-with.ts";
import {
  claimsOf,
  ETAG,
  GRANTS,
  inSeconds,
  publish,
  taggingEngine,
  type Published,
} from "../../../support/unit/endpoints/published.ts";
import { signToken } from "../../../support/unit/endpoints/tokens.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const engine = taggingEngine();
let own: Published;
let secret: string;
beforeAll(async () => {
  own = await publish(await newTeam());
  secret = await secretOf(own);
});
beforeEach(() => void (engine.sent.length = 0));

const secretOf = async ({ team, id }: Published): Promise<string> =>
  (await call("POST", `/v4/endpoints/${id}/secret`, { key: team.admin.key, body: {} })).body.data.secret;
const send = (
  method: string,
  key: string | undefined,
  more: { query?: string; body?: unknown; headers?: object } = {},
) =>
  callWith(engine.bindings, method, `/v1/endpoints/${own.team.id}/${own.name}${more.query ?? ""}`, {
    key,
    ...("body" in more && { body: more.body }),
    headers: { ...more.headers },
  });
const flaws = ({ status, body }: Answer) => [
  status,
  ...body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];

describe("a value that a token binds", () => {
  const token = (more: object = {}) => signToken(secret, claimsOf(own, { parameters: { country: "SE" }, ...more }));

  it("is overridden by no body, no query beside a body, and no second spelling", async () => {
    const held = await token();
    expect(flaws(await send("POST", held, { body: { parameters: { country: "NO" } } }))).toEqual([
      422,
      "/parameters/country",
    ]);
    expect(flaws(await send("GET", held, { query: "?c%6funtry=NO" }))).toEqual([422, "/query/country"]);
    expect(flaws(await send("GET", held, { query: "?ids=1&country=NO&country=SE" }))).toEqual([422, "/query/country"]);
    expect(flaws(await send("GET", held, { query: "?country" }))).toEqual([422, "/query/country"]);
    for (const query of ["?Country=NO", "?country%5B%5D=NO", "?country%00=NO", "?$country=NO", "?__proto__=NO"])
      expect((await send("GET", held, { query })).status, query).toBe(422);
    expect(engine.sent).toEqual([]);
    const beside = await send("POST", held, { query: "?country=NO", body: { parameters: {} } });
    expect(flaws(beside)).toEqual([422, "/query/country"]);
    expect(engine.sent).toEqual([]);
  });

  it("is data, whatever it looks like, and may not be what the question does not have", async () => {
    for (const parameters of [
      { country: "NO' OR '1'='1" },
      { country: { type: "text", value: "NO" } },
      { country: ["NO", "SE"] },
      { country: "NO", ids: ["1; DROP TABLE orders"] },
      { country: "NO", sql: "SELECT 1" },
      JSON.parse('{"country": "NO", "__proto__": {"ids": [1]}}') as object,
      { country: "NO", constructor: 1 },
    ])
      expect((await send("GET", await token({ parameters }))).status, JSON.stringify(parameters)).toBe(422);
    expect(engine.sent).toEqual([]);
  });
});

describe("a request of an endpoint", () => {
  it("names nothing but parameters: no statement, no role, no team, no format of its body", async () => {
    for (const member of ["sql", "cube_query", "integration_id", "role_id", "accessRoleId", "fixed", "__proto__"])
      expect(
        flaws(
          await send("POST", own.key, {
            body: JSON.parse(`{"parameters": {"country": "NO"}, "${member}": "SELECT 1"}`),
          }),
        ),
      ).toEqual([422, `/${member}`]);
    for (const body of [[], "x", { parameters: [] }, { parameters: null }, { parameters: "country=NO" }])
      expect((await send("POST", own.key, { body })).status, JSON.stringify(body)).toBe(422);
    expect(engine.sent).toEqual([]);
  });

  it("takes one value where one is declared, and no more than the most of a list", async () => {
    expect(flaws(await send("GET", own.key, { query: "?country=NO&country=SE" }))).toEqual([422, "/query/country"]);
    const many = `?country=NO${"&ids=1".repeat(2_001)}`;
    expect((await send("GET", own.key, { query: many })).status).toBe(422);
    const ids = Array.from({ length: 2_001 }, () => 1);
    expect((await send("POST", own.key, { body: { parameters: { country: "NO", ids } } })).status).toBe(422);
    const long = await send("POST", own.key, { body: { parameters: { country: "x".repeat(500_000) } } });
    expect([long.status, JSON.stringify(long.body).length < 2_000]).toEqual([422, true]);
    for (const id of ["9223372036854775808", "1e3", "NaN", "", "1;", "\u0661"])
      expect(flaws(await send("GET", own.key, { query: `?country=NO&ids=${encodeURIComponent(id)}` })), id).toEqual([
        422,
        "/query/ids",
      ]);
    expect(engine.sent).toEqual([]);
  });

  it("is refused by HEAD as by GET, and answered without a body", async () => {
    const path = `/v1/endpoints/${own.team.id}/${own.name}?country=NO`;
    const head = (key: string | undefined) => callWith(engine.bindings, "HEAD", path, { key });
    expect((await head(undefined)).status).toBe(404);
    expect((await head(own.team.admin.key)).status).toBe(404);
    const answered = await head(own.key);
    expect([answered.status, answered.body, answered.headers.get("etag")]).toEqual([200, undefined, ETAG]);
  });

  it("is opened by the header alone, and by one credential", async () => {
    const { key } = own;
    for (const query of [`?country=NO&key=${key}`, `?country=NO&access_token=${key}`, `?country=NO&token=${key}`])
      expect((await send("GET", undefined, { query })).status).toBe(404);
    for (const authorization of [
      `Basic ${key}`,
      key,
      `Bearer ${key} ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      "Bearer ",
    ])
      expect((await send("GET", undefined, { query: "?country=NO", headers: { authorization } })).status).toBe(404);
    expect(engine.sent).toEqual([]);
  });
});

describe("a token that is not as it was signed", () => {
  const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const signed = (claims: object = {}, header?: object) => signToken(secret, claimsOf(own, claims), header);
  const opens = async (token: string) => (await send("GET", token, { query: "?country=NO" })).status;

  it("opens nothing, however its algorithm is written", async () => {
    for (const alg of [
      "hs256",
      "HS256 ",
      ["HS256"],
      "RS256",
      "ES256",
      "HS384",
      "none",
      "None",
      "",
      null,
      undefined,
      {},
    ])
      expect(await opens(await signed({}, { alg, typ: "JWT" })), String(alg)).toBe(404);
    expect(await opens(await signed({}, { alg: "HS256", crit: [] }))).toBe(404);
  });

  it("opens nothing with one character of it changed, cut or added", async () => {
    const token = await signed();
    const [header = "", payload = "", signature = ""] = token.split(".");
    for (const at of [0, 10, header.length + 1, header.length + payload.length, token.length - 20]) {
      const other = BASE64URL[(BASE64URL.indexOf(token[at]!) + 1) % 64]!;
      expect(await opens(`${token.slice(0, at)}${other}${token.slice(at + 1)}`), `${at}`).toBe(404);
    }
    for (const spoilt of [`${token}.`, `.${token}`, `${header}.${payload}.`, `${header}..${signature}`, `${token}=A`])
      expect(await opens(spoilt), spoilt.slice(0, 8)).toBe(404);
    expect(await opens(token)).toBe(200);
  });

  it("is good for no longer than a day, whatever number its end is", async () => {
    for (const exp of [inSeconds(86_402), -1, 0, null, true, [inSeconds(60)], 1e300, `${inSeconds(60)}`])
      expect(await opens(await signed({ exp })), String(exp)).toBe(404);
    for (const nbf of [null, "0", inSeconds(30), [0]])
      expect(await opens(await signed({ nbf })), String(nbf)).toBe(404);
    expect(await opens(await signed({ exp: inSeconds(86_390), nbf: 0 }))).toBe(200);
  });

  it("is of no other team's endpoint of the same name, though it is signed with that one's secret", async () => {
    const other = await publish(await newTeam());
    const theirs = await secretOf(other);
    expect(await opens(await signToken(theirs, claimsOf(other)))).toBe(404);
    expect(await opens(await signToken(theirs, claimsOf(own)))).toBe(404);
    expect(await opens(await signToken(secret, claimsOf(other)))).toBe(404);
  });

  it("has a rate of its own that no other spelling of it renews", async () => {
    const slow = await publish(own.team, { rate_per_minute: 2 }, "slow-tokens");
    const token = await signToken(await secretOf(slow), claimsOf(slow));
    // The last character of a signature of 32 bytes has two bits that mean nothing.
    const last = BASE64URL.indexOf(token.at(-1)!);
    const spellings = [0, 1, 2, 3].map((bits) => token.slice(0, -1) + BASE64URL[(last & ~3) | bits]!);
    const statuses: number[] = [];
    // A minute may end in between, but not two.
    for (let i = 0; i < 12 && statuses.at(-1) !== 429; i++) {
      const path = `/v1/endpoints/${slow.team.id}/${slow.name}?country=NO`;
      statuses.push((await callWith(engine.bindings, "GET", path, { key: spellings[i % 4]! })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("an answer that the caller has", () => {
  const asks = async (key: string, tag: string) =>
    send("GET", key, { query: "?country=NO", headers: { "if-none-match": tag } });

  it("is told unchanged to nobody whose token was replaced, whose key is gone, or whose parameters are wrong", async () => {
    const token = await signToken(secret, claimsOf(own));
    expect((await asks(token, ETAG)).status).toBe(304);
    secret = await secretOf(own);
    expect((await asks(token, ETAG)).status).toBe(404);
    const again = await signToken(secret, claimsOf(own));
    expect((await asks(again, ETAG)).status).toBe(304);
    expect((await send("GET", again, { query: "?country=XX", headers: { "if-none-match": ETAG } })).status).toBe(422);
    await env.DB.prepare("delete from endpoint_keys where id = ?").bind(own.keyId).run();
    for (const tag of [ETAG, "*", `"x", ${ETAG}`]) expect((await asks(own.key, tag)).status).toBe(404);
  });

  it("is asked for as another reader's once the role is narrowed", async () => {
    const key = await signToken(secret, claimsOf(own));
    await asks(key, ETAG);
    const grants = [{ ...GRANTS[0]!, exclude_columns: ["email", "country"] }];
    const { admin } = own.team;
    const changed = await call("PATCH", `/v4/data-access/roles/${own.roleId}`, { key: admin.key, body: { grants } });
    expect(changed.status).toBe(200);
    await asks(key, ETAG);
    const readers = engine.sent.map(({ target }) => target.kind === "lake" && target.lake.reader);
    expect(new Set(readers).size).toBe(2);
    expect((await asks(key, "*")).status).toBe(200);
  });
});

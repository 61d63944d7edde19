// The door of agents: who may come in, in which version of the protocol, and what is listed for whom.

import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../../../src/features/mcp/tools.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call, send } from "../../../support/unit/http.ts";
import { ask, connect, failureOf, VERSIONS, type Version } from "../../../support/unit/mcp/client.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/mcp";
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const accept = { accept: "application/json, text/event-stream" };
const TOKENS_MAX = 2_600;

refusesStrangers("callMcp", (key) => call("POST", PATH, { key, body: PING, headers: accept }), { right: "query" });

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

const namesFor = async (key: string, query = "") =>
  (await (await connect(key, "2026-07-28", query)).listTools()).tools.map(({ name }) => name);

describe.each(Object.keys(VERSIONS) as Version[])("a client of the protocol's version %s", (version) => {
  it("lists the tools, and calls one", async () => {
    const client = await connect(team.admin.key, version);
    // Nobody is told of changes.
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(await ask(client, "get_context")).toMatchObject({ team: team.name, you: { role: "admin" } });
  });

  it("learns of a tool that is not there, and of an input that is not valid", async () => {
    const client = await connect(team.admin.key, version);
    await expect(client.callTool({ name: "drop_all", arguments: {} })).rejects.toThrow("drop_all");
    expect(await failureOf(client, "run_sql", { statement: "SELECT 1" })).toContain("sql");
  });
});

describe("the list of tools", () => {
  it("follows the caller's rights", async () => {
    const forMember = await namesFor(team.member.key);
    expect(forMember).toContain("run_sql");
    for (const name of ["write_sql", "save_doc"]) expect(forMember).not.toContain(name);
    const body = { name: "reads the catalog", scopes: ["catalog:read"] };
    const made = await call("POST", `/v4/users/${team.admin.id}/keys`, { key: team.admin.key, body });
    expect(await namesFor(made.body.data.key)).toEqual(["get_context", "search_catalog", "describe_table"]);
  });

  it("is narrowed by the address: to reads, groups and names", async () => {
    const reads = await namesFor(team.admin.key, "?read_only=1");
    expect(reads).toEqual(TOOLS.filter(({ reads }) => reads).map(({ name }) => name));
    expect(await namesFor(team.admin.key, "?tools=semantic,run_sql")).toEqual([
      "semantic_meta",
      "semantic_query",
      "run_sql",
    ]);
    const { status, body } = await call("POST", `${PATH}?tools=sql`, { key: team.admin.key, body: PING });
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/query/tools"]);
    expect(body.message).toContain("run_sql");
  });

  it(`takes at most ${TOKENS_MAX} tokens of a model's context`, async () => {
    const { tools } = await (await connect(team.admin.key)).listTools();
    const tokens = encode(JSON.stringify(tools)).length;
    console.log(`The list of ${tools.length} tools has ${tokens} tokens (o200k).`);
    expect(tokens).toBeLessThanOrEqual(TOKENS_MAX);
  });

  it("says of each tool whether it only reads", async () => {
    const { tools } = await (await connect(team.admin.key)).listTools();
    for (const { name, annotations } of tools)
      expect([name, annotations?.readOnlyHint]).toEqual([name, TOOLS.find((one) => one.name === name)!.reads]);
  });
});

describe("what is no client of the protocol", () => {
  it("is a page of another origin: 403, and one of the platform's own is let in", async () => {
    const from = (origin: string) =>
      send("POST", PATH, { key: team.admin.key, body: PING, headers: { ...accept, origin } });
    expect((await from("https://evil.example")).status).toBe(403);
    expect((await from("null")).status).toBe(403);
    expect((await from(env.PLATFORM_URL)).status).toBe(200);
    // A name of somebody's own, which leads here: the request then names it as its host, too.
    const headers = { ...accept, origin: "https://evil.example", authorization: `Bearer ${team.admin.key}` };
    const init = { method: "POST", headers, body: JSON.stringify(PING) };
    const { status } = await exports.default.fetch(new Request("https://evil.example/mcp", init));
    expect(status).toBe(403);
  });

  it("is no message, or none that is known", async () => {
    const sent = (body: unknown, headers = accept) => send("POST", PATH, { key: team.admin.key, body, headers });
    for (const body of [{}, [], { jsonrpc: "1.0" }, { jsonrpc: "2.0", id: 1 }])
      expect((await sent(body)).status, JSON.stringify(body)).toBe(400);
    const unknown = await sent({ ...PING, method: "tools/delete" });
    expect(await unknown.text()).toContain("-32601");
  });

  it("is a GET or a DELETE, by which sessions would be kept: 405", async () => {
    for (const method of ["GET", "DELETE"])
      expect((await call(method, PATH, { key: team.admin.key })).status).toBe(405);
  });

  it("is who wants to be told of changes: no stream stays open", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { toolsListChanged: true } };
    const answer = await send("POST", PATH, { key: team.admin.key, body, headers: accept });
    expect(await answer.text()).toContain("error");
  });
});

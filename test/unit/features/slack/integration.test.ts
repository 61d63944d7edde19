import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addSlack, newMailbox } from "../../../support/unit/messages/channels.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});
const create = (token: string) =>
  call("POST", PATH, { key: team.admin.key, body: { type: "slack", credentials: { bot_token: token } } });

describe("an integration of type slack", () => {
  it.each(["xoxp-1234567890", "xoxb-", "Bearer xoxb-1", "xoxb-a\r\nHost: x"])("is not made of %j", async (token) => {
    expect(await create(token)).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/credentials/bot_token" }] } },
    });
  });

  it("is stored only with a token that Slack takes, and says why not", async () => {
    expect(await create(`xoxb-${crypto.randomUUID()}`)).toMatchObject({
      status: 400,
      body: { error: { code: "connection_failed", flaws: [{ message: expect.stringContaining("invalid_auth") }] } },
    });
    const bot = await newMailbox();
    for (const fault of [{ kind: "cut" }, { kind: "html" }, { kind: "endless" }] as const) {
      await bot.failNext(fault);
      expect(await create(bot.id)).toMatchObject({ status: 400, body: { error: { code: "source_unreachable" } } });
    }
    await bot.failNext({ kind: "status", status: 429, headers: { "retry-after": "7" } });
    const limited = await create(bot.id);
    expect(limited).toMatchObject({ status: 503, body: { error: { code: "source_unavailable", retryable: true } } });
    expect(limited.headers.get("retry-after")).toBe("7");
    const { body } = await call("GET", `${PATH}?type=slack`, { key: team.admin.key });
    expect(body.data).toEqual([]);
  });

  it("shows whose bot it is, keeps its token sealed, and shows it nowhere", async () => {
    const bot = await newMailbox();
    const { status, body } = await create(bot.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({ integration: { name: "slack: Acme", category: "destination" }, warnings: [] });
    const { id, details } = body.integration;
    expect(details).toEqual({
      ...{ name: "slack: Acme", type: "slack" },
      ...{ workspace: "Acme", workspace_id: "T12345678", bot: "fjord" },
    });
    const row = await env.DB.prepare("select * from integrations where id = ?").bind(id).first();
    const audit = await env.DB.prepare("select * from audit_events where subject_id = ?").bind(id).all();
    const shown = await call("GET", `${PATH}/${id}`, { key: team.admin.key });
    expect(JSON.stringify([row, audit.results, shown.body])).not.toContain(bot.id);
  });

  it("warns of a bot that may not post", async () => {
    const bot = await newMailbox(undefined, { scopes: ["users:read"] });
    expect((await create(bot.id)).body.warnings.join()).toContain("chat:write");
  });

  it("is tested by asking Slack whose the token is", async () => {
    const slack = await addSlack(team);
    const test = () => call("POST", `${PATH}/${slack.integrationId}/test`, { key: team.admin.key });
    expect(await test()).toMatchObject({ status: 200, body: { connection: { product: "Slack" } } });
    await slack.failNext({ kind: "error", error: "token_revoked" });
    expect(await test()).toMatchObject({ status: 400, body: { error: { code: "connection_failed" } } });
    expect((await slack.received()).every(({ path }) => path === "/slack/api/auth.test")).toBe(true);
  });

  it("takes another token once Slack takes it", async () => {
    const slack = await addSlack(team);
    const [other, path] = [await newMailbox(), `${PATH}/${slack.integrationId}`];
    const patch = (credentials: object) => call("PATCH", path, { key: team.admin.key, body: { credentials } });
    expect((await patch({ bot_token: `xoxb-${crypto.randomUUID()}` })).status).toBe(400);
    expect((await patch({ bot_token: null })).status).toBe(422);
    expect((await patch({ bot_token: other.id, host: "x" })).status).toBe(422);
    expect((await patch({ bot_token: other.id })).status).toBe(200);
    await call("POST", `${path}/test`, { key: team.admin.key });
    expect(await other.received()).toHaveLength(2);
  });

  it("reaches another address than Slack's only where development allows it", async () => {
    const { integrationId } = await addSlack(team);
    const test = (bindings: Partial<Env>) =>
      callWith(bindings, "POST", `${PATH}/${integrationId}/test`, { key: team.admin.key });
    expect((await test({ HOSTS_ALLOWED: "" })).status).toBe(500);
    expect((await test({ SLACK_API_URL: "https://slack.example.com/api" })).status).toBe(500);
    expect((await test({})).status).toBe(200);
  });
});

describe("what is asked of databases", () => {
  it("is refused to an integration of type slack, each with the reason", async () => {
    const { integrationId: id } = await addSlack(team);
    const { key } = team.admin;
    const nothing = "holds nothing to query";
    const refusals: [method: string, path: string, body: object | undefined, status: number, words: string][] = [
      ["POST", "/v1/query", { sql: "select 1", integration_id: id }, 422, nothing],
      ["POST", "/v1/query", { cube_query: { measures: ["a.b"] }, integration_id: id }, 422, nothing],
      ["POST", "/v4/queries", { name: "Q", sql: "select 1", integration_id: id }, 422, nothing],
      ["POST", "/v4/queries", { name: "Q", cube_query: { measures: ["a.b"] }, integration_id: id }, 422, nothing],
      ["POST", `${PATH}/${id}/sync`, { dest_schema: "s", schedule: "daily", tables: ["a.b"] }, 422, "synced from"],
      ["POST", PATH, { type: "cube", credentials: { integration_id: id } }, 422, "type slack"],
      ["GET", `/v4/catalog/integrations/${id}/tables`, undefined, 404, "not found"],
      ["GET", `${PATH}/${id}/model`, undefined, 404, "not found"],
      [
        "POST",
        "/v4/data-access/roles",
        { name: "R", grants: [{ integration_id: id, schema: "*", table: "*" }] },
        422,
        "no tables",
      ],
    ];
    for (const [method, path, body, status, words] of refusals) {
      const answer = await call(method, path, { key, ...(body && { body }) });
      expect({ path, status: answer.status }).toEqual({ path, status });
      expect(answer.body.message).toContain(words);
    }
    const mine = (await call("GET", "/v4/data-access/me", { key })).body.data.integrations;
    expect(mine.map(({ type }: { type: string }) => type)).toEqual(["lake"]);
  });
});

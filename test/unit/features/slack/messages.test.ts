import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addSlack, newMailbox } from "../../../support/unit/messages/channels.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openSlack } from "../../../../src/platform/slack/slack.ts";

const PATH = "/v3/slack/message";
const message = (integrationId: string, more: object = {}) => ({
  integration_id: integrationId,
  channel_id: "C0920MVPWFN",
  text: "Hello <!channel>",
  ...more,
});
refusesStrangers("sendSlackMessage", (key) => call("POST", PATH, { key, body: message(crypto.randomUUID()) }), {
  right: "messages:send",
  refusal: { status: 403, body: { error: { code: "forbidden_invalid_key" } } },
});

let team: TestTeam;
let slack: Awaited<ReturnType<typeof addSlack>>;
beforeAll(async () => {
  team = await newTeam();
  slack = await addSlack(team);
});
const send = (more: object = {}, integrationId = slack.integrationId) =>
  call("POST", PATH, { key: team.member.key, body: message(integrationId, more) });

describe("sendSlackMessage", () => {
  it("posts nothing where the integration is not there, another team's, or none of Slack", async () => {
    const other = await addSlack(await newTeam());
    const [lake] = (await call("GET", "/v1/api/integrations?type=lake", { key: team.admin.key })).body.data;
    for (const id of [crypto.randomUUID(), "none", other.integrationId, lake.id])
      expect(await send({}, id)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_request", flaws: [{ pointer: "/integration_id" }] } },
      });
    expect(await other.posts()).toEqual([]);
  });

  it.each([
    ["a text that is empty", { text: "" }],
    ["a text that Slack would cut", { text: "x".repeat(40_001) }],
    ["more blocks than Slack takes", { blocks: Array.from({ length: 51 }, () => ({ type: "divider" })) }],
    ["a thread that is none", { thread_ts: "yesterday" }],
    ["what it does not know", { username: "Fjord" }],
  ])("refuses %s before anything is sent", async (_, more) => {
    expect((await send(more)).status).toBe(400);
    expect(await slack.posts()).toEqual([]);
  });

  it("posts once, as it was sent, and answers as Slack does", async () => {
    const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*Hello*" } }];
    const { status, body } = await send({ blocks, thread_ts: "1234567890.123456" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, channel: "C0920MVPWFN", ts: expect.stringMatching(/^\d+\.\d{6}$/) });
    expect(body.message).toMatchObject({ thread_ts: "1234567890.123456" });
    expect(await slack.posts()).toEqual([
      { channel: "C0920MVPWFN", text: "Hello <!channel>", blocks, thread_ts: "1234567890.123456" },
    ]);
  });

  it("is audited with the channel, before Slack is asked, and without the text", async () => {
    const own = await newTeam();
    const { integrationId, failNext } = await addSlack(own);
    await failNext({ kind: "cut" });
    await call("POST", PATH, { key: own.member.key, body: message(integrationId, { text: "confidential" }) });
    const events = await env.DB.prepare(
      "select * from audit_events where team_id = ? and action = 'slack_message.send'",
    )
      .bind(own.id)
      .all();
    expect(events.results).toMatchObject([{ actor_id: own.member.id, subject_id: integrationId }]);
    expect(JSON.stringify(events.results)).toContain("C0920MVPWFN");
    expect(JSON.stringify(events.results)).not.toContain("confidential");
  });

  it.each([
    ["channel_not_found", 400, "invalid_request", "invite it"],
    ["a_new_name", 400, "invalid_request", "a_new_name"],
    ["invalid_auth", 400, "connection_failed", "set another one"],
    ["missing_scope", 400, "connection_failed", "chat:write"],
    ["service_unavailable", 503, "source_unavailable", "service_unavailable"],
    ["internal_error", 500, "write_outcome_unknown", "look into the channel"],
  ])("says what Slack's %s means", async (error, status, code, words) => {
    await slack.failNext({ kind: "error", error });
    const answer = await send();
    expect(answer).toMatchObject({ status, body: { error: { code }, message: expect.stringContaining(words) } });
  });

  it("says how long Slack wants to be left alone", async () => {
    await slack.failNext({ kind: "status", status: 429, headers: { "retry-after": "61" } });
    const answer = await send();
    expect(answer).toMatchObject({ status: 429, body: { error: { code: "too_many_requests", retryable: true } } });
    expect(answer.headers.get("retry-after")).toBe("61");
  });

  it("says that nobody knows whether it was posted, where no whole answer came, and posts it once", async () => {
    for (const kind of ["cut", "html", "endless"] as const) {
      const before = (await slack.posts()).length;
      await slack.failNext({ kind });
      const answer = await send();
      expect(answer).toMatchObject({
        status: 500,
        body: { error: { code: "write_outcome_unknown", retryable: false } },
      });
      expect(answer.body.message).toContain("Nobody knows whether the message was posted");
      expect(await slack.posts()).toHaveLength(before + 1);
    }
  });

  it("may be sent by a run with its own key", async () => {
    const { mintSuffix } = await import("../../../../src/features/teams/keys/key.ts");
    const { suffix, suffixHash } = await mintSuffix();
    await env.DB.prepare(
      `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until, deadline_at, created_at)
       values (?1, ?2, ?1, 'Doc', 1, 'manual', ?3, ?4, 'running', '2999', '2999', '2000-01-01T00:00:00.000Z')`,
    )
      .bind(crypto.randomUUID(), team.id, team.member.id, suffixHash)
      .run();
    const answer = await call("POST", PATH, { key: `${team.member.id}-${suffix}`, body: message(slack.integrationId) });
    expect(answer.status).toBe(200);
  });
});

describe("the client of Slack", () => {
  it("waits for an answer until its deadline and no longer", async () => {
    const bot = await newMailbox();
    await bot.failNext({ kind: "silent" });
    const request = { method: "auth.test", token: bot.id, body: {}, deadlineMs: 200 } as const;
    expect(await openSlack(env)(request)).toEqual({ kind: "unknown", reason: "Slack gave no answer within 0.2 s." });
  });

  it("follows no redirect, which could take the token elsewhere", async () => {
    const [bot, other] = [await newMailbox(), await newMailbox("redirected")];
    const location = `${new URL(env.SLACK_API_URL).origin}/hook/redirected`;
    await bot.failNext({ kind: "status", status: 307, headers: { location } });
    const request = { method: "auth.test", token: bot.id, body: {}, deadlineMs: 5_000 } as const;
    expect((await openSlack(env)(request)).kind).toBe("unknown");
    expect(await other.received()).toEqual([]);
  });
});

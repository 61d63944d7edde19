// Requests that name themselves by an Idempotency-Key: whatever becomes of the first, a repeat sends nothing again.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { MESSAGE_LIMITS } from "../../../../src/features/messages/limits.ts";
import { sendMessage } from "../../../../src/features/messages/send.ts";
import { sweepMessages } from "../../../../src/features/messages/sweep.ts";
import { sendSlackMessage } from "../../../../src/features/slack/send-message.ts";
import { TRANSPORTS } from "../../../../src/transports.ts";
import { addSlack } from "../../../support/unit/messages/channels.ts";
import { call } from "../../../support/unit/http.ts";
import { emailOf, mailsTo, useUpMails } from "../../../support/unit/mail/outbox.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

const clients = openClients(env);

let team: TestTeam;
let slack: Awaited<ReturnType<typeof addSlack>>;
beforeAll(async () => {
  team = await newTeam();
  slack = await addSlack(team);
});
const newKey = () => `load-${crypto.randomUUID()}`;
const messageOf = (more: object = {}) => ({
  ...{ integration_id: slack.integrationId, channel_id: "C0920MVPWFN", text: `Loaded ${crypto.randomUUID()}` },
  ...more,
});
const send = (path: string, body: object, key: string | undefined, by = team.member.key) =>
  call("POST", path, { key: by, body, headers: { ...(key !== undefined && { "idempotency-key": key }) } });
const post = (body: object, key?: string, by?: string) => send("/v3/slack/message", body, key, by);
const mail = (body: object, key?: string) => send("/v3/email/message", body, key);
const rowOf = (text: string) =>
  env.DB.prepare("select * from outgoing_messages where team_id = ? and subject = ?").bind(team.id, text).all();
const postsOf = async (text: string) => (await slack.posts()).filter((each) => each["text"] === text);
const underWay = { status: 409, body: { error: { code: "work_in_progress", retryable: true } } };
const otherBody = { status: 409, body: { error: { code: "resource_conflict", retryable: false } } };
const unknown = { status: 500, body: { error: { code: "write_outcome_unknown", retryable: false } } };

describe("a key", () => {
  it.each(["", "two words", "Größe", "x".repeat(256), "tab\tbed"])("is not %j, and nothing is sent", async (key) => {
    const body = messageOf();
    expect(await post(body, key)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", flaws: [{ pointer: "/header/idempotency-key" }] } },
    });
    expect(await postsOf(body.text)).toEqual([]);
  });

  it("is of one request: another body, and another operation, are refused", async () => {
    const [key, body] = [newKey(), messageOf()];
    expect((await post(body, key)).status).toBe(200);
    const other = messageOf();
    expect(await post(other, key)).toMatchObject(otherBody);
    expect(await mail({ toEmails: await emailOf(team.member.id), subject: "Hi", body: "Hi" }, key)).toMatchObject(
      otherBody,
    );
    expect([await postsOf(body.text), await postsOf(other.text)].map(({ length }) => length)).toEqual([1, 0]);
  });

  it("is its user's own, whichever key they send", async () => {
    const [key, body] = [newKey(), messageOf()];
    const made = await call("POST", `/v4/users/${team.member.id}/keys`, {
      key: team.admin.key,
      body: { name: "second", scopes: ["messages:send"] },
    });
    const first = await post(body, key);
    const again = await post(body, key, made.body.data.key);
    expect([again.body.ts, again.headers.get("idempotency-replayed")]).toEqual([first.body.ts, "true"]);
    const others = await post(body, key, team.admin.key);
    expect([others.status, others.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect(await postsOf(body.text)).toHaveLength(2);
  });
});

describe("a post to Slack that is repeated", () => {
  it("is posted once, and answered as it was, however many equal requests come at once", async () => {
    const [key, body] = [newKey(), messageOf()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(body, key)));
    const first = answers.filter(({ status, headers }) => status === 200 && !headers.has("idempotency-replayed"));
    expect(first).toHaveLength(1);
    for (const answer of answers.filter((each) => each.status !== 200)) {
      expect(answer).toMatchObject(underWay);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const again = await post(body, key);
    expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([
      200,
      first[0]!.body,
      "true",
    ]);
    expect(await postsOf(body.text)).toHaveLength(1);
    const events = await env.DB.prepare("select count(*) from audit_events where team_id = ? and subject_id = ?")
      .bind(team.id, slack.integrationId)
      .first<number>("count(*)");
    const rows = await env.DB.prepare("select count(*) from outgoing_messages where team_id = ? and channel = 'slack'")
      .bind(team.id)
      .first<number>("count(*)");
    // The integration's own creation is an event, too.
    expect(events).toBe(rows! + 1);
  });

  it("stays unknown where nobody knows what came of the first, and is not posted again", async () => {
    for (const kind of ["cut", "html"] as const) {
      const [key, body] = [newKey(), messageOf()];
      await slack.failNext({ kind });
      const first = await post(body, key);
      expect(first).toMatchObject(unknown);
      const again = await post(body, key);
      expect(again).toMatchObject({ ...unknown, body: { message: first.body.message } });
      expect(await postsOf(body.text)).toHaveLength(1);
      expect((await rowOf(body.text)).results).toMatchObject([{ state: "unknown", attempts: 1 }]);
    }
  });

  it("is unknown where the platform died between the record and the answer", async () => {
    const [key, body] = [newKey(), messageOf()];
    const scope = scopeOf(team.id, team.member.id, false);
    const died = { ...clients, scope, callSlack: () => new Promise<never>(() => undefined) };
    void sendSlackMessage(died, body, key);
    await expect
      .poll(async () => (await rowOf(body.text)).results)
      .toMatchObject([{ is_claimed: 1, state: "pending" }]);
    const later = (ms: number) => ({ ...clients, scope: { ...scope, now: new Date(scope.now.getTime() + ms) } });
    await expect(sendSlackMessage(later(1_000), body, key)).rejects.toMatchObject({
      ...{ code: "work_in_progress", retryAfterSeconds: MESSAGE_LIMITS.repeatAfterSeconds },
    });
    await expect(sendSlackMessage(later(MESSAGE_LIMITS.attemptMs), body, key)).rejects.toMatchObject({
      code: "write_outcome_unknown",
    });
    const [row] = (await rowOf(body.text)).results;
    const clock = () => later(MESSAGE_LIMITS.attemptMs).scope.now;
    await sendMessage(clients, TRANSPORTS, { teamId: team.id, id: row!["id"] as string }, clock);
    expect((await rowOf(body.text)).results).toMatchObject([{ state: "unknown", attempts: 1 }]);
    await expect(sendSlackMessage(later(86_400_000), body, key)).rejects.toMatchObject({
      ...{ code: "write_outcome_unknown", message: expect.stringContaining("look into the channel") },
    });
    expect(await postsOf(body.text)).toEqual([]);
  });

  it("is posted where the first was refused, for that one posted nothing", async () => {
    const [key, body] = [newKey(), messageOf()];
    await slack.failNext({ kind: "error", error: "service_unavailable" }, { kind: "status", status: 429 });
    expect((await post(body, key)).status).toBe(503);
    expect((await post(body, key)).status).toBe(429);
    const posted = await post(body, key);
    expect([posted.status, posted.headers.get("idempotency-replayed")]).toEqual([200, null]);
    const states = (await rowOf(body.text)).results.map(({ state }) => state);
    expect(states.sort()).toEqual(["failed", "failed", "sent"]);
  });

  it("has its answer where the integration is gone meanwhile", async () => {
    const [own, key] = [await addSlack(team), newKey()];
    const body = messageOf({ integration_id: own.integrationId });
    const first = await post(body, key);
    await call("DELETE", `/v1/api/integrations/${own.integrationId}`, { key: team.admin.key });
    expect((await post(body, key)).body).toEqual(first.body);
  });

  it("is forgotten with its message, and a new one from then on", async () => {
    const [key, body] = [newKey(), messageOf()];
    const first = await post(body, key);
    const endedAt = new Date(Date.now() - MESSAGE_LIMITS.keptMs - 1_000).toISOString();
    await env.DB.prepare("update outgoing_messages set ended_at = ?2 where subject = ?1")
      .bind(body.text, endedAt)
      .run();
    await sweepMessages(clients, new Date());
    const count = env.DB.prepare("select count(*) from message_requests where idempotency_key = ?").bind(key);
    expect(await count.first("count(*)")).toBe(0);
    expect((await post(body, key)).body.ts).not.toBe(first.body.ts);
  });
});

describe("a post to Slack", () => {
  it("is in the log of messages, with a key or without one", async () => {
    const [posted, refused] = [messageOf(), messageOf({ channel_id: "D1" })];
    const { ts } = (await post(posted)).body;
    await post(refused);
    const log = (await call("GET", "/v4/messages?limit=2", { key: team.admin.key })).body.data.items;
    const target = (channel: string) => `${slack.integrationId}/${channel}`;
    expect(log).toMatchObject([
      { state: "failed", target: target("D1"), error: expect.stringContaining("channel_not_found"), attempts: 1 },
      { state: "sent", target: target("C0920MVPWFN"), subject: posted.text, reference: `C0920MVPWFN/${ts}` },
    ]);
  });
});

describe("mail that is sent again", () => {
  it("is accepted once, and answered as it was, however many equal requests come at once", async () => {
    const own = await newTeam();
    const to = [await emailOf(own.member.id), await emailOf(own.admin.id)];
    const [key, body] = [newKey(), { toEmails: to, subject: "Nightly load", body: "Loaded." }];
    const ask = () => send("/v3/email/message", body, key, own.member.key);
    const answers = await Promise.all(Array.from({ length: 6 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has("idempotency-replayed"))).toHaveLength(5);
    for (const address of to) await expect.poll(() => mailsTo(address)).toHaveLength(1);
    expect((await env.BUCKET.list({ prefix: `${own.id}/messages/` })).objects).toHaveLength(1);
    await useUpMails(own.id);
    expect((await ask()).body).toEqual(answers[0]!.body);
    const { items } = (await call("GET", "/v4/audit?kind=message", { key: own.admin.key })).body.data;
    expect(items).toHaveLength(1);
  });

  it("is accepted where the first was refused", async () => {
    const [key, stranger] = [newKey(), { toEmails: "x@partner.example", subject: "Hi", body: "Hi" }];
    expect((await mail(stranger, key)).status).toBe(422);
    const mine = { toEmails: await emailOf(team.member.id), subject: "Hi", body: "Hi" };
    expect((await mail(mine, key)).status).toBe(202);
    expect(await mail({ ...mine, subject: "Ho" }, key)).toMatchObject(otherBody);
  });
});

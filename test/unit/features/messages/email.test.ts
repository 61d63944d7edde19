// Mail of a team's programs: to whom, what it says, and what arrives, as an independent parser reads it.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { MAIL_LIMITS } from "../../../../src/features/mail/limits.ts";
import { sendEmailMessage } from "../../../../src/features/messages/email/send-email-message.ts";
import { MESSAGE_LIMITS } from "../../../../src/features/messages/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { emailOf, lastMailTo, linkIn, mailsTo, useUpMails } from "../../../support/unit/mail/outbox.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";
import { newMessageWorld } from "./message-world.ts";

const clients = openClients(env);
const newAddress = () => `grace-${crypto.randomUUID()}@partner.example`;
const send = (key: string | undefined, body: object) =>
  call("POST", "/v3/email/message", { ...(key && { key }), body: { subject: "Hi", body: "Hello", ...body } });
const rowsOf = async ({ id }: TestTeam) =>
  (await env.DB.prepare("select * from outgoing_messages where team_id = ? order by id").bind(id).all()).results;
const objectsOf = async ({ id }: TestTeam) => (await env.BUCKET.list({ prefix: `${id}/messages/` })).objects;

async function confirm(team: TestTeam, address = newAddress()): Promise<string> {
  await call("POST", "/v4/mail/addresses", { key: team.admin.key, body: { address } });
  await call("POST", linkIn(await lastMailTo(address), "/mail/confirm"));
  return address;
}

const v3 = { status: 403, body: { error: { code: "forbidden_invalid_key" } } };
refusesStrangers("sendEmailMessage", (key) => send(key, { toEmails: newAddress() }), {
  right: "messages:send",
  refusal: v3,
});

describe("sendEmailMessage", () => {
  it("sends a mail of its own to each member and each address that has confirmed, by a member's key", async () => {
    const team = await newTeam();
    const to = [await emailOf(team.member.id), await confirm(team)];
    const { status, body } = await send(team.member.key, {
      toEmails: [...to, to[0]!.toUpperCase()],
      subject: "Nightly load",
      body: "<h1>Größe</h1><p>All <b>loaded</b>.</p>",
    });
    expect([status, body.success, body.messages.map((each: { to: string }) => each.to)]).toEqual([202, true, to]);
    for (const address of to) {
      await expect.poll(async () => (await mailsTo(address)).map(({ subject }) => subject)).toContain("Nightly load");
      const mail = await lastMailTo(address);
      expect(mail.to).toEqual([{ name: "", address }]);
      expect(mail.html).toContain("<h1>Größe</h1><p>All <b>loaded</b>.</p>");
      expect(mail.text).toMatch(/^Größe\nAll loaded\.\n/);
      const header = mail.headers.find(({ key }) => key === "list-unsubscribe")!.value.slice(1, -1);
      for (const part of [mail.html, mail.text]) expect(part).toContain(header);
    }
    await expect.poll(() => rowsOf(team)).toMatchObject([{ state: "sent" }, { state: "sent" }]);
    expect(await objectsOf(team)).toHaveLength(1);
  });

  it("sends nothing to anybody where one address is a stranger's or unsubscribed, and names which", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const [gone, unsubscribed] = [newAddress(), await confirm(team)];
    await call("POST", linkIn(await lastMailTo(unsubscribed), "/mail/unsubscribe"));
    const member = await emailOf(team.member.id);
    const ofOther = [await emailOf(other.member.id), await confirm(other)];
    const toEmails = [member, gone, unsubscribed, ...ofOther];
    const { status, body } = await send(team.member.key, { toEmails });
    expect([status, body.error.code, body.error.retryable]).toEqual([422, "recipient_not_allowed", false]);
    expect(body.error.flaws.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      [1, 2, 3, 4].map((at) => `/toEmails/${at}`),
    );
    expect(body.error.flaws[1].message).toContain(`${unsubscribed}: This address has unsubscribed`);
    expect(await rowsOf(team)).toEqual([]);
    expect(await objectsOf(team)).toEqual([]);
    expect(await mailsTo(member)).toEqual([]);
  });

  it.each([
    [{ toEmails: [] }],
    [{ toEmails: "a@b.example\r\nBcc: c@d.example" }],
    [{ toEmails: "a@b.example,c@d.example" }],
    [{ toEmails: Array.from({ length: MESSAGE_LIMITS.recipientsMax + 1 }, newAddress) }],
    [{ toEmails: newAddress(), body: "" }],
    [{ toEmails: newAddress(), from: "mallory@evil.example" }],
    [{ toEmails: newAddress(), subject: "x".repeat(MESSAGE_LIMITS.subjectSentCharactersMax + 1) }],
    [{ toEmails: newAddress(), body: "x".repeat(MESSAGE_LIMITS.bodyCharactersMax + 1) }],
  ])("refuses %.80j as version 3 does", async (body) => {
    const { member } = await newTeam();
    expect((await send(member.key, body)).body.error.code).toBe("invalid_request");
  });

  it.each(["Hi\r\nBcc: mallory@evil.example", "東".repeat(10_000), "", "=?UTF-8?B?SGk=?="])(
    "keeps a hostile subject to one header of one mail: %.40j",
    async (subject) => {
      const team = await newTeam();
      const to = await emailOf(team.member.id);
      expect((await send(team.member.key, { toEmails: to, subject })).status).toBe(202);
      await expect.poll(() => mailsTo(to)).toHaveLength(1);
      const mail = await lastMailTo(to);
      expect([mail.bcc, mail.cc, mail.to?.length]).toEqual([undefined, undefined, 1]);
      expect(mail.headers.filter(({ key }) => key === "subject")).toHaveLength(1);
      expect(mail.text).toMatch(/^Hello\n/);
    },
  );

  it("sends no more a day than a team may, and what it refuses it refuses whole", async () => {
    const team = await newTeam();
    const [one, other] = [await emailOf(team.member.id), await emailOf(team.admin.id)];
    await useUpMails(team.id, 1);
    const refused = await send(team.member.key, { toEmails: [one, other] });
    expect([refused.status, refused.body.error.code, await rowsOf(team)]).toEqual([429, "too_many_requests", []]);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
    expect((await send(team.member.key, { toEmails: one })).status).toBe(202);
    await expect.poll(() => mailsTo(one)).toHaveLength(1);
    expect((await send(team.member.key, { toEmails: one })).status).toBe(429);
    expect((await send((await newTeam()).member.key, { toEmails: other })).status).toBe(422);
  });

  it("says so where mail is not set up", async () => {
    const team = await newTeam();
    const scope = scopeOf(team.id, team.member.id, false);
    const mail = { ...clients.mail, kind: "none" as const };
    const body = { toEmails: [await emailOf(team.member.id)], subject: "Hi", body: "Hello" };
    await expect(sendEmailMessage({ ...clients, mail, scope }, body)).rejects.toMatchObject({
      code: "mail_unavailable",
    });
    expect(await rowsOf(team)).toEqual([]);
  });

  it("is in the audit log with whom it went to, and in the team's log of messages for admins alone", async () => {
    const team = await newTeam();
    const to = await emailOf(team.admin.id);
    const [{ id }] = (await send(team.member.key, { toEmails: to, subject: "Nightly" })).body.messages;
    const { items } = (await call("GET", "/v4/audit?kind=message", { key: team.admin.key })).body.data;
    expect(items).toMatchObject([{ action: "message.send", subject_id: id, after: { subject: "Nightly", to: [to] } }]);
    const look = () => call("GET", `/v4/messages/${id}`, { key: team.admin.key });
    await expect.poll(async () => (await look()).body.data.state).toBe("sent");
    expect((await look()).body.data).toMatchObject({
      ...{ channel: "email", target: to, subject: "Nightly", cause: "api", delivery_id: null, run_id: null },
      ...{ attempts: 1, next_attempt_at: null, error: null, reference: id },
    });
    expect((await call("GET", "/v4/messages", { key: team.member.key })).status).toBe(403);
    expect((await call("GET", "/v4/messages", { key: (await newTeam()).admin.key })).body.data.items).toEqual([]);
  });
});

describe("a mail on its way", () => {
  const file = (key: string, bytes: number, contentId: string | null = null) => ({
    ...{ name: "orders.csv", mediaType: "text/csv", key, bytes, contentId },
  });

  it("has the message's pictures and files", async () => {
    const world = await newMessageWorld();
    const key = `${world.teamId}/messages/x/orders.csv`;
    await env.BUCKET.put(key, "id\n1\n");
    const files = [file(key, 5), { ...file(key, 5, "chart-1"), name: "chart.png", mediaType: "image/png" }];
    const message = await world.add({}, { html: '<img src="cid:chart-1">', files });
    await world.mail(message);
    const mail = await lastMailTo(world.memberEmail);
    expect(mail.attachments).toMatchObject([
      { filename: "chart.png", contentId: "<chart-1>", related: true },
      { filename: "orders.csv", disposition: "attachment" },
    ]);
    expect(new TextDecoder().decode(mail.attachments[1]!.content as ArrayBuffer)).toBe("id\n1\n");
  });

  it("takes no file of another team, none that is gone or another than it was, and none that is too large", async () => {
    const [world, other] = [await newMessageWorld(), await newMessageWorld()];
    const [ours, theirs] = [world, other].map(({ teamId }) => `${teamId}/messages/x/orders.csv`);
    await env.BUCKET.put(ours!, "id\n1\n");
    await env.BUCKET.put(theirs!, "id\n2\n");
    for (const bad of [
      file(theirs!, 5),
      file(`${ours}-gone`, 5),
      file(ours!, 6),
      file(ours!, MESSAGE_LIMITS.fileBytesMax + 1),
    ]) {
      const message = await world.add({}, { files: [bad] });
      await world.mail(message);
      expect(await world.look(message)).toMatchObject({ state: "failed", attempts: 1 });
    }
    expect(await mailsTo(world.memberEmail)).toEqual([]);
  });

  it("stays where its receiver left the team, unsubscribed, or was deleted meanwhile", async () => {
    const world = await newMessageWorld();
    const { team } = world;
    const confirmed = await confirm(team);
    const [toMember, toConfirmed, toUnsubscribed] = [
      await world.add(),
      await world.add({ target: confirmed }),
      await world.add({ target: await emailOf(team.admin.id) }),
    ];
    expect((await call("DELETE", `/v4/users/${team.member.id}`, { key: team.admin.key })).status).toBe(204);
    const [{ id }] = (await call("GET", "/v4/mail/addresses", { key: team.admin.key })).body.data.items;
    await call("DELETE", `/v4/mail/addresses/${id}`, { key: team.admin.key });
    const token = {
      use: "unsubscribe" as const,
      teamId: team.id,
      address: toUnsubscribed.target,
      expiresAt: Date.now() + 60_000,
    };
    await call("POST", `/mail/unsubscribe/${await clients.tokens.mint(token)}`);
    for (const message of [toMember, toConfirmed, toUnsubscribed]) {
      await world.mail(message);
      expect(await world.look(message)).toMatchObject({ state: "failed", attempts: 1 });
    }
    expect((await world.look(toUnsubscribed)).error).toContain("unsubscribed");
    expect((await mailsTo(world.memberEmail)).length + (await mailsTo(toUnsubscribed.target)).length).toBe(0);
    expect(await mailsTo(confirmed)).toHaveLength(1);
  });

  it("counts once against the bound of the day, however many attempts it takes, and is refused past it", async () => {
    const world = await newMessageWorld();
    const real = world.clients.mail;
    const day = world.now().toISOString().slice(0, 10);
    const count = () =>
      env.DB.prepare("select mails from mail_days where team_id = ? and day = ?")
        .bind(world.teamId, day)
        .first("mails");
    const message = await world.add();
    world.clients.mail = { ...real, send: async () => ({ kind: "failed", error: "busy" }) };
    await world.mail(message);
    world.clients.mail = real;
    world.nowMs += 60_000;
    await world.mail(message);
    expect([(await world.look(message)).state, await count()]).toEqual(["sent", 1]);
    await env.DB.prepare("update mail_days set mails = ? where team_id = ?")
      .bind(MAIL_LIMITS.mailsPerTeamAndDayMax - 1, world.teamId)
      .run();
    const several = [await world.add(), await world.add(), await world.add()];
    await Promise.all(several.map((each) => world.mail(each)));
    const states = await Promise.all(several.map(async (each) => (await world.look(each)).state));
    expect(states.sort()).toEqual(["failed", "failed", "sent"]);
    expect(await count()).toBe(MAIL_LIMITS.mailsPerTeamAndDayMax);
  });

  it("counts where an earlier attempt could not be prepared", async () => {
    const world = await newMessageWorld();
    const message = await world.add();
    const { bucket } = world.clients;
    world.clients.bucket = { ...bucket, read: () => Promise.reject(new Error("away")) };
    await world.quietly(() => world.mail(message));
    world.clients.bucket = bucket;
    world.nowMs += 60_000;
    await world.mail(message);
    const mails = env.DB.prepare("select mails from mail_days where team_id = ?").bind(world.teamId).first("mails");
    expect([(await world.look(message)).state, await mails]).toEqual(["sent", 1]);
  });

  it("does not count against the bound of the day what the mail service refuses", async () => {
    const world = await newMessageWorld();
    const message = await world.add();
    world.clients.mail = { ...world.clients.mail, send: async () => ({ kind: "refused", error: "no" }) };
    await world.mail(message);
    const mails = env.DB.prepare("select mails from mail_days where team_id = ?").bind(world.teamId).first("mails");
    expect([(await world.look(message)).state, await mails]).toEqual(["failed", 0]);
  });
});

describe("the log of messages", () => {
  it("is paged, the newest first, and filtered by state and delivery", async () => {
    const world = await newMessageWorld();
    const { key } = world.team.admin;
    const deliveryId = crypto.randomUUID();
    const [first, second, third] = [
      await world.add(),
      await world.add({ deliveryId }),
      await world.add({ deliveryId }),
    ];
    world.answer = async ({ id }) =>
      id === first.id ? { kind: "sent", reference: null } : { kind: "refused", error: "no" };
    for (const message of [first, second]) await world.send(message);
    const list = async (query: string) => {
      const { items, total } = (await call("GET", `/v4/messages?${query}`, { key })).body.data;
      return [total, items.map(({ id }: { id: string }) => id)];
    };
    expect(await list("limit=2")).toEqual([3, [third.id, second.id]]);
    expect(await list("limit=2&offset=2")).toEqual([3, [first.id]]);
    expect(await list("state=failed")).toEqual([1, [second.id]]);
    expect(await list(`delivery_id=${deliveryId}`)).toEqual([2, [third.id, second.id]]);
    expect((await call("GET", "/v4/messages?state=none", { key })).status).toBe(422);
  });
});

refusesStrangers("listMessages", (key) => call("GET", "/v4/messages", { key }), { right: "team:manage" });
refusesStrangers("getMessage", (key) => call("GET", `/v4/messages/${crypto.randomUUID()}`, { key }), {
  right: "team:manage",
});

import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { sendToDestination } from "../../../../src/features/destinations/send/send.ts";
import type { MessageContent, MessageTable } from "../../../../src/features/messages/content.ts";
import { readDocument, schemaFlaws } from "../../../support/unit/conformance.ts";
import { call } from "../../../support/unit/http.ts";
import { addressOf, contentOf, newMailbox } from "../../../support/unit/messages/channels.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});

async function newDestination(kind: "teams" | "webhook") {
  const mailbox = await newMailbox(crypto.randomUUID());
  const url = addressOf(kind === "teams" ? "teams" : "hook", mailbox.id);
  const { key } = team.admin;
  const { data } = (await call("POST", "/v4/destinations", { key, body: { kind, name: mailbox.id, url } })).body;
  const place = { teamId: team.id, destinationId: data.id as string, messageId: crypto.randomUUID(), channel: kind };
  const send = (content: Partial<MessageContent> = {}, now?: Date, clients = openClients(env)) =>
    sendToDestination(clients, place, contentOf(content), now);
  return { ...mailbox, place, secret: data.secret as string, send, path: `/v4/destinations/${data.id}` };
}

const table = (more: Partial<MessageTable> = {}): MessageTable => ({
  ...{ title: "Orders", columns: ["id", "note"], rows: [["1", "a"]], rowCount: 1 },
  ...more,
});
const link = { title: "orders.csv", url: "https://fjord.example.com/f/abc", expiresAt: "2026-12-01T10:00:00.000Z" };

/** More of everything than any channel shows. */
const huge = (): MessageContent =>
  contentOf({
    subject: "😀".repeat(20_000),
    text: `${"é".repeat(60_000)}\n${"line\n".repeat(60_000)}`,
    tables: Array.from({ length: 5 }, () =>
      table({
        columns: Array.from({ length: 50 }, (_, at) => `column ${at}`),
        rows: Array.from({ length: 1_000 }, () => Array.from({ length: 50 }, () => "\u0000".repeat(20))),
        rowCount: 1_000,
      }),
    ),
    links: Array.from({ length: 5_000 }, () => link),
  });

describe.each(["teams", "webhook"] as const)("a message to a destination of kind %s", (kind) => {
  it("is refused where the destination is gone, or another team's", async () => {
    const { place, path } = await newDestination(kind);
    const send = (more: object) => sendToDestination(openClients(env), { ...place, ...more }, contentOf());
    expect(await send({ teamId: (await newTeam()).id })).toMatchObject({ kind: "refused" });
    await call("DELETE", path, { key: team.admin.key });
    expect(await send({})).toEqual({ kind: "refused", error: "The destination was deleted." });
  });

  it("is not sent to an address that the rules of now forbid", async () => {
    const { send, received } = await newDestination(kind);
    const strict = openClients({ ...env, HOSTS_ALLOWED: "" } as Env);
    expect(await send({}, undefined, strict)).toMatchObject({
      kind: "refused",
      error: expect.stringContaining("https://"),
    });
    expect(await received()).toEqual([]);
  });

  it("says what became of it, for whoever sends it again or not", async () => {
    const { send, failNext } = await newDestination(kind);
    const of = async (...fault: Parameters<typeof failNext>) => {
      await failNext(...fault);
      return send();
    };
    expect(await of()).toEqual({ kind: "sent", reference: null });
    expect(await of({ kind: "status", status: 410 })).toEqual({ kind: "refused", error: "The host answered 410." });
    expect(await of({ kind: "status", status: 503 })).toEqual({ kind: "failed", error: "The host answered 503." });
    expect(await of({ kind: "status", status: 429, headers: { "retry-after": "90" } })).toEqual({
      ...{ kind: "failed", error: "The host answered 429.", retryAfterMs: 90_000 },
    });
    // Teams does not keep repeats apart: what may have been posted is not sent again.
    expect(await of({ kind: "status", status: 502 })).toMatchObject({ kind: kind === "teams" ? "unknown" : "failed" });
    expect(await of({ kind: "status", status: 404 })).toMatchObject({ kind: kind === "teams" ? "refused" : "failed" });
    // However long a host asks to be left alone, a day is the most.
    expect(await of({ kind: "status", status: 503, headers: { "retry-after": "99999999" } })).toMatchObject({
      retryAfterMs: 86_400_000,
    });
    // An answer that has begun tells its status, whatever becomes of its body.
    expect(await of({ kind: "endless" })).toMatchObject({ kind: "sent" });
  });

  it("follows no redirect", async () => {
    const [{ send, failNext }, other] = [await newDestination(kind), await newMailbox(crypto.randomUUID())];
    await failNext({ kind: "status", status: 307, headers: { location: addressOf("hook", other.id) } });
    expect(await send()).toEqual({ kind: "failed", error: "The host answered 307. Redirects are not followed." });
    expect(await other.received()).toEqual([]);
  });

  it("is of unknown outcome where no answer came in time", async () => {
    const { send, failNext, received } = await newDestination(kind);
    await failNext({ kind: "silent" });
    const clients = openClients(env);
    const impatient: typeof clients = {
      ...clients,
      sendWebhook: (request) => clients.sendWebhook({ ...request, deadlineMs: 300 }),
    };
    expect(await send({}, undefined, impatient)).toEqual({
      ...{ kind: "unknown", error: "No answer came within 0.3 s." },
    });
    expect(await received()).toHaveLength(1);
  });
});

describe("a message to Teams", () => {
  const bodyOf = async (content: Partial<MessageContent>) => {
    const { send, received } = await newDestination("teams");
    expect(await send(content)).toMatchObject({ kind: "sent" });
    const [{ body } = { body: "" }] = await received();
    return body;
  };

  it("is a card with subject, text, table and links", async () => {
    const body = await bodyOf({ tables: [table({ rows: [["1", null]], rowCount: 7 })], links: [link] });
    const elements = JSON.parse(body).attachments[0].content.body as { type: string }[];
    expect(elements.map(({ type }) => type)).toEqual([
      ...["RichTextBlock", "RichTextBlock", "RichTextBlock", "Table", "ActionSet"],
    ]);
    expect(body).toContain("Orders (1 of 7 rows, 2 of 2 columns)");
    expect(body).toContain('"text":"NULL"');
    expect(elements.at(-1)).toMatchObject({ actions: [{ type: "Action.OpenUrl", url: link.url }] });
  });

  it("holds what comes from data in text runs alone, in which nothing is a link, a mention or formatted", async () => {
    const hostile = "[pay](https://evil.example) **now** <at>everyone</at> {{DATE(1)}}";
    const body = await bodyOf({
      subject: hostile,
      text: `${hostile}\n${hostile}`,
      tables: [table({ title: hostile, columns: [hostile], rows: [[hostile]] })],
    });
    const holders: string[] = [];
    JSON.parse(body, function (this: { type?: string }, _key, value: unknown) {
      if (typeof value === "string" && value.includes("evil.example")) holders.push(this.type ?? "");
      return value;
    });
    expect(holders).toHaveLength(6);
    expect(new Set(holders)).toEqual(new Set(["TextRun"]));
    expect(body).not.toContain("entities");
  });

  it("fits what Teams takes, whatever the content", async () => {
    const body = await bodyOf(huge());
    expect(new TextEncoder().encode(body).byteLength).toBeLessThanOrEqual(28 * 1_024);
  });

  it("may be without any text", async () => {
    await bodyOf({ subject: "", text: "\n \n" });
  });
});

describe("a message to a signed webhook", () => {
  const isSignedBy = (secret: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    return headers["webhook-signature"]!.split(" ").includes(
      `v1,${createHmac("sha256", key).update(text).digest("base64")}`,
    );
  };

  it("is signed, with the message's own id at each attempt, and is as the document declares", async () => {
    const { send, received, place, secret, failNext } = await newDestination("webhook");
    await failNext({ kind: "cut" });
    const content = { tables: [table({ rowCount: 9 })], links: [link] };
    await send(content);
    await send(content, new Date(Date.now() + 60_000));
    const attempts = await received();
    expect(attempts).toHaveLength(2);
    expect(new Set(attempts.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([place.messageId]));
    expect(new Set(attempts.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(2);
    expect(attempts.every((attempt) => isSignedBy(secret, attempt))).toBe(true);
    expect(attempts[0]!.body).toBe(attempts[1]!.body);
    const { webhooks } = (await readDocument()) as unknown as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
    };
    const payload = JSON.parse(attempts[0]!.body);
    const { schema } = webhooks["delivery"]!.post.requestBody.content["application/json"]!;
    expect(await schemaFlaws("delivery", schema, payload)).toEqual([]);
    expect(payload).toMatchObject({ type: "delivery", data: { tables: [{ rows: [["1", "a"]], row_count: 9 }] } });
  });

  it("is signed with the secret before as well for a day after it was changed", async () => {
    const { send, received, secret: before, path } = await newDestination("webhook");
    const { secret } = (await call("POST", `${path}/secret`, { key: team.admin.key })).body.data;
    await send();
    await send({}, new Date(Date.now() + 25 * 3_600_000));
    const [both, newest] = await received();
    expect([isSignedBy(before, both!), isSignedBy(secret, both!)]).toEqual([true, true]);
    expect([isSignedBy(before, newest!), isSignedBy(secret, newest!)]).toEqual([false, true]);
  });

  it("goes to the address of now, and holds no more than its bound", async () => {
    const [{ send, received, path }, other] = [await newDestination("webhook"), await newMailbox(crypto.randomUUID())];
    await call("PATCH", path, { key: team.admin.key, body: { url: addressOf("hook", other.id) } });
    expect(await send(huge())).toMatchObject({ kind: "sent" });
    expect(await received()).toEqual([]);
    const [{ body } = { body: "" }] = await other.received();
    expect(new TextEncoder().encode(body).byteLength).toBeLessThanOrEqual(256 * 1_024);
    expect(JSON.parse(body).data.subject).toContain("😀");
  });
});

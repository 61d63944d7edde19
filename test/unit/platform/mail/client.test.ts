// How mail is set up, what Cloudflare's binding is handed, and what its answers mean.

import { env } from "cloudflare:workers";
import PostalMime from "postal-mime";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { openBucket, type Bucket } from "../../../../src/platform/bucket/bucket.ts";
import { openMail, type MailEnv } from "../../../../src/platform/mail/client.ts";
import { MAIL_BYTES_MAX } from "../../../../src/platform/mail/mail.ts";
import type { Mail } from "../../../../src/platform/mail/mail.ts";
import { OUTBOX_MAILS_MAX } from "../../../../src/platform/mail/outbox.ts";

type Sending = { from: string; to: string };
const bindingOf = (send: (message: Sending) => unknown): SendEmail =>
  ({ send: async (message: Sending) => send(message) }) as unknown as SendEmail;
const taking = bindingOf(() => ({ messageId: "cf-1" }));

const DEPLOYED: MailEnv = { MAIL: taking, MAIL_FROM: "Fjord <fjord@fjord.test>", PLATFORM_URL: "https://fjord.test" };
/** A part of the bucket that no other file's mails come into. */
const PART = `${crypto.randomUUID()}/`;
const whole = openBucket(env);
const bucket: Bucket = {
  ...whole,
  read: (key) => whole.read(PART + key),
  write: (key, text) => whole.write(PART + key, text),
  delete: (keys) => whole.delete(keys.map((key) => PART + key)),
  async list(query) {
    const page = await whole.list({ ...query, prefix: PART + query.prefix });
    return { ...page, objects: page.objects.map(({ key, ...rest }) => ({ ...rest, key: key.slice(PART.length) })) };
  },
};
const open = (settings: Partial<MailEnv>) => openMail({ ...DEPLOYED, ...settings } as MailEnv, bucket);
const mailOf = (mail: Partial<Mail> = {}): Mail => {
  const at = new Date();
  return {
    ...{ id: newId(at), at, to: "ada@acme.example", subject: "Hi", text: "Hello", html: null, files: [] },
    ...{ unsubscribeUrl: null, ...mail },
  };
};
const quietly = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  return work().finally(() => log.mockRestore());
};

describe("mail's set-up", () => {
  it("is none without a binding or a sender, and an outbox where the local launcher says so", () => {
    expect(open({}).kind).toBe("binding");
    expect(open({ MAIL: undefined as never }).kind).toBe("none");
    for (const MAIL_FROM of ["", "Fjord", "fjord@", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example"])
      expect(open({ MAIL_FROM }).kind).toBe("none");
    const local = { MAIL_OUTBOX: "yes", PLATFORM_URL: "http://127.0.0.1:8787" } as const;
    expect(open(local).kind).toBe("outbox");
    expect(open({ ...local, MAIL_FROM: "" }).kind).toBe("none");
  });

  it("is no outbox where the platform answers by HTTPS, whatever the setting says", () => {
    const client = open({ MAIL_OUTBOX: "yes" });
    expect([client.kind, client.outbox]).toEqual(["binding", undefined]);
  });

  it("sends nothing where there is none", async () => {
    expect(await open({ MAIL: undefined as never }).send(mailOf())).toMatchObject({ kind: "refused" });
  });
});

describe("the binding", () => {
  it("is handed one mail for one address from the sender of the settings", async () => {
    const sent: Sending[] = [];
    const client = open({ MAIL: bindingOf((message) => ({ messageId: `cf-${sent.push(message)}` })) });
    expect(await client.send(mailOf())).toEqual({ kind: "sent", reference: "cf-1" });
    expect(sent).toMatchObject([{ from: "fjord@fjord.test", to: "ada@acme.example" }]);
  });

  it.each([
    ["E_RATE_LIMIT_EXCEEDED", "failed"],
    ["E_DAILY_LIMIT_EXCEEDED", "failed"],
    ["E_INTERNAL_SERVER_ERROR", "failed"],
    ["E_RECIPIENT_SUPPRESSED", "refused"],
    ["E_CONTENT_TOO_LARGE", "refused"],
    ["E_SOMETHING_NEW", "unknown"],
    [undefined, "unknown"],
  ])("answers %s, and the mail is %s", async (code, kind) => {
    const error = Object.assign(new Error("the network"), code === undefined ? {} : { code });
    const client = open({ MAIL: bindingOf(() => Promise.reject(error)) });
    const sent = await quietly(() => client.send(mailOf()));
    expect(sent.kind).toBe(kind);
    expect(JSON.stringify(sent)).not.toContain("the network");
  });

  it("is not waited for without an end", async () => {
    vi.useFakeTimers();
    const sending = open({ MAIL: bindingOf(() => new Promise(() => undefined)) }).send(mailOf());
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await sending.finally(() => vi.useRealTimers())).toMatchObject({ kind: "unknown" });
  });

  it("is handed nothing that is too large, or no mail", async () => {
    const client = open({ MAIL: bindingOf(() => expect.unreachable()) });
    expect(await client.send(mailOf({ text: "x".repeat(MAIL_BYTES_MAX) }))).toMatchObject({ kind: "refused" });
    expect(await quietly(() => client.send(mailOf({ to: "a@b.example,c@d.example" })))).toMatchObject({
      kind: "refused",
    });
  });
});

describe("the outbox", () => {
  const local = () => open({ MAIL: undefined as never, MAIL_OUTBOX: "yes", PLATFORM_URL: "http://127.0.0.1:8787" });

  it("keeps mails as they would have been sent, the newest first", async () => {
    const client = local();
    const mails = [mailOf({ subject: "One" }), mailOf({ subject: "Zwölf", to: "grace@acme.example" })];
    for (const mail of mails) expect(await client.send(mail)).toEqual({ kind: "sent", reference: mail.id });
    const [newest, older] = await client.outbox!.list();
    expect(newest).toMatchObject({ id: mails[1]!.id, subject: "Zwölf", to: "grace@acme.example" });
    expect(older).toMatchObject({ id: mails[0]!.id });
    const raw = (await client.outbox!.read(mails[1]!.id))!;
    expect(raw.length).toBe(newest!.bytes);
    expect((await PostalMime.parse(raw)).subject).toBe("Zwölf");
    expect(await client.outbox!.read(newId())).toBeUndefined();
  });

  it("forgets the oldest past its bound", async () => {
    const client = local();
    const mails = Array.from({ length: OUTBOX_MAILS_MAX + 3 }, () => mailOf());
    for (const mail of mails) await client.send(mail);
    const kept = await client.outbox!.list();
    expect(kept).toHaveLength(OUTBOX_MAILS_MAX);
    expect(kept[0]!.id).toBe(mails.at(-1)!.id);
    expect(await client.outbox!.read(mails[0]!.id)).toBeUndefined();
    expect((await bucket.list({ prefix: "mail-outbox/raw/", limit: 1_000 })).objects).toHaveLength(OUTBOX_MAILS_MAX);
  });
});

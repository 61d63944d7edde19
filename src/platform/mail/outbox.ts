// The local outbox: the last mails that `npm start` would have sent, as they would have been sent. In the bucket, under
// a prefix of its own that no team's objects have.

import type { Bucket } from "../bucket/bucket.ts";
import type { Mail } from "./mail.ts";

export type OutboxEntry = { id: string; to: string; subject: string; bytes: number; sent_at: string };

export type MailOutbox = {
  keep(mail: Mail, raw: string): Promise<void>;
  /** Newest first. */
  list(): Promise<OutboxEntry[]>;
  /** The mail as it would have been sent. */
  read(id: string): Promise<string | undefined>;
};

export const OUTBOX_MAILS_MAX = 200;
const ENTRIES = "mail-outbox/entries/";
const RAW = "mail-outbox/raw/";

export const openOutbox = (bucket: Bucket): MailOutbox => ({
  async keep({ id, to, subject, at }, raw) {
    const entry: OutboxEntry = { id, to, subject, bytes: raw.length, sent_at: at.toISOString() };
    await bucket.write(`${RAW}${id}`, raw);
    await bucket.write(`${ENTRIES}${id}`, JSON.stringify(entry));
    const ids = await idsOf(bucket);
    const old = ids.slice(0, Math.max(0, ids.length - OUTBOX_MAILS_MAX));
    await bucket.delete(old.flatMap((each) => [`${ENTRIES}${each}`, `${RAW}${each}`]));
  },

  async list() {
    const texts = await Promise.all((await idsOf(bucket)).map((id) => textOf(bucket, `${ENTRIES}${id}`)));
    return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as OutboxEntry])).reverse();
  },

  read: (id) => textOf(bucket, `${RAW}${id}`),
});

/** Ids sort by time, so the oldest come first. A few more than are kept, while mails are sent at once. */
async function idsOf(bucket: Bucket): Promise<string[]> {
  const { objects } = await bucket.list({ prefix: ENTRIES, limit: 2 * OUTBOX_MAILS_MAX });
  return objects.map(({ key }) => key.slice(ENTRIES.length));
}

async function textOf(bucket: Bucket, key: string): Promise<string | undefined> {
  const object = await bucket.read(key);
  return object && new Response(object.body).text();
}

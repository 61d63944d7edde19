// The mails that a platform on its developer's machine would have sent.

import { z } from "@hono/zod-openapi";
import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import type { MailOutbox } from "../../../platform/mail/outbox.ts";

export const OutboxMail = z
  .object({ id: z.uuid(), to: z.string(), subject: z.string(), bytes: z.number().int(), sent_at: z.iso.datetime() })
  .openapi("OutboxMail");
export type OutboxMail = z.infer<typeof OutboxMail>;

/** Newest first. `path` is what was asked for: without an outbox nothing answers there. */
export const listOutboxMails = async ({ mail }: Needs<"mail">, path: string): Promise<{ items: OutboxMail[] }> => ({
  items: await requireOutbox(mail.outbox, path).list(),
});

/** The mail as it would have been sent, to the byte. */
export async function readOutboxMail({ mail }: Needs<"mail">, id: string, path: string): Promise<string> {
  const raw = await requireOutbox(mail.outbox, path).read(id);
  if (raw === undefined) throw unanswered(path);
  return raw;
}

function requireOutbox(outbox: MailOutbox | undefined, path: string): MailOutbox {
  if (!outbox) throw unanswered(path);
  return outbox;
}

/** The failure has the words of a path that no operation is at. */
const unanswered = (path: string): Problem => new Problem("resource_not_found", `No operation answers GET ${path}.`);

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { findRecipients, RECIPIENT_REFUSALS } from "../../mail/recipients.ts";
import { requireMail, requireMailsLeft } from "../../mail/send-mail.ts";
import type { MessageContent } from "../content.ts";
import { contentKeyOf, planMessage } from "../message.ts";
import { insertMessages } from "../store.ts";
import { wakeMessages } from "../wake.ts";
import { isHtml, sanitizeHtml, textOfHtml } from "./body-html.ts";
import type { AcceptedEmailMessages, NewEmailMessage } from "./email.ts";

type Deps = Needs<"scope" | "db" | "bucket" | "mail" | "wakeUps">;
type Accepted = Omit<AcceptedEmailMessages, "success">;

/**
 * Accepts a mail to each address. Throws 422, which names the addresses, and sends nothing to anybody, where one is
 * neither a member's nor has confirmed; 503 where mail is not set up; 429 past the team's bound of the day.
 */
export async function sendEmailMessage(ctx: Deps, { toEmails, subject, body }: NewEmailMessage): Promise<Accepted> {
  const { scope, db, bucket } = ctx;
  const { teamId, now } = scope;
  requireMail(ctx);
  const addresses = [...new Set(toEmails)];
  await requireRecipients(ctx, addresses);
  await requireMailsLeft(ctx, addresses.length);

  const cause = { teamId, channel: "email" as const, subject, runId: scope.runId ?? null };
  const first = planMessage({ ...cause, target: addresses[0]! }, now);
  const contentKey = contentKeyOf(first);
  const rest = addresses.slice(1).map((target) => planMessage({ ...cause, target, contentKey }, now));
  const messages = [first, ...rest];
  await bucket.write(contentKey, JSON.stringify(await contentOf(first.subject, body)));
  await db.batch([
    insertMessages(db, messages),
    recordAudit(db, scope, "message.send", {
      id: first.id,
      after: { channel: "email", subject: first.subject, to: addresses },
    }),
  ]);
  await wakeMessages(ctx, teamId, now);
  return { messages: messages.map(({ id, target }) => ({ id, to: target })) };
}

async function requireRecipients(ctx: Deps, addresses: string[]): Promise<void> {
  const states = await findRecipients(ctx, ctx.scope.teamId, addresses);
  const flaws = addresses.flatMap((address, index) => {
    const state = states.get(address) ?? "unknown";
    return state === "allowed"
      ? []
      : [{ pointer: `/toEmails/${index}`, message: `${address}: ${RECIPIENT_REFUSALS[state]}` }];
  });
  if (flaws.length === 0) return;
  throw new Problem("recipient_not_allowed", "Nothing was sent: mail may not go to all of these addresses.", flaws);
}

async function contentOf(subject: string, body: string): Promise<MessageContent> {
  const html = isHtml(body) ? await sanitizeHtml(body) : null;
  return { subject, text: html === null ? body : textOfHtml(html), html, tables: [], files: [], links: [] };
}

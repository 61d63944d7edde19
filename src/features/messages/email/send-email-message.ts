import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import type { Replayable } from "../../../http/request/idempotency-key.ts";
import { emptyPrefix } from "../../../platform/bucket/empty-prefix.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { findRecipients, RECIPIENT_REFUSALS } from "../../mail/recipients.ts";
import { requireMail, requireMailsLeft } from "../../mail/send-mail.ts";
import type { MessageContent } from "../content.ts";
import { contentKeyOf, messagePrefix, planMessage } from "../message.ts";
import { findEarlier, replay, requireEarlier } from "../requests/earlier.ts";
import { nameRequest } from "../requests/request.ts";
import { isFirst, requestStatements } from "../requests/statements.ts";
import { hasMessage, insertMessages } from "../store.ts";
import { wakeMessages } from "../wake.ts";
import { isHtml, sanitizeHtml, textOfHtml } from "./body-html.ts";
import type { AcceptedEmailMessages, NewEmailMessage } from "./email.ts";

type Deps = Needs<"scope" | "db" | "bucket" | "mail" | "wakeUps">;
type Accepted = Omit<AcceptedEmailMessages, "success">;

/**
 * Accepts a mail to each address. Throws 422, which names the addresses, and sends nothing to anybody, where one is
 * neither a member's nor has confirmed; 503 where mail is not set up; 429 past the team's bound of the day. However
 * often a request of this `key` comes, its mails are accepted once.
 */
export async function sendEmailMessage(ctx: Deps, mail: NewEmailMessage, key?: string): Promise<Replayable<Accepted>> {
  const { scope, db, bucket } = ctx;
  const { teamId, now } = scope;
  const { toEmails, subject, body } = mail;
  const replaying = { now, advice: "Look into the log of messages before you send it again." };
  const request = await nameRequest(scope, { key, operation: "sendEmailMessage", body: mail });
  const earlier = await findEarlier(ctx, request);
  if (earlier) return replay(earlier, replaying);

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
  const answer = { messages: messages.map(({ id, target }) => ({ id, to: target })) };
  const [accepted] = await db.batch([
    insertMessages(db, messages, isFirst(request)),
    ...requestStatements(db, request, { message: first, answer }),
    recordAuditIf(db, scope, {
      ...{ action: "message.send" as const, subjectId: first.id, when: hasMessage(first) },
      after: { channel: "email", subject: first.subject, to: addresses },
    }),
  ]);
  if (accepted.length === 0) {
    await emptyPrefix(bucket, messagePrefix(first), 2);
    return replay(await requireEarlier(ctx, request), replaying);
  }
  await wakeMessages(ctx, teamId, now);
  return { value: answer, isReplay: false };
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

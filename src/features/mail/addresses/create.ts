import type { Needs } from "../../../clients/context.ts";
import { toBase64url } from "../../../core/encoding.ts";
import { newId } from "../../../core/ids.ts";
import type { Sent } from "../../../core/messages.ts";
import { Problem } from "../../../core/problem.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { CONFIRM_PATH } from "../links/links.ts";
import { unsubscribeUrlOf } from "../links/unsubscribe.ts";
import { MAIL_LIMITS } from "../limits.ts";
import { findRecipients } from "../recipients.ts";
import { requireMail, requireMailsLeft, sendMail } from "../send-mail.ts";
import {
  countAddresses,
  findAddress,
  hasQuestion,
  idOfQuestion,
  returnAsk,
  takeAsk,
  upsertAddress,
  type AddressRow,
} from "../store.ts";
import { auditedAddress, shownAddress, type MailAddress, type NewMailAddress } from "./address.ts";
import { confirmationMail } from "./confirmation-mail.ts";

type Deps = Needs<"scope" | "db" | "mail" | "tokens" | "settings">;

/**
 * Asks an address, by a mail of fixed text, whether the team's mail may come there. One that has confirmed is answered
 * as it is. Throws 409 for a member's, and for one that has unsubscribed; 429 where it was asked within a day, by
 * whichever team.
 */
export async function createMailAddress(ctx: Deps, { address }: NewMailAddress): Promise<MailAddress> {
  const { scope, db } = ctx;
  requireMail(ctx);
  const known = await findAddress(db, scope.teamId, { address });
  const state = (await findRecipients(ctx, scope.teamId, [address])).get(address);
  if (state === "unsubscribed")
    throw new Problem("resource_conflict", `${address} has unsubscribed from this team's mail.`);
  if (known?.confirmedAt) return shownAddress({ ...known, unsubscribedAt: null }, scope.now);
  if (state === "allowed")
    throw new Problem("resource_conflict", `${address} is a member's: mail may go there as it is.`);
  if (!known && (await countAddresses(db, scope.teamId)) >= MAIL_LIMITS.mailAddressesPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team has ${MAIL_LIMITS.mailAddressesPerTeamMax} addresses at most.`,
    );
  await requireMailsLeft(ctx, 1);
  return ask(ctx, address);
}

async function ask(ctx: Deps, address: string): Promise<MailAddress> {
  const { scope, db } = ctx;
  const { teamId, now } = scope;
  const at = now.toISOString();
  const notSince = new Date(now.getTime() - MAIL_LIMITS.askEveryMs).toISOString();
  if ((await takeAsk(db, address, at, notSince)).length === 0) {
    throw new Problem("too_many_requests", `${address} was asked within the last day. An address is asked once a day.`);
  }
  const token = toBase64url(crypto.getRandomValues(new Uint8Array(24)));
  const expiresAt = new Date(now.getTime() + MAIL_LIMITS.confirmationMs).toISOString();
  const question: AddressRow = {
    ...{ id: newId(now), teamId, address },
    ...{ tokenHash: await sha256Hex(token), askedAt: at, expiresAt, confirmedAt: null },
  };
  const [[row]] = await db.batch([
    upsertAddress(db, question),
    recordAuditIf(db, scope, {
      action: "mail_address.create",
      subjectId: idOfQuestion(question),
      when: hasQuestion(question),
      after: auditedAddress(question),
    }),
  ]);
  // It confirmed an earlier question meanwhile.
  if (!row) return shownAddress({ ...(await findAddress(db, teamId, { address }))!, unsubscribedAt: null }, now);
  const sent = await send(ctx, question, token);
  if (sent.kind === "refused" || sent.kind === "failed") {
    await returnAsk(db, address, at);
    throw new Problem("mail_unavailable", `The question was not sent. ${sent.error}`);
  }
  return shownAddress({ ...row, unsubscribedAt: null }, now);
}

async function send(ctx: Deps, { id, teamId, address }: AddressRow, token: string): Promise<Sent> {
  const { scope, settings } = ctx;
  const url = `${settings.platformUrl}${CONFIRM_PATH}/${token}`;
  const unsubscribeUrl = await unsubscribeUrlOf(ctx, { teamId, address }, scope.now);
  const mail = confirmationMail({ teamName: scope.teamName, url, unsubscribeUrl });
  return sendMail(ctx, teamId, { id, at: scope.now, to: address, ...mail, html: null, files: [], unsubscribeUrl });
}

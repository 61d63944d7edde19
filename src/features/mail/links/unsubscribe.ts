// Unsubscribing, by the link in each mail: it is signed, so no key and no row is needed to know whose it is.

import type { Needs } from "../../../clients/context.ts";
import { MAIL_LIMITS } from "../limits.ts";
import { deleteUnsubscription, insertUnsubscription } from "../store.ts";
import { UNSUBSCRIBE_PATH } from "./links.ts";

type Recipient = { teamId: string; address: string };

/** One POST there ends the team's mails to the address. */
export async function unsubscribeUrlOf(
  { tokens, settings }: Needs<"tokens" | "settings">,
  { teamId, address }: Recipient,
  now: Date,
): Promise<string> {
  const expiresAt = now.getTime() + MAIL_LIMITS.unsubscribingMs;
  const token = await tokens.mint({ use: "unsubscribe", teamId, address, expiresAt });
  return `${settings.platformUrl}${UNSUBSCRIBE_PATH}/${token}`;
}

type Deps = Needs<"db" | "tokens">;

/** Ends the team's mails to the address that the token names. A token that names none changes nothing. */
export async function unsubscribeFromMail({ db, tokens }: Deps, token: string, now: Date): Promise<void> {
  const recipient = await tokens.find("unsubscribe", token, now);
  if (recipient) await insertUnsubscription(db, recipient, now.toISOString());
}

/** Takes {@link unsubscribeFromMail} back. */
export async function subscribeToMail({ db, tokens }: Deps, token: string, now: Date): Promise<void> {
  const recipient = await tokens.find("unsubscribe", token, now);
  if (recipient) await deleteUnsubscription(db, recipient);
}

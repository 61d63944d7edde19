// A team's mail may go to its members, and to mail addresses that have confirmed.

import type { Needs } from "../../clients/context.ts";
import { selectRecipients, type RecipientFacts } from "./store.ts";

/** A member's address or one that has confirmed; or why no mail goes there. */
export type RecipientState = "allowed" | "unknown" | "unsubscribed";

/** For people: why no mail goes to an address. */
export const RECIPIENT_REFUSALS: Record<Exclude<RecipientState, "allowed">, string> = {
  unknown: "Mail goes to members of the team, and to addresses that have confirmed. This is neither.",
  unsubscribed: "This address has unsubscribed from the team's mail.",
};

/** The state of each address, in lower case, as of now. */
export async function findRecipients(
  { db }: Needs<"db">,
  teamId: string,
  addresses: readonly string[],
): Promise<Map<string, RecipientState>> {
  const facts = await selectRecipients(db, teamId, addresses);
  return new Map(facts.map((each) => [each.address, stateOf(each)]));
}

const stateOf = ({ isMember, isConfirmed, hasUnsubscribed }: RecipientFacts): RecipientState => {
  if (hasUnsubscribed === 1) return "unsubscribed";
  return isMember === 1 || isConfirmed === 1 ? "allowed" : "unknown";
};

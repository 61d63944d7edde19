import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { confirmAddressRow, deleteUnsubscription, findAsked } from "../store.ts";

export type TeamAddress = { teamId: string; teamName: string; address: string };

/** The address that a question's link is about, and who asked. Throws 404 for a link that works no more. */
export async function requireAsked({ db }: Needs<"db">, token: string, now: Date): Promise<TeamAddress> {
  const asked = await findAsked(db, await sha256Hex(token), now.toISOString());
  if (!asked)
    throw new Problem("resource_not_found", "This link does not work, or no longer. Ask the team for a new one.");
  return asked;
}

/** The team's mail may come to the address from now on. Confirming again changes nothing. */
export async function confirmMailAddress({ db }: Needs<"db">, token: string, now: Date): Promise<TeamAddress> {
  const asked = await requireAsked({ db }, token, now);
  await db.batch([confirmAddressRow(db, await sha256Hex(token), now.toISOString()), deleteUnsubscription(db, asked)]);
  return asked;
}

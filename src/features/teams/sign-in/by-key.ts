import type { Needs } from "../../../clients/context.ts";
import { hashSuffix, parseKey } from "../keys/key.ts";
import { findKeyHolder } from "../store-callers.ts";
import { notSignedIn } from "./open-session.ts";
import type { Proof } from "./proof.ts";

/** Who holds an API key, as its holder may prove it. Throws 401 for one that is no person's, or works no more. */
export async function proveByKey({ db }: Needs<"db">, apiKey: string, now: Date): Promise<Proof> {
  const parsed = parseKey(apiKey.trim());
  if (!parsed) throw notSignedIn();
  const holder = await findKeyHolder(db, parsed.userId, await hashSuffix(parsed.suffix), now);
  if (!holder) throw notSignedIn();
  const { teamId, userId, keyId } = holder.caller;
  return { method: "key", teamId, userId, key: { id: keyId, expiresAt: holder.expiresAt } };
}

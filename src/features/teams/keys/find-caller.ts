// A key's holder is found. Answers are kept in the isolate for a while, so that most requests need no database; but a
// run's key is looked up each time, for it is to be dead everywhere the moment its run has ended.

import { ExpiringCache } from "../../../core/expiring-cache.ts";
import { LIMITS } from "../../../core/limits.ts";
import type { Caller } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { hashSuffix, parseKey } from "./key.ts";
import { findKeyHolder } from "../store-callers.ts";

/** Holders of keys by key, and those of sessions under names that no key has. */
export const knownCallers = new ExpiringCache<Caller>(LIMITS.keyCacheEntriesMax);

/** Finds a holder other than a user of the team; what it finds is not remembered. */
type FindHolder = (db: Db, userId: string, keyHash: string, now: Date) => Promise<Caller | undefined>;

/** The live holder of a key, or undefined. Unknown keys are not remembered. */
export const callerFinder =
  (findOther: FindHolder) =>
  (deps: Needs<"db">, key: string, now: Date): Caller | Promise<Caller | undefined> =>
    knownCallers.get(key, now) ?? lookUp(deps, key, { findOther, now });

/**
 * To be called when a key or a session, or what its holder may do, has changed. Other isolates follow within the
 * cache's time.
 */
export function forgetCallers(isMeant: (caller: Caller) => boolean): void {
  knownCallers.forget((_, caller) => isMeant(caller));
}

async function lookUp(
  { db }: Needs<"db">,
  key: string,
  { findOther, now }: { findOther: FindHolder; now: Date },
): Promise<Caller | undefined> {
  const parsed = parseKey(key);
  if (!parsed) return undefined;
  const keep = knownCallers.reading();
  const suffixHash = await hashSuffix(parsed.suffix);
  const holder = await findKeyHolder(db, parsed.userId, suffixHash, now);
  if (!holder) return findOther(db, parsed.userId, suffixHash, now);
  const expiresAt = holder.expiresAt === null ? Infinity : Date.parse(holder.expiresAt);
  keep(key, holder.caller, Math.min(now.getTime() + LIMITS.keyCacheMs, expiresAt));
  return holder.caller;
}

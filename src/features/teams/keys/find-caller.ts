// Whose key this is. Answers are kept in the isolate for a while, so that most requests need no database; but a run's
// key is looked up each time, for it is to be dead everywhere the moment its run has ended.

import { ExpiringCache } from "../../../core/expiring-cache.ts";
import { LIMITS } from "../../../core/limits.ts";
import type { Caller } from "../../../core/scope.ts";
import type { Needs } from "../../../platform/context.ts";
import { findRunHolder } from "../../docs/runs/find-holder.ts";
import { hashSuffix, parseKey } from "./key.ts";
import { findKeyHolder } from "../store-callers.ts";

const known = new ExpiringCache<Caller>(LIMITS.keyCacheEntriesMax);

/** The live holder of `key`, or undefined. Unknown keys are not remembered. */
export function findCaller(deps: Needs<"db">, key: string, now: Date): Caller | Promise<Caller | undefined> {
  return known.get(key, now) ?? lookUp(deps, key, now);
}

/** To be called when a key, or what its holder may do, has changed. Other isolates follow within the cache's time. */
export function forgetCallers(isMeant: (caller: Caller) => boolean): void {
  known.forget((_, caller) => isMeant(caller));
}

async function lookUp({ db }: Needs<"db">, key: string, now: Date): Promise<Caller | undefined> {
  const parsed = parseKey(key);
  if (!parsed) return undefined;
  const keep = known.reading();
  const suffixHash = await hashSuffix(parsed.suffix);
  const holder = await findKeyHolder(db, parsed.userId, suffixHash, now);
  if (!holder) return findRunHolder(db, parsed.userId, suffixHash, now);
  const expiresAt = holder.expiresAt === null ? Infinity : Date.parse(holder.expiresAt);
  keep(key, holder.caller, Math.min(now.getTime() + LIMITS.keyCacheMs, expiresAt));
  return holder.caller;
}

// Whose key this is. Answers are kept in the isolate for a while, so that most requests need no database; but a run's
// key is looked up each time, for it is to be dead everywhere the moment its run has ended.

import { LIMITS } from "../../../core/limits.ts";
import type { Caller } from "../../../core/scope.ts";
import type { Needs } from "../../../platform/context.ts";
import { findRunHolder } from "../../docs/runs/find-holder.ts";
import { hashSuffix, parseKey } from "./key.ts";
import { findKeyHolder } from "../store-callers.ts";

/** In the order they were added, which is also the order in which they end. */
const known = new Map<string, { caller: Caller; until: number }>();

/** Counts revocations, so that a lookup under way while one happens is not kept. */
let revocations = 0;

/** The live holder of `key`, or undefined. Unknown keys are not remembered. */
export function findCaller(deps: Needs<"db">, key: string, now: Date): Caller | Promise<Caller | undefined> {
  const entry = known.get(key);
  return entry && entry.until > now.getTime() ? entry.caller : lookUp(deps, key, now);
}

/** To be called when a key, or what its holder may do, has changed. Other isolates follow within the cache's time. */
export function forgetCallers(isMeant: (caller: Caller) => boolean): void {
  revocations++;
  for (const [key, { caller }] of known) if (isMeant(caller)) known.delete(key);
}

async function lookUp({ db }: Needs<"db">, key: string, now: Date): Promise<Caller | undefined> {
  const parsed = parseKey(key);
  if (!parsed) return undefined;
  const revocationsBefore = revocations;
  const suffixHash = await hashSuffix(parsed.suffix);
  const holder = await findKeyHolder(db, parsed.userId, suffixHash, now);
  if (!holder) return findRunHolder(db, parsed.userId, suffixHash, now);
  const expiresAt = holder.expiresAt === null ? Infinity : Date.parse(holder.expiresAt);
  if (revocationsBefore === revocations)
    remember(key, holder.caller, Math.min(now.getTime() + LIMITS.keyCacheMs, expiresAt));
  return holder.caller;
}

function remember(key: string, caller: Caller, until: number): void {
  // Deleted first, so that a renewed entry moves to the end of the order.
  known.delete(key);
  if (known.size >= LIMITS.keyCacheEntriesMax) known.delete(known.keys().next().value!);
  known.set(key, { caller, until });
}

// A session's user is found by the token in a cookie. It is remembered as long as keys are, so that most requests need
// no database.

import { LIMITS } from "../../../core/limits.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Caller } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { knownCallers } from "../keys/find-caller.ts";
import { findSessionHolder } from "../store-callers.ts";
import { idleSince } from "./session.ts";
import { touchSession } from "./store.ts";

/** No key has a space in it. */
const nameOf = (token: string): string => `session ${token}`;

/** The user of a session that works, or undefined. Unknown tokens are not remembered. */
export const findSessionCaller = (deps: Needs<"db">, token: string, now: Date): Caller | Promise<Caller | undefined> =>
  knownCallers.get(nameOf(token), now) ?? lookUp(deps, token, now);

async function lookUp({ db }: Needs<"db">, token: string, now: Date): Promise<Caller | undefined> {
  const keep = knownCallers.reading();
  const holder = await findSessionHolder(db, await sha256Hex(token), {
    at: now.toISOString(),
    idleSince: idleSince(now),
  });
  if (!holder) return undefined;
  const { caller, session, keyExpiresAt } = holder;
  await noteUse(db, session, now);
  const end = Math.min(Date.parse(session.expiresAt), keyExpiresAt === null ? Infinity : Date.parse(keyExpiresAt));
  keep(nameOf(token), caller, Math.min(now.getTime() + LIMITS.keyCacheMs, end));
  return caller;
}

/** Without this note the session ends in the end; a request does not fail for it. */
async function noteUse(
  db: Needs<"db">["db"],
  session: { id: string; teamId: string; usedAt: string },
  now: Date,
): Promise<void> {
  const notSince = new Date(now.getTime() - TEAM_LIMITS.sessionUseEveryMs).toISOString();
  if (session.usedAt >= notSince) return;
  await touchSession(db, session, now.toISOString(), notSince).catch((error: unknown) =>
    console.error(JSON.stringify({ event: "session_use_not_noted", sessionId: session.id, cause: String(error) })),
  );
}

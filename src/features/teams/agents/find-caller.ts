// An agent's access token is looked up as a key is: at /mcp alone, and remembered for as long.

import { LIMITS } from "../../../core/limits.ts";
import type { Caller } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { knownCallers } from "../keys/find-caller.ts";
import { idleSince } from "../sessions/session.ts";
import { findAgentHolder } from "./store.ts";

/** No key has a space in it. */
const nameOf = (token: string): string => `agent ${token}`;

/** What is signed has a dot, and no key has one. */
export const isAgentToken = (secret: string): boolean => secret.includes(".");

/** Whoever has let an agent act for them, or undefined. Unknown tokens are not remembered. */
export const findAgentCaller = (
  deps: Needs<"db" | "tokens">,
  token: string,
  now: Date,
): Caller | Promise<Caller | undefined> => knownCallers.get(nameOf(token), now) ?? lookUp(deps, token, now);

async function lookUp({ db, tokens }: Needs<"db" | "tokens">, text: string, now: Date): Promise<Caller | undefined> {
  const token = await tokens.find("agent", text, now);
  if (!token) return undefined;
  const keep = knownCallers.reading();
  const when = { at: now.toISOString(), idleSince: idleSince(now) };
  const caller = await findAgentHolder(db, { teamId: token.teamId, id: token.authorizationId }, when);
  if (caller) keep(nameOf(text), caller, Math.min(now.getTime() + LIMITS.keyCacheMs, token.expiresAt));
  return caller;
}

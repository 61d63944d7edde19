// A key is held by a user of a team or by a run of a doc, a session by a user, and an agent's token by who has let it.

import type { FindCallers } from "./http/authenticate.ts";
import { findRunHolder } from "./features/docs/runs/find-holder.ts";
import { findAgentCaller, isAgentToken } from "./features/teams/agents/find-caller.ts";
import { callerFinder } from "./features/teams/keys/find-caller.ts";
import { findSessionCaller } from "./features/teams/sessions/find-caller.ts";

export const findCallers = { ofKey: callerFinder(findRunHolder), ofSession: findSessionCaller } satisfies FindCallers;

/** A session is of the platform's own pages: no engine's, whose storage it would open, and no agent's. */
export const findKeyHolders: FindCallers = { ...findCallers, ofSession: () => Promise.resolve(undefined) };

/** At /mcp an agent's token counts beside keys. */
export const findAgentCallers: FindCallers = {
  ...findKeyHolders,
  ofKey: (clients, secret, now) => (isAgentToken(secret) ? findAgentCaller : findCallers.ofKey)(clients, secret, now),
};

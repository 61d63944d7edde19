// A key is held by a user of a team or by a run of a doc, a session by a user, and an agent's token by who has let it.

import type { FindCallers } from "./http/authenticate.ts";
import { findRunHolder } from "./features/docs/runs/find-holder.ts";
import { findAgentCaller, isAgentToken } from "./features/teams/agents/find-caller.ts";
import { callerFinder } from "./features/teams/keys/find-caller.ts";
import { findSessionCaller } from "./features/teams/sessions/find-caller.ts";

export const findCallers = { ofKey: callerFinder(findRunHolder), ofSession: findSessionCaller } satisfies FindCallers;

/** At /mcp: an agent's token beside keys. A session is of the platform's own pages, and no agent's. */
export const findAgentCallers: FindCallers = {
  ofKey: (clients, secret, now) => (isAgentToken(secret) ? findAgentCaller : findCallers.ofKey)(clients, secret, now),
  ofSession: () => Promise.resolve(undefined),
};

// A key is held by a user of a team, by a run of a doc or by a cluster, a session by a user, and an agent's token by
// who has let it.

import type { FindCallers } from "./http/authenticate.ts";
import { findRunHolder } from "./features/docs/runs/find-holder.ts";
import { findLakeKeyHolder } from "./features/iceberg/keys/find-holder.ts";
import { findAgentCaller, isAgentToken } from "./features/teams/agents/find-caller.ts";
import { callerFinder } from "./features/teams/keys/find-caller.ts";
import { findSessionCaller } from "./features/teams/sessions/find-caller.ts";

/** Neither is remembered: both kinds of keys are to be dead everywhere at once. */
const findOtherHolder: typeof findRunHolder = async (db, userId, keyHash, now) =>
  (await findRunHolder(db, userId, keyHash, now)) ?? findLakeKeyHolder(db, userId, keyHash);

export const findCallers = { ofKey: callerFinder(findOtherHolder), ofSession: findSessionCaller } satisfies FindCallers;

/** A session is of the platform's own pages: no engine's, whose storage it would open, and no agent's. */
export const findKeyHolders: FindCallers = { ...findCallers, ofSession: () => Promise.resolve(undefined) };

/** At /mcp an agent's token counts beside keys. */
export const findAgentCallers: FindCallers = {
  ...findKeyHolders,
  ofKey: (clients, secret, now) => (isAgentToken(secret) ? findAgentCaller : findCallers.ofKey)(clients, secret, now),
};

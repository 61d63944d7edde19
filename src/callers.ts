// Who may hold a key, a user of a team or a run of a doc, and who a session: a user.

import type { FindCallers } from "./http/authenticate.ts";
import { findRunHolder } from "./features/docs/runs/find-holder.ts";
import { callerFinder } from "./features/teams/keys/find-caller.ts";
import { findSessionCaller } from "./features/teams/sessions/find-caller.ts";

export const findCallers = { ofKey: callerFinder(findRunHolder), ofSession: findSessionCaller } satisfies FindCallers;

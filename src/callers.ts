// A key is held by a user of a team or by a run of a doc, and a session by a user.

import type { FindCallers } from "./http/authenticate.ts";
import { findRunHolder } from "./features/docs/runs/find-holder.ts";
import { callerFinder } from "./features/teams/keys/find-caller.ts";
import { findSessionCaller } from "./features/teams/sessions/find-caller.ts";

export const findCallers = { ofKey: callerFinder(findRunHolder), ofSession: findSessionCaller } satisfies FindCallers;

// Who may hold a key: a user of a team, or a run of a doc.

import { findRunHolder } from "./features/docs/runs/find-holder.ts";
import { callerFinder } from "./features/teams/keys/find-caller.ts";

export const findCaller = callerFinder(findRunHolder);

// The end of what waits to go to a target, for the feature that the target is of.

import type { SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import type { Message } from "../message.ts";
import { endMessagesTo } from "./store.ts";

/** `isOver`: true in SQL, or nothing ends. */
type Ending = { error: string; at: string; isOver: SQL };

/** A statement for the batch of what closes the target, behind it. The outcome of an attempt under way counts. */
export const endWaitingStatement = (db: Db, lane: Pick<Message, "teamId" | "target">, ending: Ending) =>
  endMessagesTo(db, lane, ending);

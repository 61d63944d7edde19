// What rounds of collection and maintenance leave behind of what they have seen, so that many lakes can be answered for
// without asking each.

import type { Needs } from "../../../platform/context.ts";
import type { ObjectTally } from "../../../platform/db/schema.ts";
import type { LakeName } from "../../../platform/lake/lake.ts";
import { saveObjects } from "./store.ts";

/** The end of a whole look through a lake's objects. */
export async function keepRound({ db }: Needs<"db">, lake: LakeName, tally: ObjectTally, now: Date): Promise<void> {
  await saveObjects(db, lake, tally, now.toISOString());
}

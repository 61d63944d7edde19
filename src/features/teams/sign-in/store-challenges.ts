// Every statement of challenges that have been answered.

import { inArray, lt, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { spentChallenges } from "../../../platform/db/schema/team-schema.ts";

/** True in SQL until the challenge was spent. */
export const isUnspent = (challengeHash: string): SQL =>
  sql`not exists (select 1 from ${spentChallenges} where challenge_hash = ${challengeHash})`;

/** Where two answer one challenge at once, both may spend it: {@link isUnspent} lets one of them do what it is for. */
export const insertSpent = (db: Db, spent: typeof spentChallenges.$inferSelect) =>
  db.insert(spentChallenges).values(spent).onConflictDoNothing();

/** Forgets a bounded number of those that have ended. */
export function deleteEndedChallenges(db: Db, before: string, rowsMax: number) {
  const some = db
    .select({ hash: spentChallenges.challengeHash })
    .from(spentChallenges)
    .where(lt(spentChallenges.expiresAt, before))
    .limit(rowsMax);
  return db
    .delete(spentChallenges)
    .where(inArray(spentChallenges.challengeHash, some))
    .returning({ hash: spentChallenges.challengeHash });
}

// Every statement of challenges that have been answered.

import { lt, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { spentChallenges } from "../../../platform/db/schema/team-schema.ts";

/** True in SQL until the challenge was spent. */
export const isUnspent = (challengeHash: string): SQL =>
  sql`not exists (select 1 from ${spentChallenges} where challenge_hash = ${challengeHash})`;

/** Where two answer one challenge at once, both may spend it: {@link isUnspent} lets one of them do what it is for. */
export const insertSpent = (db: Db, spent: typeof spentChallenges.$inferSelect) =>
  db.insert(spentChallenges).values(spent).onConflictDoNothing();

/** Forgets a bounded number of those that have ended. */
export const deleteEndedChallenges = (db: Db, before: string, rowsMax: number) =>
  deleteSome(db, spentChallenges.challengeHash, lt(spentChallenges.expiresAt, before), rowsMax).returning({
    hash: spentChallenges.challengeHash,
  });

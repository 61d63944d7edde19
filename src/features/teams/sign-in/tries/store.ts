// Every statement of the counts of what callers without a key try.

import { lt, sql } from "drizzle-orm";
import type { Db } from "../../../../platform/db/client.ts";
import { signInTries } from "../../../../platform/db/schema/team-schema.ts";

/** Returns the row, or nothing where there were as many already: a bound that is reached costs no further write. */
export const takeTry = (db: Db, name: { subject: string; spanAt: string }, triesMax: number) =>
  db
    .insert(signInTries)
    .values({ ...name, tries: 1 })
    .onConflictDoUpdate({
      target: [signInTries.subject, signInTries.spanAt],
      set: { tries: sql`${signInTries.tries} + 1` },
      setWhere: lt(signInTries.tries, triesMax),
    })
    .returning({ tries: signInTries.tries });

/** Forgets a bounded number of counts whose span began before the instant. */
export function deleteOldTries(db: Db, before: string, rowsMax: number) {
  const some = sql`select rowid from ${signInTries} where ${signInTries.spanAt} < ${before} limit ${rowsMax}`;
  return db.delete(signInTries).where(sql`rowid in (${some})`).returning({ subject: signInTries.subject });
}

// New links, for whoever makes some: drafts first, which lead somewhere once they are published.

import type { SQL } from "drizzle-orm";
import type { Needs } from "../../clients/context.ts";
import { Problem } from "../../core/problem.ts";
import type { Db } from "../../platform/db/client.ts";
import type { LinkedFileRow } from "./linked-file.ts";
import { LINKED_FILE_LIMITS } from "./limits.ts";
import { countLinkedFiles, endLinks, insertLinkedFileStatements, publishLink } from "./store.ts";

/**
 * The rows come before their files, so that the sweep finds whatever was written. A draft that nobody publishes ends
 * soon, and its file with it. Throws where the team would have more links than it may.
 */
export async function draftLinks({ db }: Needs<"db">, rows: readonly LinkedFileRow[], now: Date): Promise<void> {
  const [first, ...rest] = rows;
  if (!first) return;
  const endsAt = new Date(now.getTime() + LINKED_FILE_LIMITS.draftMs).toISOString();
  const statements = (row: LinkedFileRow) => insertLinkedFileStatements(db, { ...row, bytes: 0, endsAt });
  try {
    await db.batch([...statements(first), ...rest.flatMap(statements)]);
  } catch (error) {
    if ((await countLinkedFiles(db, first.teamId)) + rows.length <= LINKED_FILE_LIMITS.perTeamMax) throw error;
    throw new Problem("business_quota_exceeded", "The team has as many linked files as it may.");
  }
}

/** For the batch that hands the addresses over: the links live, with the bytes that they have, where `when` is true. */
export const publishStatements = (db: Db, rows: readonly LinkedFileRow[], when: SQL) =>
  rows.map((row) => publishLink(db, row, when));

/** Ends links whose addresses were handed to nobody; the sweep deletes their files. */
export async function dropLinks({ db }: Needs<"db">, rows: readonly LinkedFileRow[], now: Date): Promise<void> {
  const [first] = rows;
  const ids = rows.map(({ id }) => id);
  if (first) await endLinks(db, { teamId: first.teamId, ids }, now.toISOString());
}

// Every statement about idempotency keys. Only the sweep looks across teams.

import { and, eq, lt, sql } from "drizzle-orm";
import { newId } from "../../../core/ids.ts";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { docRuns, idempotencyKeys } from "../../../platform/db/schema/schema.ts";

export type KeyName = { teamId: string; docId: string; key: string };

const isKey = ({ teamId, docId, key }: KeyName) =>
  and(eq(idempotencyKeys.teamId, teamId), eq(idempotencyKeys.docId, docId), eq(idempotencyKeys.key, key))!;

/**
 * Binds the key to this run, unless it is bound already; answers the run it is bound to. Bindings made before
 * `forgotten` are gone, and so are those made before `pending` whose run never came to be.
 */
export async function claimKey(
  db: Db,
  name: KeyName,
  runId: string,
  at: { now: string; forgotten: string; pending: string },
): Promise<string> {
  const isRunless = sql`not exists (select 1 from ${docRuns} where ${docRuns.id} = ${idempotencyKeys.runId})`;
  const [, , rows] = await db.batch([
    db.delete(idempotencyKeys).where(
      and(
        isKey(name),
        sql`(${idempotencyKeys.createdAt} < ${at.forgotten} or (${idempotencyKeys.createdAt} < ${at.pending}
            and ${isRunless}))`,
      ),
    ),
    db
      .insert(idempotencyKeys)
      .values({ id: newId(), ...name, runId, createdAt: at.now })
      .onConflictDoNothing(),
    db.select({ runId: idempotencyKeys.runId }).from(idempotencyKeys).where(isKey(name)),
  ]);
  return rows[0]!.runId;
}

/** For a request that led to no run: the next one with the key is the first. */
export const releaseKey = (db: Db, name: KeyName, runId: string) =>
  db.delete(idempotencyKeys).where(and(isKey(name), eq(idempotencyKeys.runId, runId)));

/** A bounded number of those made before. */
export const deleteStaleKeys = (db: Db, before: string, rowsMax: number) =>
  deleteSome(db, idempotencyKeys.id, lt(idempotencyKeys.createdAt, before), rowsMax);

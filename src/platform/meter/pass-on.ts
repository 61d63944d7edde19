// A meter's batch, committed to D1 once however often it comes.

import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { addEventRollups } from "../db/count-events.ts";
import { teams } from "../db/schema/schema.ts";
import { keyUses, meterBatches } from "../db/schema/statistics-schema.ts";
import type { MeterBatch } from "./meter-rows.ts";

/** False where the team is not there any more, or is being removed, and the batch is nobody's. */
export async function passOn(db: Db, batch: MeterBatch): Promise<boolean> {
  const { teamId, sequence, events } = batch;
  const isNew = sql`exists (select 1 from teams where id = ${teamId} and deleted_at is null)
    and not exists (select 1 from meter_batches where team_id = ${teamId} and sequence >= ${sequence})`;
  const [found] = await db.batch([
    db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.id, teamId), isNull(teams.deletedAt))),
    addEventRollups(db, teamId, events, isNew),
    upsertKeyUses(db, batch),
    // Last: the others go by it.
    db
      .insert(meterBatches)
      .select(sql`select ${teamId}, ${sequence} where ${isNew}`)
      .onConflictDoUpdate({ target: meterBatches.teamId, set: { sequence } }),
  ]);
  return found.length > 0;
}

/** Keys that are gone are left out. The latest use counts, so that a batch may come twice. */
function upsertKeyUses(db: Db, { teamId, keyUses: uses }: MeterBatch) {
  const rows = Object.entries(uses).map(([keyId, atMs]) => ({ keyId, at: new Date(atMs).toISOString() }));
  return db
    .insert(keyUses)
    .select(
      sql`select k.id, k.team_id, u.value ->> 'at' from json_each(${JSON.stringify(rows)}) u
        join api_keys k on k.id = u.value ->> 'keyId' and k.team_id = ${teamId}
        join teams t on t.id = k.team_id and t.deleted_at is null where true`,
    )
    .onConflictDoUpdate({ target: keyUses.keyId, set: { usedAt: sql`max(${keyUses.usedAt}, excluded.used_at)` } });
}

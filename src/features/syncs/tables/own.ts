// The lake tables of a sync are its own: nothing else may write to them while it is configured.

import { Problem } from "../../../core/problem.ts";
import type { SourceTable } from "./expand.ts";
import type { SyncRunDeps } from "../runs/step/run-deps.ts";
import { deleteSyncRow } from "../store.ts";
import { leaseOf, ownerOf, type Sync } from "../sync.ts";

type Lakes = Pick<SyncRunDeps, "openLake">;

/** The sync's name in messages, where it keeps another sync from a table. */
const ownerName = ({ id, sourceId, destSchema }: Pick<Sync, "id" | "sourceId" | "destSchema">): string =>
  `${id} of integration ${sourceId} into ${destSchema}`;

export const claimOf = (sync: Sync, tables: Pick<SourceTable, "name">[]) =>
  [
    { owner: ownerOf(sync.id), name: ownerName(sync) },
    tables.map(({ name }) => ({ schema: sync.destSchema, name })),
  ] as const;

/** All of the tables or none. Throws `resource_conflict` naming those that are another sync's. */
export async function claimForSync({ openLake }: Lakes, sync: Sync, tables: SourceTable[]): Promise<void> {
  const [owner, names] = claimOf(sync, tables);
  const taken = await openLake(sync.lakeId).claimTables(owner, names);
  if (taken.length === 0) return;
  const flaws = taken.map(({ schema, name, owner: other }) => ({
    pointer: "/tables",
    message: `The lake table ${schema}.${name} belongs to the sync ${other.name}.`,
  }));
  throw new Problem(
    "resource_conflict",
    `${flaws[0]!.message} Sync into another schema, or delete that sync first; one that was deleted while it ran ` +
      "keeps its tables until its run has ended.",
    flaws,
  );
}

/**
 * After a configuration has taken another's place: what it no longer names is anybody's, so what is remembered of it no
 * longer holds. What it names was never free in between.
 */
export async function keepOnly({ openLake }: Lakes, sync: Sync, tables: SourceTable[]): Promise<void> {
  const lake = openLake(sync.lakeId);
  await lake.keepTables(...claimOf(sync, tables));
  await lake.forgetNotes(
    `${leaseOf(sync.id)}/`,
    tables.map(({ path }) => `${leaseOf(sync.id)}/${path}`),
  );
}

/** A sync that did not come to be owns nothing. What is left undone here the sweep does. */
export async function forgetPlanned({ openLake, db }: Lakes & Pick<SyncRunDeps, "db">, sync: Sync): Promise<void> {
  await openLake(sync.lakeId).releaseOwner(ownerOf(sync.id));
  await deleteSyncRow(db, sync);
}

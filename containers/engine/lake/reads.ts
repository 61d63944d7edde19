// Tables of one snapshot brought to this machine, as relations of a catalog in the jail.

import type { LakeDescription, LakeTable, TablePlan } from "../lake-protocol.ts";
import type { LakeGrant } from "../protocol.ts";
import type { FileCache } from "./cache.ts";
import type { FileShapes } from "./file-shapes.ts";
import type { Plans } from "./plans.ts";
import type { QueryPool } from "./pool.ts";
import { catalogAt, type TableName } from "./query-messages.ts";
import { relationsSql, resolveTables, type RelationOptions } from "./relations.ts";
import { snapshotOf } from "./snapshots.ts";

export type LakeParts = { pool: QueryPool; cache: FileCache; plans: Plans; shapes: FileShapes };

/** `paths` are held in place until released. */
export type OpenTables = { setup: string[]; paths: Map<number, string>; plans: TablePlan[]; tables: LakeTable[]; release(): void };

/** The files of `tables`, and the SQL that makes relations of them. */
export async function openTables(parts: LakeParts, grant: LakeGrant, description: LakeDescription, tables: LakeTable[], readsMetadata: boolean, options: RelationOptions, signal: AbortSignal): Promise<OpenTables> {
  const plans = await parts.plans.plan(grant, tables, signal);
  const files = plans.flatMap(({ files }) => files.flatMap(({ deletes, ...file }) => (deletes ? [file, deletes] : [file])));
  const { paths, release } = await parts.cache.pin(grant.lakeId, files, (ids) => parts.plans.sign(grant, ids, signal), signal);
  try {
    const data = plans.flatMap(({ files }) => files.map(({ id }) => paths.get(id)!));
    const shapes = await parts.shapes.of(data, (some) => parts.pool.with(signal, (process) => process.inspect(some, signal)));
    return { setup: relationsSql(description, tables, plans, { paths, shapes }, readsMetadata, options), paths, plans, tables, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** The tables that a statement reads as of earlier snapshots, each snapshot in its catalog. */
export async function openPast(parts: LakeParts, grant: LakeGrant, names: readonly TableName[], signal: AbortSignal): Promise<OpenTables[]> {
  const open: OpenTables[] = [];
  try {
    for (const [at, named] of Map.groupBy(names, (name) => name.at)) {
      if (at === undefined) continue;
      const { grant: past, description } = await snapshotOf(parts.plans, grant, at, signal);
      open.push(await openTables(parts, past, description, resolveTables(named, description), false, { catalog: catalogAt(at) }, signal));
    }
    return open;
  } catch (error) {
    for (const { release } of open) release();
    throw error;
  }
}

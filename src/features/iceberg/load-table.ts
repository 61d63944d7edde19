// A table's metadata is loaded. What of it nobody has loaded before is written first.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { valueOf } from "../../core/answer.ts";
import { ICEBERG_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import { lakeAddress, lakePrefix } from "../../lake/lake.ts";
import { sha256Hex } from "../../platform/crypto/digest.ts";
import { tableMetadata, type IcebergSnapshot, type TableMetadata } from "../../lake/iceberg/format/table-metadata.ts";
import type { WrittenObject } from "../../lake/iceberg/objects.ts";
import type { OpenedTable, TableVersion } from "../../lake/iceberg/open-table.ts";
import type { PlannedManifest } from "../../lake/iceberg/plan-manifests.ts";
import { folderAddress } from "./credentials.ts";
import { openTable, requireOwnFolder } from "./open-table.ts";
import {
  planVersion,
  unwrittenIn,
  writeManifests,
  writeVersion,
  type TableAt,
  type WriteDeps,
} from "./write-manifests.ts";
import type { Warehouse } from "./warehouse.ts";

export type LoadedTable = { table: OpenedTable; etag: string; metadata: TableMetadata; location: string };

/** An expiry may schedule the deletion of what is being written; then it is written anew. */
const TRIES = 3;

/** `known`: the tag of what the caller has. It is answered alone where nothing is different. */
export async function loadTable(
  deps: WriteDeps,
  warehouse: Warehouse,
  { known, ...named }: LakeTableName & { known: (etag: string) => boolean },
): Promise<LoadedTable | { etag: string }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const table = await openTable(warehouse, named);
    requireOwnFolder(table);
    const written = table.versions.every(({ list }) => list !== null) ? [] : await writeMissing(deps, warehouse, table);
    if (table.versions.at(-1)?.list === null) continue;
    const loaded = await describe(deps, warehouse, table);
    if (written.length === 0 && known(loaded.etag)) return { etag: loaded.etag };
    const location = await keepMetadata(deps, warehouse, loaded, written);
    if (location !== undefined) return { ...loaded, location };
  }
  throw new Problem("work_in_progress", `${named.schema}.${named.name} changed while it was loaded; load it again.`);
}

/**
 * Writes the manifest lists that are missing, the newest version's first, and notes them in the table. Versions for
 * which a load has no time left are left out of the metadata, and later loads come to them.
 */
async function writeMissing(deps: WriteDeps, warehouse: Warehouse, table: OpenedTable): Promise<WrittenObject[]> {
  const objects: WrittenObject[] = [];
  let left: number = ICEBERG_LIMITS.manifestsPerLoadMax;
  let filesLeft: number = ICEBERG_LIMITS.filesPerLoadMax;
  for (const [index, version] of table.versions.toReversed().entries()) {
    if (version.list) continue;
    if (filesLeft <= 0) break;
    const at = { warehouse, table, version };
    const plan = await planVersion(at);
    const unwritten = unwrittenIn(plan);
    if (index > 0 && unwritten.length > left) {
      // A part of a version is a beginning: later loads find it written.
      await keepPart(deps, at, unwritten.slice(0, left));
      break;
    }
    const done = await writeVersion(deps, at, plan);
    // Another version's plan may name the same manifests, so the catalog has to know of them before it is asked.
    if (!done || !(await warehouse.lake.keepIcebergObjects(done.written))) break;
    const { list, written, manifests } = done;
    version.list = list;
    objects.push(...written);
    if (index === 0) continue;
    left -= manifests;
    filesLeft -= plan.facts.dataFiles + plan.facts.deleteFiles;
  }
  return objects;
}

async function keepPart(deps: WriteDeps, at: TableAt, manifests: readonly PlannedManifest[]): Promise<void> {
  const done = await writeManifests(deps, at, manifests);
  if (done) await at.warehouse.lake.keepIcebergObjects(done.written);
}

/** The versions up to the newest that are written without a gap. */
function writtenVersions({ versions }: OpenedTable): TableVersion[] {
  const gap = versions.findLastIndex(({ list }) => list === null);
  return versions.slice(gap + 1);
}

type Described = Omit<LoadedTable, "location"> & { version: number };

async function describe(deps: WriteDeps, warehouse: Warehouse, table: OpenedTable): Promise<Described> {
  const { bucket, scope } = deps;
  const { lakeId, profile } = warehouse;
  const root = lakeAddress(bucket.name, scope.teamId, lakeId);
  const snapshots = writtenVersions(table).map(
    ({ snapshotId, atMs, schemaId, list }): IcebergSnapshot => ({
      ...{ snapshotId, atMs, schemaId },
      ...{ list: root + list!.path, facts: list!.facts },
    }),
  );
  const [first, ...others] = snapshots;
  if (!first) throw new Error(`The newest version of table ${table.tableId} is not written.`);
  const named = new Set(snapshots.map(({ schemaId }) => schemaId));
  const metadata = tableMetadata({
    ...{ profile, failsByRow: table.failsByRow, uuid: table.uuid, lastColumnId: table.lastColumnId },
    location: folderAddress(deps, { teamId: scope.teamId, lakeId, folder: table.folder }).replace(/\/$/, ""),
    schemas: table.schemas.filter(({ schemaId }) => named.has(schemaId)),
    snapshots: [first, ...others],
  });
  const etag = (await sha256Hex(JSON.stringify(metadata))).slice(0, 32);
  return { table, etag, metadata, version: table.versions.at(-1)!.version };
}

/** The whole address of the metadata's object; undefined where the deletion of something in it is scheduled by now. */
async function keepMetadata(
  { bucket, scope }: WriteDeps,
  { lake, lakeId, reader, profile }: Warehouse,
  { table, version, etag, metadata }: Described,
  written: readonly WrittenObject[],
): Promise<string | undefined> {
  const root = lakeAddress(bucket.name, scope.teamId, lakeId);
  const path = table.metadata[`${profile}:${etag}`];
  if (path !== undefined && written.length === 0) return root + path;
  const { objectId, path: added } = valueOf(
    await lake.replaceIcebergMetadata({ ...table, version, profile, key: etag }, reader),
  );
  const text = JSON.stringify(metadata);
  await bucket.write(lakePrefix(scope.teamId, lakeId) + added, text);
  const object = { objectId, bytes: new TextEncoder().encode(text).length, facts: "" };
  return (await lake.keepIcebergObjects([...written, object])) ? root + added : undefined;
}

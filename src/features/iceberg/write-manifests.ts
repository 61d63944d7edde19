// The manifests and the manifest list of a table's version are written, where nobody has written them before.

import { valueOf } from "../../core/answer.ts";
import type { Needs } from "../../clients/context.ts";
import {
  encodeManifest,
  encodeManifestList,
  factsOfManifest,
  type FileStatistics,
  type ManifestFiles,
  type StoredManifest,
} from "../../lake/iceberg/format/manifests.ts";
import { schemaDocument } from "../../lake/iceberg/format/table-metadata.ts";
import type { WrittenObject } from "../../lake/iceberg/objects.ts";
import type { OpenedTable, TableVersion } from "../../lake/iceberg/open-table.ts";
import type { ManifestPlan, PlannedManifest } from "../../lake/iceberg/plan-manifests.ts";
import type { ManifestRows } from "../../lake/iceberg/read-files.ts";
import { lakeAddress, lakePrefix } from "../../lake/lake.ts";
import type { Warehouse } from "./warehouse.ts";

export type WriteDeps = Needs<"bucket" | "scope">;

/** Manifests that are made at a time: each is half a megabyte of rows on its way to a hundred kilobytes. */
const AT_A_TIME = 4;

export type TableAt = { warehouse: Warehouse; table: OpenedTable; version: TableVersion };
type Written = { list: TableVersion["list"]; written: WrittenObject[]; manifests: number };
/** In the order of the plan. `written` are those that nobody had written before. */
type WrittenManifests = { stored: StoredManifest[]; written: WrittenObject[] };

export const planVersion = async ({ warehouse, table, version }: TableAt): Promise<ManifestPlan> =>
  valueOf(await warehouse.lake.planIcebergManifests({ ...table, version: version.version }, warehouse.reader));

export const unwrittenIn = ({ manifests }: ManifestPlan): PlannedManifest[] =>
  manifests.filter(({ content }) => "fileIds" in content);

/**
 * Writes those of the manifests that are missing. Nothing is known to the catalog before it is told of `written`.
 * Undefined where the version has expired since it was planned, so that its files are on their way out.
 */
export async function writeManifests(
  deps: WriteDeps,
  at: TableAt,
  manifests: readonly PlannedManifest[],
): Promise<WrittenManifests | undefined> {
  const root = lakeAddress(deps.bucket.name, deps.scope.teamId, at.warehouse.lakeId);
  const stored: StoredManifest[] = [];
  const written: WrittenObject[] = [];
  for (let from = 0; from < manifests.length; from += AT_A_TIME) {
    const batch = manifests.slice(from, from + AT_A_TIME);
    for (const each of await Promise.all(batch.map((manifest) => storeManifest(deps, at, manifest)))) {
      if (!each) return undefined;
      const { objectId, path, bytes, facts, isNew } = each;
      stored.push({ path: root + path, bytes, facts });
      if (isNew) written.push({ objectId, bytes, facts: JSON.stringify(facts) });
    }
  }
  return { stored, written };
}

/** {@link writeManifests} of the whole plan, and the manifest list. */
export async function writeVersion(deps: WriteDeps, at: TableAt, plan: ManifestPlan): Promise<Written | undefined> {
  const { bucket, scope } = deps;
  const done = await writeManifests(deps, at, plan.manifests);
  if (!done) return undefined;
  const { stored, written } = done;
  const list = encodeManifestList(stored);
  const { objectId, path } = plan.list;
  await bucket.write(lakePrefix(scope.teamId, at.warehouse.lakeId) + path, list);
  const manifests = written.length;
  written.push({ objectId, bytes: list.length, facts: JSON.stringify(plan.facts) });
  return { list: { path, facts: plan.facts }, written, manifests };
}

async function storeManifest(
  { bucket, scope }: WriteDeps,
  { warehouse, table, version }: TableAt,
  manifest: PlannedManifest,
) {
  const { kind, objectId, path, content } = manifest;
  if (!("fileIds" in content)) return { objectId, path, ...content, isNew: false };
  const asked = { ...table, version: version.version, kind, fileIds: content.fileIds };
  // On its way out of the object a tuple's type becomes a list's.
  const rows = valueOf(await warehouse.lake.readIcebergFiles(asked, warehouse.reader)) as ManifestRows;
  if (rows.files.length < content.fileIds.length) return undefined;
  const prefix = lakeAddress(bucket.name, scope.teamId, warehouse.lakeId) + table.folder;
  const files = filesOf(rows, prefix);
  const schema = table.schemas.find(({ schemaId }) => schemaId === version.schemaId)!;
  // A manifest serves every profile: a column that one leaves out has bounds that its clients look up by no id.
  const bytes = encodeManifest(files, schemaDocument(schema, { profile: "full", failsByRow: table.failsByRow }));
  await bucket.write(lakePrefix(scope.teamId, warehouse.lakeId) + path, bytes);
  return { objectId, path, bytes: bytes.length, facts: factsOfManifest(files), isNew: true };
}

/** `prefix` is the whole address of the table's folder. */
function filesOf(rows: ManifestRows, prefix: string): ManifestFiles {
  if (rows.kind === "deletes")
    return {
      kind: "deletes",
      files: rows.files.map(([path, bytes, count, begin, of]) => ({
        ...{ path: prefix + path, bytes, rows: count, begin, of: prefix + of },
      })),
    };
  const types = new Map(rows.types);
  const statistics = Map.groupBy(rows.statistics, ([fileId]) => fileId);
  return {
    kind: "data",
    files: rows.files.map(([id, path, bytes, count, begin]) => ({
      ...{ path: prefix + path, bytes, rows: count, begin },
      statistics: (statistics.get(id) ?? []).map(
        ([, columnId, size, values, nulls, min, max]): FileStatistics => ({
          ...{ columnId, type: types.get(columnId)!, bytes: size, values, nulls, min, max },
        }),
      ),
    })),
  };
}

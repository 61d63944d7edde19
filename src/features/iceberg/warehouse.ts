// A warehouse is a lake as one kind of client sees it: the lake's id, or the id with a profile behind a colon.

import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import type { Lake, LakeReader } from "../../lake/lake.ts";
import { valueOf } from "../../core/answer.ts";
import type { Profile } from "../../lake/iceberg/format/column-types.ts";
import { forgetAccess, holderOf } from "../access/known-states.ts";
import { openReadLake } from "../catalog/open-lake.ts";
import { getLake } from "../integrations/get.ts";

export type WarehouseDeps = Needs<"scope" | "db" | "openLake">;

/** What stands behind the colon; nothing stands for the profile `full`. */
const PROFILE_NAMES: Record<string, Profile> = { spark: "spark" };

export type Warehouse = LakeReader & { lakeId: string; lake: Lake; profile: Profile };

function readName(name: string): { lakeId: string; profile: Profile } {
  const [lakeId = "", profile, ...others] = name.split(":");
  if (profile === undefined) return { lakeId, profile: "full" };
  const known = Object.hasOwn(PROFILE_NAMES, profile) && others.length === 0 ? PROFILE_NAMES[profile] : undefined;
  if (!known) throw new Problem("resource_not_found", `Warehouse ${name} was not found: its profile may be "spark".`);
  return { lakeId, profile: known };
}

/**
 * The caller's roles are read anew: a credential lasts an hour and can't be taken back, so none is given by what this
 * isolate remembers of them.
 */
export async function openWarehouse(ctx: WarehouseDeps, name: string): Promise<Warehouse> {
  const { lakeId, profile } = readName(name);
  requireOwnLake(ctx, lakeId);
  forgetAccess(ctx.scope.teamId, holderOf(ctx.scope));
  return { ...(await openReadLake(ctx, lakeId)), profile };
}

/** To the key of one lake any other is as good as missing. */
function requireOwnLake({ scope: { icebergLakeId } }: Pick<WarehouseDeps, "scope">, lakeId: string): void {
  if (icebergLakeId !== undefined && icebergLakeId !== lakeId.toLowerCase()) throw notFound("Lake", lakeId);
}

/** The warehouse's name as it stands in paths; the team's own lake where none is named. */
export async function findWarehouseName(ctx: WarehouseDeps, name: string | undefined): Promise<string> {
  if (name === undefined || name === "") return (await getLake(ctx, ctx.scope.icebergLakeId)).id;
  const { lakeId, profile } = readName(name);
  requireOwnLake(ctx, lakeId);
  const { id } = await getLake(ctx, lakeId);
  return profile === "full" ? id : `${id}:${profile}`;
}

export type WarehouseContent = { schemas: string[]; tables: LakeTableName[] };

export const listContent = async ({ lake, reader }: Warehouse): Promise<WarehouseContent> =>
  valueOf(await lake.listIcebergTables(reader));

/** The schema of this name, in whatever case it is written, and its tables. A name in parts is no schema's. */
export async function requireSchema(
  warehouse: Warehouse,
  name: string,
): Promise<{ schema: string; tables: LakeTableName[] }> {
  const { schemas, tables } = await listContent(warehouse);
  const schema = schemas.find((each) => foldName(each) === foldName(name));
  if (schema === undefined) throw new Problem("resource_not_found", `Namespace ${name} was not found.`);
  return { schema, tables: tables.filter((table) => table.schema === schema) };
}

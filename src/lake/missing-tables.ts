import { foldName } from "../../kernel/text/fold-name.ts";
import { valueOf } from "../core/answer.ts";
import type { Lake } from "./lake.ts";
import type { LakeTableName } from "../../kernel/lake/lake.ts";

/** The names that no table of the lake has now, without regard to case. */
export async function findMissingTables(lake: Lake, names: readonly LakeTableName[]): Promise<LakeTableName[]> {
  if (names.length === 0) return [];
  const { snapshotId } = await lake.currentSnapshot();
  const { tables } = valueOf(await lake.describe(snapshotId, "everything"));
  const known = new Set(tables.map(keyOf));
  return names.filter((name) => !known.has(keyOf(name)));
}

const keyOf = ({ schema, name }: LakeTableName): string => JSON.stringify([foldName(schema), foldName(name)]);

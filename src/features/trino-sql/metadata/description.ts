// Descriptions of lakes are kept between statements: that of one snapshot never changes for one reader.

import { LruMap } from "../../../../kernel/text/lru-map.ts";
import type { LakeDescription } from "../../../../kernel/lake/lake.ts";
import { valueOf } from "../../../core/answer.ts";
import { TRINO_SQL_LIMITS } from "../limits.ts";
import type { Lake, LakeReader } from "../../../lake/lake.ts";

/** By lake, snapshot and reader; each counts by its columns, and by its tables and schemas. */
const kept = new LruMap<LakeDescription>(TRINO_SQL_LIMITS.describedColumnsMax, ({ schemas, tables }) =>
  tables.reduce((sum, { columns }) => sum + 1 + columns.length, 1 + schemas.length),
);

export async function describeLake(
  lake: Lake,
  lakeId: string,
  { snapshotId, reader }: LakeReader,
): Promise<LakeDescription> {
  const key = JSON.stringify([lakeId, snapshotId, reader]);
  const known = kept.get(key);
  if (known) return known;
  const described: LakeDescription = valueOf(await lake.describe(snapshotId, reader));
  kept.set(key, described);
  return described;
}

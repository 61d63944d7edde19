import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { openReadLake } from "./open-lake.ts";
import { showTable, type LakeTable } from "./table.ts";

/** Every table that the caller may read of a lake, as of now, by schema and name: as many as `limit` says. */
export async function listLakeTables(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
): Promise<{ items: LakeTable[]; total: number; limit: number; offset: number }> {
  const { lake, reader } = await openReadLake(ctx, integrationId);
  const { total, tables } = valueOf(await lake.browseTables(LIMITS.catalogTablesMax, reader));
  return { items: tables.map(showTable), total, limit: LIMITS.catalogTablesMax, offset: 0 };
}

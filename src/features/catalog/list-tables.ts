import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../platform/context.ts";
import { getLake } from "../integrations/get.ts";
import { showTable, type LakeTable } from "./table.ts";

/** Every table of a lake as of now, by schema and name, up to the bound that is answered as `limit`. */
export async function listLakeTables(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
): Promise<{ items: LakeTable[]; total: number; limit: number; offset: number }> {
  const { id } = await getLake(ctx, integrationId);
  const { total, tables } = await ctx.openLake(id).browseTables(LIMITS.catalogTablesMax);
  return { items: tables.map(showTable), total, limit: LIMITS.catalogTablesMax, offset: 0 };
}

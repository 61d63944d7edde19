import type { Needs } from "../../platform/context.ts";
import { valueOf } from "../../platform/lake/answer.ts";
import { getLake } from "../integrations/get.ts";
import { showTableDetail, type LakeTableDetail } from "./table.ts";

/** A lake's table in whatever case its name is written. */
export type TableName = { schema: string; table: string };

export async function getLakeTable(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  { schema, table }: TableName,
): Promise<LakeTableDetail> {
  const lake = ctx.openLake((await getLake(ctx, integrationId)).id);
  const [summary, columns] = await Promise.all([lake.browseTable(schema, table), lake.browseColumns(schema, table)]);
  return showTableDetail(valueOf(summary), valueOf(columns));
}

import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { openReadLake } from "./open-lake.ts";
import { showTableDetail, type LakeTableDetail } from "./table.ts";

/** A lake's table in whatever case its name is written. */
export type TableName = { schema: string; table: string };

export async function getLakeTable(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  { schema, table }: TableName,
): Promise<LakeTableDetail> {
  const { lake, reader } = await openReadLake(ctx, integrationId);
  const { summary, columns } = valueOf(await lake.browseTable({ schema, name: table }, reader));
  return showTableDetail(summary, columns);
}

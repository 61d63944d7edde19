import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { openReadLake } from "./open-lake.ts";
import type { TableName } from "./get-table.ts";
import { showSnapshot, type TableSnapshot } from "./table.ts";

/** The newest snapshots that touched a table, newest first. */
export async function listTableSnapshots(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  { schema, table }: TableName,
  limit: number,
): Promise<{ items: TableSnapshot[]; total: number; limit: number; offset: number }> {
  const { lake, reader } = await openReadLake(ctx, integrationId);
  const { total, snapshots } = valueOf(await lake.browseSnapshots({ schema, name: table }, limit, reader));
  return { items: snapshots.map(showSnapshot), total, limit, offset: 0 };
}

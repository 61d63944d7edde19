import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import { likeNames } from "../../../kernel/text/like-names.ts";
import type { Lake, LakeReader } from "../../lake/lake.ts";
import { openReadLake } from "./open-lake.ts";
import { showTableDetail, type LakeTableDetail } from "./table.ts";

/** A lake's table in whatever case its name is written. */
export type TableName = { schema: string; table: string };

/** Throws `resource_not_found`, with the likest names of tables that the caller may read. */
export async function getLakeTable(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  name: TableName,
): Promise<LakeTableDetail> {
  const read = await openReadLake(ctx, integrationId);
  const answer = await read.lake.browseTable({ schema: name.schema, name: name.table }, read.reader);
  if (!answer.ok && answer.refusal.code === "resource_not_found")
    throw new Problem("resource_not_found", `${answer.refusal.detail}${await likeTables(read, name)}`);
  const { summary, columns } = valueOf(answer);
  return showTableDetail(summary, columns);
}

async function likeTables(
  { lake, reader }: LakeReader & { lake: Lake },
  { schema, table }: TableName,
): Promise<string> {
  const { tables } = valueOf(await lake.browseTables(LIMITS.catalogTablesMax, reader));
  const nearest = tables.toSorted((one, other) => Number(other.schema === schema) - Number(one.schema === schema));
  const like = likeNames(table, nearest, ({ name }) => [name]).map((one) => `${one.schema}.${one.name}`);
  return like.length === 0 ? "" : ` Did you mean ${like.join(" or ")}?`;
}

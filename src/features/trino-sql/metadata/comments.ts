// The comments of a lake's tables and columns, read where a statement asks for them.

import { valueOf } from "../../../core/answer.ts";
import { TRINO_SQL_LIMITS } from "../limits.ts";
import type { Lake, LakeReader } from "../../../lake/lake.ts";

/** By the table's id; those of columns by their names, too. A comment on what the caller sees in part is not told. */
export type Comments = {
  ofTables: ReadonlyMap<number, string>;
  ofColumns: ReadonlyMap<number, ReadonlyMap<string, string>>;
};

/** The tables of metadata that have comments in them. */
const COMMENTED: readonly string[] = ["columns", "table_comments"];

/** Whether a tree names a table that shows comments. */
export function showsComments(tree: unknown): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  const { kind, name } = tree as { kind?: string; name?: { text?: string }[] };
  if (kind === "showCreate") return true;
  if (kind === "table" && Array.isArray(name) && COMMENTED.includes(name.at(-1)?.text?.toLowerCase() ?? ""))
    return true;
  return Object.values(tree).some(showsComments);
}

/** Comments are those of now. */
export async function readComments(lake: Lake, { reader }: LakeReader): Promise<Comments> {
  const { tables, columns } = valueOf(await lake.browseComments(TRINO_SQL_LIMITS.commentsMax, reader));
  const ofColumns = new Map<number, Map<string, string>>();
  for (const { tableId, name, comment } of columns)
    ofColumns.set(tableId, (ofColumns.get(tableId) ?? new Map()).set(name, comment));
  return { ofTables: new Map(tables.map(({ tableId, comment }) => [tableId, comment])), ofColumns };
}

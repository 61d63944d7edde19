// Suggests tables whose names are like one that does not exist, among those that the caller may read.

import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { likeNames } from "../../../../../kernel/text/like-names.ts";
import type { LakeDescription, LakeTableName } from "../../../../../kernel/lake/lake.ts";
import { foldName } from "../../../duckdb/names.ts";

/** ` Did you mean LAKE.sample.orders?`, or nothing. The likest comes first, of equal ones that in the same schema. */
export function didYouMean({ schema, name }: LakeTableName, { tables }: LakeDescription): string {
  const isHere = (table: LakeTableName): number => Number(foldName(table.schema) === foldName(schema));
  const nearest = [...tables].sort((one, other) => isHere(other) - isHere(one));
  const like = likeNames(name, nearest, (table) => [table.name]);
  const names = like.map((table) => `LAKE.${spell(table.schema)}.${spell(table.name)}`);
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
}

/** The name as SQL has to spell it. */
const spell = (name: string): string => (/^[a-z_][a-z0-9_]*$/i.test(name) ? name : quoteIdentifier(name));

// Suggests tables whose names are like one that does not exist, among those that the caller may read.

import { quoteIdentifier } from "../../duckdb/quoting.ts";
import { editsBetween } from "../../../../kernel/text/near-names.ts";
import type { LakeDescription, LakeTableName } from "../../../../kernel/lake/lake.ts";
import { foldName } from "../../duckdb/names.ts";

const NAMES_MAX = 3;

/** ` Did you mean LAKE.sample.orders?`, or nothing. An equal name in another schema comes first, then the likest. */
export function didYouMean({ schema, name }: LakeTableName, { tables }: LakeDescription): string {
  const [wantedSchema, wanted] = [foldName(schema), foldName(name)];
  const near = tables.flatMap((table) => {
    const edits = editsBetween(wanted, foldName(table.name));
    return edits === undefined ? [] : [{ table, edits, isElsewhere: foldName(table.schema) !== wantedSchema }];
  });
  near.sort((one, other) => one.edits - other.edits || Number(one.isElsewhere) - Number(other.isElsewhere));
  const names = near.slice(0, NAMES_MAX).map(({ table }) => `LAKE.${spell(table.schema)}.${spell(table.name)}`);
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
}

/** The name as SQL has to spell it. */
const spell = (name: string): string => (/^[a-z_][a-z0-9_]*$/i.test(name) ? name : quoteIdentifier(name));

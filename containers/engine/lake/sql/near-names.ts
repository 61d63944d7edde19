// Tables whose names are like one that is not there, out of those its caller may read.

import { quoteIdentifier } from "../../duckdb/quoting.ts";
import type { LakeDescription, LakeTableName } from "../../contract/lake.ts";
import { foldName } from "../../duckdb/names.ts";

const NAMES_MAX = 3;
const CHARACTERS_MAX = 100;
/** Edits that a slip takes, at most; of short names fewer. */
const EDITS_MAX = 3;

/** ` Did you mean LAKE.sample.orders?`, or nothing. The same name in another schema comes first, then the likest. */
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

/** As it has to be written. */
const spell = (name: string): string => (/^[a-z_][a-z0-9_]*$/i.test(name) ? name : quoteIdentifier(name));

/** Levenshtein's distance; undefined where it is more than a slip. */
function editsBetween(one: string, other: string): number | undefined {
  const max = Math.min(EDITS_MAX, Math.max(1, Math.floor(one.length / 3)));
  if (one === other) return 0;
  if (one.length > CHARACTERS_MAX || other.length > CHARACTERS_MAX || Math.abs(one.length - other.length) > max)
    return undefined;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    if (Math.min(...next) > max) return undefined;
    row = next;
  }
  const edits = row.at(-1)!;
  return edits <= max ? edits : undefined;
}

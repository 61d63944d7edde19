// Columns named by the whole name of a table that stands elsewhere than in the lake's catalog while the statement runs.

import { CATALOG, DEFAULT_SCHEMA } from "./catalogs.ts";
import { foldName } from "../../duckdb/names.ts";

/** `parts`: by how many names its columns are qualified: two (schema and name), or the name alone. */
export type MovedTable = { schema: string; name: string; parts: 1 | 2 };

/** The number of names to leave out before a column; or, where it is 0, the schema in place of the catalog. */
export type Edit = { namesDropped: number; toSchema: boolean };

/** A name, and the space and comments that may stand between it and the point before the next name. */
export const NAME = String.raw`(?:"(?:[^"]|"")*"|[\p{L}\p{N}_$]+)`;
export const GAP = String.raw`(?:\s|/\*[^]*?\*/|--[^\r\n]*[\r\n])*`;
export const PART_SOURCE = `${NAME}${GAP}\\.${GAP}`;
const PART = new RegExp(`^${PART_SOURCE}`, "u");
const CATALOG_WORD = new RegExp(`^(?:lake(?=${GAP}\\.)|"lake")`, "i");

/** Blanks as long as the text, in as many lines. */
export const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");

/** The edit for a reference to a column; undefined where the reference may stay. `LAKE.t` is in the schema main. */
export function editOf(names: readonly string[], moved: readonly MovedTable[]): Edit | undefined {
  for (const { schema, name, parts } of moved) {
    const isShort = foldName(schema) === DEFAULT_SCHEMA && startsWith(names, [CATALOG, name]);
    if (isShort) return parts === 2 ? { namesDropped: 0, toSchema: true } : { namesDropped: 1, toSchema: false };
    if (startsWith(names, [CATALOG, schema, name])) return { namesDropped: 3 - parts, toSchema: false };
    if (parts === 1 && startsWith(names, [schema, name])) return { namesDropped: 1, toSchema: false };
  }
  return undefined;
}

/** More names must follow, the column's at least. */
const startsWith = (names: readonly string[], prefix: readonly string[]): boolean =>
  names.length > prefix.length && prefix.every((part, i) => foldName(part) === foldName(names[i]!));

/** `text` with the edit made at `at`; every other character keeps its offset. */
export function applyEdit(text: string, at: number, { namesDropped, toSchema }: Edit): string {
  const rest = text.slice(at);
  if (toSchema) return text.slice(0, at) + rest.replace(CATALOG_WORD, (word) => word.replace(/lake/i, DEFAULT_SCHEMA));
  let length = 0;
  for (let i = 0; i < namesDropped; i++) length += PART.exec(rest.slice(length))?.[0].length ?? 0;
  return text.slice(0, at) + blank(rest.slice(0, length)) + rest.slice(length);
}

// Columns named by the whole name of a table that stands elsewhere than in the lake's catalog while the statement runs.

import { CATALOG, DEFAULT_SCHEMA } from "./catalogs.ts";
import { foldName } from "../../duckdb/names.ts";

/** `parts`: how many of its names its columns go by, less than three: schema and name, or the name alone. */
export type MovedTable = { schema: string; name: string; parts: 1 | 2 };

/** Names to leave out before a column; or, where none are, the schema instead of the catalog. */
export type Edit = { namesDropped: number; toSchema: boolean };

/** A name, and what may stand between it and the point before the next. */
export const NAME = String.raw`(?:"(?:[^"]|"")*"|[\p{L}\p{N}_$]+)`;
export const GAP = String.raw`(?:\s|/\*[^]*?\*/|--[^\r\n]*[\r\n])*`;
export const PART_SOURCE = `${NAME}${GAP}\\.${GAP}`;
const PART = new RegExp(`^${PART_SOURCE}`, "u");
const CATALOG_WORD = new RegExp(`^(?:lake(?=${GAP}\\.)|"lake")`, "i");

/** Nothing, as long as the text and in as many lines. */
export const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");

/** How a reference to a column has to be put; undefined where it may stay. `LAKE.t` is in the schema main. */
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

/** `text` with the edit made at `at`, every other character staying where it is. */
export function applyEdit(text: string, at: number, { namesDropped, toSchema }: Edit): string {
  const rest = text.slice(at);
  if (toSchema) return text.slice(0, at) + rest.replace(CATALOG_WORD, (word) => word.replace(/lake/i, DEFAULT_SCHEMA));
  let length = 0;
  for (let i = 0; i < namesDropped; i++) length += PART.exec(rest.slice(length))?.[0].length ?? 0;
  return text.slice(0, at) + blank(rest.slice(0, length)) + rest.slice(length);
}

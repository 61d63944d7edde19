// The cursor of a table: the column by which its new rows are known. It is the one asked for, or, to append, one that
// the platform is sure of; a table without one is appended to by its key, or by all its columns. Pure.

import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { withName, type NameFolding } from "../../../../kernel/text/name-folding.ts";
import type { Flaw } from "../../../core/problem.ts";
import { SOURCE_NAMES, type SourceType } from "../../integrations/credentials/credentials.ts";
import type { SourceTable } from "./expand.ts";
import type { LoadMethod } from "../sync.ts";

/** `source`: the kind of database; `folding`: how it takes names without quotes. */
export type CursorRequest = {
  source?: SourceType;
  folding?: NameFolding | undefined;
  loadMethod: LoadMethod;
  cursors: Record<string, string>;
  appendFullRows: boolean;
};
/** `notes` is what a user should know of the choice. */
export type CursorChoice = { cursors: Record<string, string>; notes: string[]; flaws: Flaw[] };

export function chooseCursors(tables: SourceTable[], request: CursorRequest): CursorChoice {
  const { loadMethod, folding = "exact" } = request;
  const given = asSpelled(tables, request.cursors, folding);
  const flaws = Object.entries(given).flatMap(([path, column]) => flawOfCursor(tables, loadMethod, path, column));
  const choice: CursorChoice = { cursors: {}, notes: [], flaws };
  for (const table of tables) {
    const column = given[table.path] ?? (loadMethod === "append" ? pickCursor(table) : undefined);
    if (column !== undefined) choice.cursors[table.path] = column;
    const note = consequence(table, column, request);
    if (note !== undefined) choice.notes.push(note);
  }
  return choice;
}

/** The cursors that were asked for, under the source's own names of tables and columns where there are such. */
function asSpelled(tables: SourceTable[], given: Record<string, string>, folding: NameFolding): Record<string, string> {
  const spelled = Object.entries(given).map(([typed, column]) => {
    const [table] = withName(folding, typed, tables, ({ path }) => path);
    const [found] = withName(folding, column, table?.columns ?? [], ({ name }) => name);
    return [table?.path ?? typed, found?.name ?? column];
  });
  return Object.fromEntries(spelled);
}

function consequence(
  { path, primaryKey }: SourceTable,
  column: string | undefined,
  { source, loadMethod, appendFullRows }: CursorRequest,
): string | undefined {
  const tellsWhenWritten = source === undefined || source === "postgres";
  if (loadMethod === "append" && column === undefined) {
    if (appendFullRows) return `${path} has no cursor: each run adds all its rows.`;
    const found =
      primaryKey.length > 0
        ? "those whose key the lake does not have"
        : "those that the lake does not have, counting equal ones, unless a key of it is unique and never NULL";
    const read = primaryKey.length > 0 && tellsWhenWritten ? "the rows written since the last" : "all its rows";
    return (
      `${path} has no column that surely tells new rows. Each run reads ${read} and adds ${found}. Name one in ` +
      "`cursors` to read less."
    );
  }
  if (loadMethod === "append" && !tellsWhenWritten)
    return (
      `${path} is added to where ${column} has grown. ${SOURCE_NAMES[source]} does not tell when a row was written: one that a ` +
      "long transaction commits late, below the part that each run reads again (50,000 numbers, an hour, two " +
      "days), is not seen. Use merge where that happens."
    );
  if (loadMethod !== "merge") return undefined;
  if (primaryKey.length === 0)
    return (
      `${path} has no primary key: each run replaces it as a whole, unless another key ` +
      "of it is unique and never NULL."
    );
  if (column !== undefined)
    return (
      `${path} is read where ${column} has grown: changes that leave ${column} as it is, ` +
      "and deleted rows, are not seen."
    );
  return undefined;
}

function flawOfCursor(tables: SourceTable[], loadMethod: LoadMethod, path: string, column: string): Flaw[] {
  const pointer = `/cursors${pointerStep(path)}`;
  if (loadMethod === "overwrite") return [{ pointer, message: "`overwrite` reads everything, so it takes no cursor." }];
  const table = tables.find((candidate) => candidate.path === path);
  if (!table) return [{ pointer, message: `${path} is not among the tables of this sync.` }];
  const found = table.columns.find(({ name }) => name === column);
  if (!found) return [{ pointer, message: `${path} has no column ${column}.` }];
  if (NO_CURSOR.test(found.type))
    return [
      {
        pointer,
        message:
          `Column ${column} of ${path} is ${found.type}: a cursor is a whole number, a decimal with bounds, a date ` +
          "or a time stamp that only grows.",
      },
    ];
  return [];
}

const TEXT_TYPES =
  "n?text|(tiny|medium|long)(text|blob)|blob|n?(var)?char|character|bpchar|name|string|sysname|uuid|uniqueidentifier|" +
  "jsonb?|xml|enum|set";
const BINARY_TYPES = "bytea|(var)?binary|varbyte|bytes|image|rowversion|bit|bool(ean)?";
/** `numeric` is none only without bounds. */
const MEASURE_TYPES = "real|double|float\\d*|numeric$|money|interval|time";
const OTHER_TYPES =
  "inet|cidr|macaddr|tsvector|tsquery|geometry|geography|point|hierarchyid|sql_variant|super|hllsketch|variant|object|" +
  "array|vector|struct|record|range";
const ARRAY = String.raw`\[\]$`;
/** Types that surely are no cursor's; of others, domains among them, the engine knows. */
const NO_CURSOR = new RegExp(
  String.raw`^(${TEXT_TYPES}|${BINARY_TYPES}|${MEASURE_TYPES}|${OTHER_TYPES})\b|${ARRAY}`,
  "i",
);
const INSTANT = /^(timestamp|datetime)/i;
/** In the order of trust: a row's making never changes, its last change does. */
const INSTANT_NAMES = [
  /^(created|inserted|added|recorded)_?(at|on|time|date|timestamp)$/i,
  /^(updated|modified|changed)_?(at|on|time|date|timestamp)$/i,
];

/**
 * A key the server counts up, else an instant whose name says what it is; never a column that can be NULL. A number
 * that others give is no cursor: nobody says that the next one is larger.
 */
export function pickCursor({ columns, primaryKey }: SourceTable): string | undefined {
  const key = primaryKey.length === 1 ? columns.find(({ name }) => name === primaryKey[0]) : undefined;
  if (key?.counted) return key.name;
  const instants = columns.filter(({ type, nullable }) => INSTANT.test(type) && !nullable);
  return INSTANT_NAMES.map((said) => instants.find(({ name }) => said.test(name))).find(
    (column) => column !== undefined,
  )?.name;
}

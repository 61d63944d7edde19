// A row as one text at Redshift, in which whatever the lake would hold otherwise looks otherwise.
//
// No text there is longer than 65,535 bytes: a long value enters by its length and its hash, and columns enter in
// groups, each by its hash where there are several. A value that still has no room (a SUPER or VARBYTE of more than
// that) is an error of the database's, and the table is read as a whole then.

import type { SourceColumn } from "../../../extract/source-table.ts";
import { quoteIdentifier } from "../../postgres/sql-text.ts";
import { SUPER, type PlannedColumn } from "./plan-column.ts";

/** A column adds well below 100 bytes to the text, so a group stays far below Redshift's limit. */
const GROUP_COLUMNS = 400;

export const hashOf = (text: string): string => `SHA2(${text}, 256)`;

/** Undefined where a column's values have no text: then changes can't be told. */
export function rowText(columns: readonly SourceColumn[]): string | undefined {
  const texts: string[] = [];
  for (const column of columns) {
    const text = columnText(column as PlannedColumn);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const groups: string[] = [];
  for (let i = 0; i < texts.length; i += GROUP_COLUMNS) groups.push(joinTexts(texts.slice(i, i + GROUP_COLUMNS)));
  return groups.length === 1 ? groups[0]! : joinTexts(groups.map(hashOf));
}

export const joinTexts = (texts: readonly string[]): string => texts.join(" || ',' || ");

/** A length or a digit is no N. */
export const orNull = (value: string, text: string, instead = "N"): string =>
  `CASE WHEN ${value} IS NULL THEN '${instead}' ELSE ${text} END`;

function columnText({ name, oid, reading, select }: PlannedColumn): string | undefined {
  const value = quoteIdentifier(name);
  switch (reading.as) {
    case "boolean":
      return `CASE WHEN ${value} THEN 'true' WHEN NOT ${value} THEN 'false' ELSE 'N' END`;
    case "float":
      return orNull(value, floatText(oid === 700 ? `CAST(${value} AS FLOAT8)` : value));
    case "integer":
    case "decimal":
    case "date":
    case "time":
    case "timestamp":
    case "timestamptz":
      return orNull(value, `CAST(${value} AS VARCHAR(64))`);
    case "blob":
      return orNull(value, long(`TO_HEX(${value})`));
    case "text":
      return printedText(oid, value, select);
    case "bits":
    case "jsonb":
    case "uuid":
    case "list":
      throw new Error(`nothing of Redshift's is read as ${reading.as}`);
  }
}

/** The text of a column that the lake has as text or JSON. */
function printedText(oid: number, value: string, select: string): string | undefined {
  if (oid === SUPER) return orNull(value, long(`JSON_SERIALIZE(${value})`));
  if (SHAPES.has(oid)) return orNull(value, long(`ST_AsHexEWKB(${value})`));
  if (oid === TIMETZ) return orNull(value, `CAST(${value} AS VARCHAR(64))`);
  return TEXTS.has(oid) || select !== value ? orNull(value, long(select)) : undefined;
}

const SHAPES = new Set([3000, 3001, 3999]);
const TIMETZ = 1266;
const TEXTS = new Set([18, 19, 25, 1043]);

const long = (text: string): string => `CAST(OCTET_LENGTH(${text}) AS VARCHAR(10)) || ' ' || ${hashOf(text)}`;

/**
 * A float's text is the printed number with the remainder beside it: a text of fifteen digits or more is so close to
 * the float that the difference is exact, and is few enough of the float's smallest steps to be printed in full.
 */
function floatText(value: string): string {
  const printed = `CAST(${value} AS VARCHAR(64))`;
  const largest = "CAST('1.7976931348623157e308' AS FLOAT8)";
  const rest = `CAST(${value} - CAST(${printed} AS FLOAT8) AS VARCHAR(64))`;
  return `${printed} || ' ' || CASE WHEN ABS(${value}) < ${largest} THEN ${rest} ELSE '' END`;
}

// STRUCTs and ARRAYs as one JSON value each, whose numbers have every digit that the source has.

import { protocolViolation } from "../connection/errors.ts";
import type { Field } from "../connection/resources.ts";
import { distinctNames } from "../../../formats/result.ts";
import { cellsOf, textReader, valueOf } from "./scalar-text.ts";
import { isRepeated, sqlType } from "./column-types.ts";

/** How deep the service lets STRUCTs be nested. */
const DEPTH_MAX = 15;

/** Writes a field's value, which is not null, as JSON text on one line. */
type ReadJson = (value: unknown) => string;

/** Throws a Failure where the value has not the field's form. */
export function nestedJson(field: Field, depth = 1): ReadJson {
  if (depth > DEPTH_MAX) return () => protocolViolation("its STRUCTs are nested deeper than there can be");
  const read = sqlType(field) === "STRUCT" ? structJson(field, depth) : scalarJson(field);
  if (!isRepeated(field)) return read;
  return (value) =>
    Array.isArray(value)
      ? `[${value.map((cell) => orNull(valueOf(cell), read)).join(",")}]`
      : protocolViolation("an ARRAY is none");
}

const orNull = (value: unknown, read: ReadJson): string => (value === null ? "null" : read(value));

function structJson({ fields = [] }: Field, depth: number): ReadJson {
  const names = distinctNames(fields.map(({ name }) => name));
  const parts = fields.map((field, i) => ({ key: `${JSON.stringify(names[i])}:`, read: nestedJson(field, depth + 1) }));
  return (value) => {
    const cells = cellsOf(value);
    if (cells.length !== parts.length) protocolViolation("a STRUCT has another number of fields than its type");
    return `{${parts.map(({ key, read }, i) => key + orNull(valueOf(cells[i]), read)).join(",")}}`;
  };
}

/** Types whose text is JSON as it is. */
const PLAIN = ["INT64", "NUMERIC", "BIGNUMERIC", "BOOL"];

function scalarJson(field: Field): ReadJson {
  const read = textReader(field);
  const write = PLAIN.includes(sqlType(field)) ? numberJson : (JSON_WRITERS[sqlType(field)] ?? JSON.stringify);
  return (value) =>
    typeof value === "string"
      ? write(read(value))
      : protocolViolation("a value within another has not its type's form");
}

/** Zeros in front are no number of JSON's. */
const numberJson = (text: string): string => text.replace(/^(-?)0+(?=\d)/, "$1");

const JSON_WRITERS: Record<string, (text: string) => string> = {
  // NaN and the infinities are no numbers of JSON's.
  FLOAT64: (text) => (/[Ny]/.test(text) ? JSON.stringify(text) : text),
  JSON: (text) => text.replace(/[\n\r\t]/g, " "),
};

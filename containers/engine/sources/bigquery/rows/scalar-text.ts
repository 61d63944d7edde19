// The REST API's values become canonical text, type by type. A value that has not the form of its type ends the
// reading: no value is guessed at.

import { Failure } from "../../../core/failure.ts";
import { isJson } from "../../json-syntax.ts";
import { protocolViolation } from "../connection/errors.ts";
import type { Field } from "../connection/resources.ts";
import { entryOf } from "../../../core/type-tables.ts";
import { sqlType, typeText, type BigQueryType } from "./column-types.ts";
import { instantText, rangeText, withoutZeros } from "./instant-text.ts";

/** A value's text as canonical text. */
type ReadText = (text: string) => string;

/** The cells of a row or a STRUCT. */
export function cellsOf(row: unknown): readonly unknown[] {
  const cells = (row as { f?: unknown } | null | undefined)?.f;
  return Array.isArray(cells) ? cells : protocolViolation("a row has not the form of one");
}

/** A cell's value: null, a text, or the parts of a STRUCT or an ARRAY. */
export function valueOf(cell: unknown): unknown {
  const value = (cell as { v?: unknown } | null | undefined)?.v;
  return value === undefined ? protocolViolation("a cell has not the form of one") : value;
}

/** How a type's text becomes canonical; of columns that have no other reading, fields and elements too. */
export function textReader(field: Field): ReadText {
  const type = sqlType(field);
  const digits = field.timestampPrecision ?? "6";
  if (type === "TIMESTAMP" && digits !== "6") return () => tooFine(field);
  const read = entryOf(READERS, type) ?? same;
  if (type === "RANGE") return (text) => rangeText(text, field.rangeElementType?.type) ?? invalid(field);
  return (text) => read(text) ?? invalid(field);
}

const when =
  (form: RegExp): ((text: string) => string | undefined) =>
  (text) =>
    form.test(text) ? text : undefined;

const same = (text: string): string => text;

/** The readers are keyed by GoogleSQL's type names. Undefined means that a text has not the type's form. */
const READERS: Record<Exclude<BigQueryType, "RANGE" | "STRUCT">, (text: string) => string | undefined> = {
  INT64: when(/^-?\d{1,19}$/),
  NUMERIC: when(/^-?\d{1,38}(\.\d{1,38})?$/),
  BIGNUMERIC: when(/^-?\d{1,39}(\.\d{1,38})?$/),
  FLOAT64: floatText,
  BOOL: (text) => (text === "true" || text === "false" ? text : undefined),
  BYTES: (text) => (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? text : undefined),
  DATE: when(/^\d{4}-\d\d-\d\d$/),
  TIME: (text) => (/^\d\d:\d\d:\d\d(\.\d{1,6})?$/.test(text) ? withoutZeros(text) : undefined),
  DATETIME: (text) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?$/.test(text) ? withoutZeros(text) : undefined),
  TIMESTAMP: instantText,
  JSON: (text) => (isJsonText(text) ? text : undefined),
  STRING: same,
  INTERVAL: same,
  GEOGRAPHY: same,
};

const WORDS: Record<string, string> = {
  nan: "NaN",
  inf: "Infinity",
  "+inf": "Infinity",
  "-inf": "-Infinity",
  infinity: "Infinity",
  "+infinity": "Infinity",
  "-infinity": "-Infinity",
};

/** The shortest text of the same double; the service prints `1.0E10` where that is `10000000000`. */
function floatText(text: string): string | undefined {
  if (!/^-?\d+(\.\d*)?([eE][+-]?\d+)?$/.test(text)) return WORDS[text.toLowerCase()];
  const value = Number(text);
  // Beyond a double's range there is no such value at the source.
  if (!Number.isFinite(value)) return undefined;
  return Object.is(value, -0) ? "-0" : String(value);
}

export const invalid = (field: Field): never =>
  protocolViolation(`a value of column ${JSON.stringify(field.name)} has not the form of its type ${typeText(field)}`);

const tooFine = (field: Field): never => {
  throw new Failure(
    "sql_error",
    `Column ${JSON.stringify(field.name)} has ${field.timestampPrecision} digits after its seconds, of which 6 can be ` +
      "read as a time. Cast it to STRING in the statement.",
  );
};

const isJsonText = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return isJson(bytes, 0, bytes.length);
};

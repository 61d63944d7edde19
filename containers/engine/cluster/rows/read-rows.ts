// A cluster's rows as cells, one for each column: texts, as of any other result, or Trino's own JSON.

import { protocolViolation } from "../connection/errors.ts";
import { isClock, isScalar, kindOf, type ClusterType, type TypedColumn } from "./cluster-types.ts";
import { textReader } from "./scalar-text.ts";

/** A value, which is not null, as text. */
type Write = (value: unknown) => string;
export type Cells = (string | null)[];

/** Reads a row, whose values are as many as there are columns. Throws a Failure. */
type ReadRow = (row: readonly unknown[]) => Cells;

export const cellReader = (columns: readonly TypedColumn[]): ReadRow =>
  rowReader(columns.map(({ type }) => (isPlain(type) ? textReader(type) : writerOf(type, JSON_FORM))));

/** Its cells are JSON, as the protocol has the values. */
export const trinoRowReader = (columns: readonly TypedColumn[]): ReadRow =>
  rowReader(columns.map(({ type }) => writerOf(type, TRINO_FORM)));

const rowReader =
  (writers: readonly Write[]): ReadRow =>
  (row) =>
    writers.map((write, i) => (row[i] === null ? null : write(row[i])));

const isPlain = (type: ClusterType): boolean => type.kind === "decimal" || isScalar(type) || isClock(type);

const orNull = (value: unknown, write: Write): string => (value === null ? "null" : write(value));

/** The text is JSON as it is. */
const isBare = (type: ClusterType): boolean =>
  ["boolean", "integer", "bigint", "decimal", "float", "json"].includes(kindOf(type));

/** How one form writes values that hold no others, and the row that its fields' texts make. */
type Form = { scalar(type: ClusterType): Write; row(names: readonly string[]): (values: readonly string[]) => string };

function writerOf(type: ClusterType, form: Form): Write {
  switch (type.kind) {
    case "array":
      return listWriter(writerOf(type.of, form));
    case "map":
      return mapWriter(type.key, writerOf(type.value, form));
    case "row":
      return rowWriter(
        type.fields.map((field) => writerOf(field.type, form)),
        form.row(type.fields.map(({ name }) => name)),
      );
    default:
      return form.scalar(type);
  }
}

/** A value within another is written as DuckDB's values are in JSON: structs are objects, decimals numbers. */
const JSON_FORM: Form = {
  scalar(type) {
    const read = textReader(type);
    return (value) => {
      const text = read(value);
      return isBare(type) && !isWord(text, type) ? text : JSON.stringify(text);
    };
  },
  row(names) {
    const keys = names.map((name) => `${JSON.stringify(name)}:`);
    return (values) => `{${values.map((value, i) => keys[i] + value).join(",")}}`;
  },
};

/** A value is written as the protocol has it, once it was found to have its type's form. */
const TRINO_FORM: Form = {
  scalar(type) {
    const read = textReader(type);
    return (value) => {
      // Moments are shown in the zone that the session, or the statement, has for them.
      if (type.kind === "timestamp with time zone" && typeof value === "string") return zonedText(value, type.digits);
      const text = read(value);
      if (kindOf(type) === "float") return isWord(text, type) ? JSON.stringify(text) : text;
      return typeof value === "string" && !isWhole(type) ? JSON.stringify(value) : text;
    };
  },
  row: () => (values) => `[${values.join(",")}]`,
};

/** A whole number that no double holds was read as a text. */
const isWhole = (type: ClusterType): boolean => ["integer", "bigint"].includes(kindOf(type));

const isWord = (text: string, type: ClusterType): boolean => kindOf(type) === "float" && /[Ny]/.test(text);

function zonedText(value: string, digits: number): string {
  const fraction = digits === 0 ? "" : `\\.\\d{${digits}}`;
  const isSound = new RegExp(`^[+-]?\\d{4,7}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d${fraction} [\\w/+:-]{1,64}$`).test(
    value,
  );
  return isSound ? JSON.stringify(value) : protocolViolation("a value has not the form of its type, a moment");
}

const listWriter =
  (write: Write): Write =>
  (value) =>
    Array.isArray(value)
      ? `[${value.map((each) => orNull(each, write)).join(",")}]`
      : protocolViolation("a list is none");

function mapWriter(key: ClusterType, write: Write): Write {
  const readKey = textReader(key);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return protocolViolation("a map is none");
    const entries = Object.entries(value).map(([name, each]) => {
      const text = readKey(key.kind === "boolean" ? name === "true" : name);
      return `${JSON.stringify(text)}:${orNull(each, write)}`;
    });
    return `{${entries.join(",")}}`;
  };
}

const rowWriter =
  (writers: readonly Write[], join: (values: string[]) => string): Write =>
  (value) => {
    if (!Array.isArray(value) || value.length !== writers.length) return protocolViolation("a row has not its fields");
    return join(writers.map((write, i) => orNull(value[i], write)));
  };

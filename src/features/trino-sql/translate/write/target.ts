// The table that a statement writes to: its columns, and the values that these take as Trino takes them.

import { quoteIdentifier } from "../../../../lake/format/names.ts";
import type { Name } from "../../parse/tree.ts";
import { Refusal, unsupported } from "../../refusal.ts";
import { commonType, duckTypeOf, isNumeric, isSame, nameOf, type Type } from "../../trino-types.ts";
import { cast } from "../casts.ts";
import { isNamed, type Table } from "../scope.ts";
import { coerce, textLiteral, type Typed } from "../typed.ts";

/** A table of the lake that may be there: `sql` is its name in either case. */
export type WriteTarget = { sql: string; schema: string; table: Table | undefined };

/** Looks up what is written to; throws a {@link Refusal} where there is no such schema, unless it need not be there. */
export type FindTarget = (name: Name[], isIfThere?: boolean) => WriteTarget;

export type TargetColumn = { name: string; sql: string; type: Type };

/** The column of this name; one whose type in Trino is another than the lake's is not written to. */
export function columnNamed({ columns }: Table, { text, at }: Name): TargetColumn {
  const found = columns.find(({ name }) => isNamed(name, text));
  if (!found) throw new Refusal("COLUMN_NOT_FOUND", `Column '${text.toLowerCase()}' does not exist`, at);
  return writable(found, at);
}

export const columnsOf = ({ columns }: Table, at: number): TargetColumn[] =>
  columns.filter(({ type }) => type !== undefined).map((column) => writable(column, at));

function writable({ name, type, isCast }: Table["columns"][number], at: number): TargetColumn {
  if (!type || isCast) throw unsupported(`Writing the column '${name}', whose type Trino has not,`, at);
  return { name, sql: quoteIdentifier(name), type };
}

/** The value as one of the column's type, by the cast that Trino puts there where both have a type in common. */
export function assigned(given: Typed, { name, type }: TargetColumn): string {
  // A moment is kept without the zone that it is shown in.
  const { digits } = given.type.kind === "timestamptz" ? given.type : {};
  const value: Typed = digits === undefined ? given : { ...given, type: { kind: "timestamptz", digits } };
  const common = commonType(value.type, type);
  const message = `Column '${name}' is ${nameOf(type)}, and the value ${nameOf(value.type)}`;
  if (!common) throw new Refusal("TYPE_MISMATCH", message, value.at);
  return isSame(common, type) ? coerce(value, type) : cast(value, type, value.at).sql;
}

/** A value that an insertion lists: the engine makes each of its column's type, so that a number needs no cast. */
export function listed(value: Typed, column: TargetColumn): string {
  const { type, constant } = value;
  if (type.kind === "unknown") return "NULL";
  const isExact =
    constant !== undefined && isNumeric(type) && isSame(commonType(type, column.type) ?? type, column.type);
  return isExact && isNumeric(column.type) ? textLiteral(constant) : assigned(value, column);
}

const DIGITS = 6;

/** A type as a column of the lake keeps it: without a bound of its texts, with six digits of each second. */
export function keptType(type: Type, at: number): Type {
  switch (type.kind) {
    case "unknown":
      throw new Refusal("COLUMN_TYPE_UNKNOWN", "Column type is unknown", at);
    case "carried":
      throw unsupported(`A column of ${nameOf(type)}`, at);
    case "varchar":
      return { kind: "varchar" };
    case "timestamp":
    case "timestamptz":
    case "time":
      return { kind: type.kind, digits: DIGITS };
    case "array":
      return { kind: "array", of: keptType(type.of, at) };
    case "row":
      if (type.fields.some(({ shown }) => shown !== undefined))
        throw unsupported("A column of rows with two fields of one name", at);
      return { kind: "row", fields: type.fields.map(({ name, type: of }) => ({ name, type: keptType(of, at) })) };
    case "map":
      return { kind: "map", key: keptType(type.key, at), value: keptType(type.value, at) };
    default:
      return type;
  }
}

/** The type of a column that a statement defines, which the lake has to keep as it is written. */
export function definedType(type: Type, at: number): string {
  const kept = keptType(type, at);
  if (!isSame(kept, type))
    throw new Refusal("NOT_SUPPORTED", `A lake has no column of ${nameOf(type)}: say ${nameOf(kept)}.`, at);
  return duckTypeOf(type);
}

// The types that a statement names.

import { carriedNamed } from "../../carried-types.ts";
import { unsupported } from "../../refusal.ts";
import type { TypeName } from "../../parse/tree.ts";
import { decimal, simple, type Clock, type RowField, type Simple, type Type } from "../../trino-types.ts";
import { DIGITS_MAX } from "./digits.ts";
import { mapOf } from "./map-types.ts";

const NAMED: Record<string, Simple> = {
  boolean: "boolean",
  tinyint: "tinyint",
  smallint: "smallint",
  int: "integer",
  integer: "integer",
  bigint: "bigint",
  real: "real",
  double: "double",
  date: "date",
  varbinary: "varbinary",
  uuid: "uuid",
};

export function typeNamed({ name, args, at, of, fields }: TypeName): Type {
  const [first, second] = args;
  if (fields) return { kind: "row", fields: fields.map(rowField) };
  if (name === "array" && of?.length === 1) return { kind: "array", of: typeNamed(of[0]!) };
  if (name === "map" && of?.length === 2) return mapOf(typeNamed(of[0]!), typeNamed(of[1]!), at);
  if (Object.hasOwn(NAMED, name) && args.length === 0) return simple(NAMED[name]!);
  if (name === "varchar") return first === undefined ? { kind: "varchar" } : { kind: "varchar", length: first };
  if (name === "decimal" || name === "numeric" || name === "dec") {
    const [precision, scale] = [first ?? 38, second ?? 0];
    if (precision >= 1 && precision <= 38 && scale <= precision) return decimal(precision, scale);
  }
  const digits = first ?? DIGITS_DEFAULT;
  if (Object.hasOwn(CLOCKS, name) && digits <= DIGITS_MAX) return { kind: CLOCKS[name]!, digits };
  const carried = carriedNamed(name, args);
  if (!carried) throw unsupported(`The type ${name}`, at);
  return carried;
}

type Field = NonNullable<TypeName["fields"]>[number];

const DIGITS_DEFAULT = 3;

/** Clocks are DuckDB's own where they have no more digits than its. */
const CLOCKS: Record<string, Clock> = {
  timestamp: "timestamp",
  "timestamp with time zone": "timestamptz",
  time: "time",
};

/** DuckDB takes a name once in a row. */
function rowField({ name, type: named }: Field, at: number, fields: readonly Field[]): RowField {
  const [shown, type] = [name.text.toLowerCase(), typeNamed(named)];
  const isFirst = fields.findIndex((each) => each.name.text.toLowerCase() === shown) === at;
  return isFirst ? { name: shown, type } : { name: `${shown} ${at}`, type, shown };
}

// The types that a statement names.

import { unsupported } from "../../refusal.ts";
import type { TypeName } from "../../parse/tree.ts";
import { decimal, simple, type Simple, type Type } from "../../trino-types.ts";
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

const DIGITS_DEFAULT = 3;

export function typeNamed({ name, args, at, of, fields }: TypeName): Type {
  const [first, second] = args;
  if (fields) {
    const named = fields.map((field) => ({ name: field.name.text.toLowerCase(), type: typeNamed(field.type) }));
    if (new Set(named.map((field) => field.name)).size < named.length)
      throw unsupported("A row with two fields of one name", at);
    return { kind: "row", fields: named };
  }
  if (name === "array" && of?.length === 1) return { kind: "array", of: typeNamed(of[0]!) };
  if (name === "map" && of?.length === 2) return mapOf(typeNamed(of[0]!), typeNamed(of[1]!), at);
  if (Object.hasOwn(NAMED, name) && args.length === 0) return simple(NAMED[name]!);
  if (name === "varchar") return first === undefined ? { kind: "varchar" } : { kind: "varchar", length: first };
  if (name === "decimal" || name === "numeric" || name === "dec") {
    const [precision, scale] = [first ?? 38, second ?? 0];
    if (precision >= 1 && precision <= 38 && scale <= precision) return decimal(precision, scale);
  }
  const digits = first ?? DIGITS_DEFAULT;
  if (name.startsWith("time") && digits <= DIGITS_MAX) {
    if (name === "timestamp") return { kind: "timestamp", digits };
    if (name === "timestamp with time zone") return { kind: "timestamptz", digits };
    if (name === "time") return { kind: "time", digits };
  }
  throw unsupported(`The type ${name}`, at);
}

// The types of a lake's columns in Trino. Some have none that holds all of their values.

import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { decimalDigits, isScalarName, type ScalarName } from "../../../kernel/lake/lake-types.ts";
import { isKey } from "./translate/values/map-types.ts";
import { decimal, simple, VARCHAR, type Type } from "./trino-types.ts";

/** `isCast`: DuckDB reads the column as another type, which the one here takes all of. */
type Known = { type: Type; isCast?: true };

const KNOWN: Record<ScalarName, Known | undefined> = {
  boolean: { type: simple("boolean") },
  int8: { type: simple("tinyint") },
  int16: { type: simple("smallint") },
  int32: { type: simple("integer") },
  int64: { type: simple("bigint") },
  uint8: { type: simple("smallint"), isCast: true },
  uint16: { type: simple("integer"), isCast: true },
  uint32: { type: simple("bigint"), isCast: true },
  uint64: { type: decimal(20, 0), isCast: true },
  float32: { type: simple("real") },
  float64: { type: simple("double") },
  varchar: { type: VARCHAR },
  json: { type: VARCHAR, isCast: true },
  blob: { type: simple("varbinary") },
  uuid: { type: simple("uuid") },
  date: { type: simple("date") },
  time: { type: { kind: "time", digits: 6 } },
  timestamp: { type: { kind: "timestamp", digits: 6 } },
  timestamp_s: { type: { kind: "timestamp", digits: 6 }, isCast: true },
  timestamp_ms: { type: { kind: "timestamp", digits: 6 }, isCast: true },
  timestamptz: { type: { kind: "timestamptz", digits: 6 } },
  // Trino's decimals end at 38 digits, and its types of moments keep what these would lose.
  int128: undefined,
  uint128: undefined,
  timetz: undefined,
  timestamp_ns: undefined,
  interval: undefined,
};

/** Undefined where Trino has no type for it. */
export function typeOfColumn({ type, children }: LakeColumn): Known | undefined {
  const digits = decimalDigits(type);
  if (digits) return { type: decimal(digits.precision, digits.scale) };
  if (type === "list") {
    const of = children[0] && plainTypeOf(children[0]);
    return of && { type: { kind: "array", of } };
  }
  if (type === "map") {
    const [key, value] = children.map(plainTypeOf);
    return key && value && isKey(key) ? { type: { kind: "map", key, value } } : undefined;
  }
  if (type === "struct") {
    const fields = children.map((child) => ({ name: child.name, type: plainTypeOf(child) }));
    const known = fields.filter((each): each is { name: string; type: Type } => each.type !== undefined);
    return known.length === fields.length ? { type: { kind: "row", fields: known } } : undefined;
  }
  return isScalarName(type) ? KNOWN[type] : undefined;
}

/** Within lists, maps and structs nothing is cast. */
function plainTypeOf(column: LakeColumn): Type | undefined {
  const known = typeOfColumn(column);
  return known?.isCast ? undefined : known?.type;
}

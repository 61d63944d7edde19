// A result's values in the forms that Trino's clients read, made by DuckDB; what is no number, text or boolean there is
// a text, or JSON.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import { textOf, yearOf } from "./casts.ts";
import type { Column, Translated } from "./place.ts";
import { clockOf } from "./zones.ts";
import { textLiteral } from "./typed.ts";
import { withDigits } from "./values/digits.ts";
import { Refusal } from "../refusal.ts";
import { nameOf, zoneOf, type Type } from "../trino-types.ts";

const FRACTIONS: readonly string[] = ["", ".%f", ".%f", ".%f", ".%f", ".%f", ".%f"];

/** Its columns are `c0` and so on. `digitsMax`: as many digits of a second as the client understands. */
export function encodeQuery({ sql, columns }: Translated, digitsMax: number): { sql: string; columns: Column[] } {
  const shown = columns.map(({ name, type }, i) => ({ name: name ?? `_col${i}`, type: withFewer(type, digitsMax) }));
  const values = columns.map(({ type }, i) => `${encoded(`q.c${i}`, type, shown[i]!.type)} AS c${i}`);
  return { sql: `SELECT ${values.join(", ")} FROM (${sql}) AS q`, columns: shown };
}

function withFewer(type: Type, digitsMax: number): Type {
  if (type.kind === "carried" && type.name.startsWith("time") && type.size! > digitsMax)
    throw new Refusal(
      "NOT_SUPPORTED",
      `A client that understands ${digitsMax} digits of a second takes no ${nameOf(type)}.`,
    );
  return "digits" in type && type.digits > digitsMax ? { ...type, digits: digitsMax } : type;
}

function encoded(sql: string, type: Type, shown: Type): string {
  switch (type.kind) {
    case "double":
    case "real":
      return (
        `CASE WHEN isnan(${sql}) THEN '"NaN"'::JSON WHEN isinf(${sql}) THEN ` +
        `CASE WHEN ${sql} > 0 THEN '"Infinity"'::JSON ELSE '"-Infinity"'::JSON END ELSE ` +
        `${type.kind === "real" ? `CAST(${realText(sql)} AS JSON)` : `to_json(${sql})`} END`
      );
    case "decimal":
    case "date":
    case "uuid":
      return textOf(sql, type);
    case "varbinary":
      return `to_base64(${sql})`;
    case "timestamp":
    case "timestamptz":
    case "time":
      return clockText(sql, type, "digits" in shown ? shown.digits : type.digits);
    case "array":
      return `to_json(list_transform(${sql}, lambda e: ${encoded("e", type.of, type.of)}))`;
    case "map": {
      const key = encoded("k", type.key, type.key);
      const value = encoded("v", type.value, type.value);
      return (
        `to_json(map(list_transform(map_keys(${sql}), lambda k: CAST(${key} AS VARCHAR)), ` +
        `list_transform(map_values(${sql}), lambda v: to_json(${value}))))`
      );
    }
    case "row": {
      const fields = type.fields.map((field) =>
        encoded(`${sql}.${quoteIdentifier(field.name)}`, field.type, field.type),
      );
      return `CASE WHEN ${sql} IS NULL THEN NULL ELSE json_array(${fields.join(", ")}) END`;
    }
    default:
      return sql;
  }
}

/** Java writes two digits at the least, which is another number where the values of the type are far apart. */
const realText = (sql: string): string =>
  `CASE WHEN ${sql} <> 0 AND abs(${sql}) < CAST('1.1754944e-38' AS FLOAT) AND ` +
  `regexp_full_match(CAST(${sql} AS VARCHAR), '-?[0-9]e.*') THEN format('{:.1e}', CAST(${sql} AS DOUBLE)) ` +
  `ELSE CAST(${sql} AS VARCHAR) END`;

function clockText(sql: string, type: Extract<Type, { digits: number }>, digits: number): string {
  const { kind } = type;
  const moment = kind === "time" ? `(DATE '2000-01-01' + ${sql})` : clockOf({ sql, type });
  const shown = withDigits(moment, type.digits, digits);
  const clock = `strftime(${shown}, '${kind === "time" ? "" : "-%m-%d "}%H:%M:%S${FRACTIONS[digits]}')`;
  const text = kind === "time" ? clock : `(${yearOf(shown)} || ${clock})`;
  // Six digits are written of a fraction, of which the last are left out.
  const cut = digits === 0 || digits === 6 ? text : `left(${text}, -${6 - digits})`;
  return kind === "timestamptz" ? `(${cut} || ${textLiteral(` ${zoneOf(type)}`)})` : cut;
}

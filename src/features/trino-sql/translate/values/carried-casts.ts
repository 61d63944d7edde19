// Casts to the types that DuckDB has not.

import type { Carried, CarriedName } from "../../carried-types.ts";
import type { Refusal } from "../../refusal.ts";
import { isInteger } from "../../trino-types.ts";
import { textLiteral, type Typed } from "../typed.ts";
import { withoutBlanks } from "./blanks.ts";
import { carriedLiteral } from "./carried-literals.ts";
import { jsonString, ODD_CHARACTERS } from "./json-texts.ts";

/** A cast answers undefined for a value whose cast is not proven. */
type Cast = (of: Typed, size: number) => string | undefined;

const CASTS: Partial<Record<CarriedName, Cast>> = {
  char: ({ sql, type }, size) => (type.kind === "varchar" ? `rpad(${sql}, ${size}, ' ')` : undefined),
  json: (of) => {
    if (of.type.kind === "varchar") return jsonOfText(of);
    return isInteger(of.type) || of.type.kind === "boolean" ? `CAST(${of.sql} AS VARCHAR)` : undefined;
  },
};

/** Throws `refused` for a value whose cast is not proven. */
export function castToCarried(of: Typed, type: Carried, at: number, refused: Refusal): Typed {
  const sql = CASTS[type.name]?.(of, type.size ?? 0);
  if (sql !== undefined) return { sql, type, at };
  if (CASTS[type.name] || of.type.kind !== "varchar" || of.constant === undefined) throw refused;
  return carriedLiteral(withoutBlanks(of.constant, type), type, at);
}

/** A text within quotes. */
function jsonOfText({ sql, constant }: Typed): string | undefined {
  if (constant !== undefined) {
    const text = jsonString(constant);
    return text && textLiteral(text);
  }
  return (
    `(CASE WHEN regexp_matches(${sql}, '${ODD_CHARACTERS}') THEN error('A text with characters of this kind is no JSON here.') ` +
    `ELSE CAST(to_json(${sql}) AS VARCHAR) END)`
  );
}

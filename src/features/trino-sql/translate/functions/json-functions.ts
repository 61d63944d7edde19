// Functions of JSON: a text of the statement's own becomes a value, a value its text, and a text's scalars are read.

import { unsupported } from "../../refusal.ts";
import { nameOf, VARCHAR } from "../../trino-types.ts";
import { mismatch, textLiteral, type Typed } from "../typed.ts";
import { carriedLiteral } from "../values/carried-literals.ts";
import type { Function } from "./function.ts";

const parsed: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    if (of!.constant === undefined || of!.type.kind !== "varchar")
      throw unsupported("json_parse of a text that is computed", of!.at);
    return carriedLiteral(of!.constant, { kind: "carried", name: "json" }, at);
  },
};

const formatted: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    if (of!.type.kind !== "carried" || of!.type.name !== "json")
      throw mismatch(`json_format is of JSON: actual type ${nameOf(of!.type)}`, of!.at);
    return { sql: of!.sql, type: VARCHAR, at };
  },
};

/** Names alone, by which both look up one member of an object. */
const PATH = /^\$(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

function pathOf({ constant, at }: Typed): string {
  if (constant === undefined || !PATH.test(constant)) throw unsupported("A path of JSON but of plain names", at);
  return textLiteral(constant);
}

/** DuckDB takes a comma before an end and words for numbers within JSON, and Trino does not. */
const ODD_JSON = ",[ \\t\\r\\n]*[]}]|[:,[][ \\t\\r\\n]*-?(?i:nan|inf|infinity)[ \\t\\r\\n]*[],}]";

const MINUS_ZERO = "(^|[:,[ \\t\\r\\n])-0([],} \\t\\r\\n]|$)";
const WITHOUT_STRINGS = `regexp_replace(j, ${textLiteral('"([^"\\\\]|\\\\.)*"')}, '""', 'g')`;

/**
 * An object and a list are no scalars. Trino reads no further than to what it looks for, and shows a number as it is
 * written: a text beyond that fails.
 */
const scalar: Function = {
  counts: [2],
  make: ({ args: [of, path], at }) => {
    const { type, sql } = of!;
    if (type.kind !== "varchar") throw unsupported(`json_extract_scalar of ${nameOf(type)}`, of!.at);
    const place = pathOf(path!);
    const kind = `json_type(j, ${place})`;
    const value =
      `CASE WHEN j IS NULL THEN NULL WHEN NOT json_valid(j) OR regexp_matches(${WITHOUT_STRINGS}, ${textLiteral(ODD_JSON)}) ` +
      "THEN error('This text is no JSON that is read here.') " +
      `WHEN ${kind} IS NULL OR ${kind} IN ('NULL', 'OBJECT', 'ARRAY') THEN NULL ` +
      `WHEN ${kind} IN ('VARCHAR', 'BOOLEAN') OR (${kind} IN ('BIGINT', 'UBIGINT') AND NOT regexp_matches(${WITHOUT_STRINGS}, ${textLiteral(MINUS_ZERO)})) ` +
      `THEN json_extract_string(j, ${place}) ELSE error('A number with a fraction is not read of JSON here.') END`;
    return { sql: `list_transform([${sql}], lambda j: ${value})[1]`, type, at };
  },
};

export const JSON_FUNCTIONS: Record<string, Function> = {
  json_parse: parsed,
  json_format: formatted,
  json_extract_scalar: scalar,
};

// The values of a statement's parameters as they are written in its text.

import type { Expression } from "../parse/tree.ts";
import { Refusal } from "../refusal.ts";
import { tokensOf } from "../parse/lexer.ts";
import { textLiteral } from "../translate/typed.ts";

/** Throws a {@link Refusal} for what is no plain value. */
export function literalOf(value: Expression): string {
  switch (value.kind) {
    case "number":
      return value.text;
    case "string":
      return textLiteral(value.text);
    case "binary":
      return `X'${value.text}'`;
    case "boolean":
      return String(value.value);
    case "null":
      return "NULL";
    case "typed":
      return `${value.type.name} ${textLiteral(value.text)}`;
    case "interval":
      return `INTERVAL ${value.isNegative ? "-" : ""}${textLiteral(value.text)} ${value.unit}${value.to ? ` to ${value.to}` : ""}`;
    case "minus":
      if (value.of.kind === "number") return `(-${value.of.text})`;
      break;
  }
  throw new Refusal("NOT_SUPPORTED", "A value of a parameter is a literal.", value.at);
}

/** The digits of a number of rows, which is written bare. Throws a {@link Refusal} for what is none. */
export function countOf(value: Expression): string {
  if ((value.kind === "number" || value.kind === "typed") && /^\d{1,19}$/.test(value.text)) return value.text;
  throw new Refusal("INVALID_PARAMETER_USAGE", "A number of rows is a whole number.", value.at);
}

/** The kinds of the words that a literal is made of. */
const LITERALS = new Set(
  [
    "number",
    "string",
    "binary",
    "word",
    "word string",
    "word string word",
    "word sign string word",
    "word string word word word",
    "word sign string word word word",
    "sign sign number sign",
  ].map((kinds) => `${kinds} end`),
);

/** Whether a text is a literal by its own words, with nothing but a blank between them, whatever it was made of. */
export function isLiteral(text: string): boolean {
  const tokens = tokensOf(text);
  const isBare = tokens.every(({ at }, i) => (i === 0 ? at === 0 : /^ ?$/.test(text.slice(tokens[i - 1]!.end, at))));
  return isBare && LITERALS.has(tokens.map(({ kind }) => kind).join(" "));
}

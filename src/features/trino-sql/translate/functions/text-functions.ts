// Functions of texts.

import { unsupported } from "../../refusal.ts";
import { BIGINT, BOOLEAN, nameOf, VARCHAR, type Type } from "../../trino-types.ts";
import { coerce, mismatch, textLiteral, type Typed } from "../typed.ts";
import { wholeOf, type Function } from "./function.ts";
import { lowerOf, upperOf } from "./letter-case.ts";

function textOf(typed: Typed | undefined, name: string): string {
  const { type, at } = typed!;
  if (type.kind !== "varchar" && type.kind !== "unknown")
    throw mismatch(`${name} is of texts: actual type ${nameOf(type)}`, at);
  return coerce(typed!, VARCHAR);
}

/** Functions of texts alone, by what they are called in DuckDB. */
const ofTexts = (name: string, count: number, type: Type): Function => ({
  counts: [count],
  make: ({ args, at }) => ({ sql: `${name}(${args.map((each) => textOf(each, name)).join(", ")})`, type, at }),
});

const inCase = (make: (sql: string) => string): Function => ({
  counts: [1],
  make: ({ args: [of], at }) => ({
    sql: make(textOf(of, "upper and lower")),
    type: of!.type.kind === "unknown" ? VARCHAR : of!.type,
    at,
  }),
});

/** A part of a text, of whose type it is. */
const partOf = ({ type }: Typed): Type => (type.kind === "varchar" ? type : VARCHAR);

/** Trino counts from 1, or from the end; there is nothing at 0, nor before the first character. */
const substring: Function = {
  counts: [2, 3],
  make: ({ args: [of, start, length], at }) => {
    const text = textOf(of, "substring");
    const [from, count] = [coerce(start!, BIGINT), length && coerce(length, BIGINT)];
    const limited = count === undefined ? "" : `, CASE WHEN ${count} < 0 THEN 0 ELSE ${count} END`;
    const cut = (place: string): string => `substring(${text}, ${place}${limited})`;
    const isPlain = start!.constant !== undefined && Number(start!.constant) > 0;
    const sql = isPlain
      ? cut(from)
      : `(CASE WHEN ${from} > 0 THEN ${cut(from)} WHEN ${from} < 0 AND -${from} <= length(${text}) THEN ` +
        `${cut(`length(${text}) + ${from} + 1`)} WHEN ${[text, from, count ?? from].join(" IS NOT NULL AND ")} IS NOT NULL THEN '' END)`;
    return { sql, type: partOf(of!), at };
  },
};

const replaced: Function = {
  counts: [2, 3],
  make: ({ args: [of, sought, by], at }) => {
    if (!sought!.constant) throw unsupported("replace of a text that is computed, or empty", at);
    const into = by ? textOf(by, "replace") : "''";
    const sql = `replace(${textOf(of, "replace")}, ${textOf(sought, "replace")}, ${into})`;
    return { sql, type: by ? replacedType(of!, by) : partOf(of!), at };
  },
};

/** At worst the new text stands before, between and after all characters. */
function replacedType({ type: of }: Typed, { type: by }: Typed): Type {
  if (of.kind !== "varchar" || by.kind !== "varchar" || of.length === undefined || by.length === undefined)
    return VARCHAR;
  return { kind: "varchar", length: of.length + by.length * (of.length + 1) };
}

/** NULL where there are fewer parts. */
const splitPart: Function = {
  counts: [3],
  make: ({ args: [of, separator, place], at }) => {
    if (!separator!.constant) throw unsupported("split_part by a text that is computed, or empty", at);
    const index = wholeOf(place!, "A part's number");
    if (index < 1) throw unsupported("A part's number below 1", at);
    const parts = `str_split(${textOf(of, "split_part")}, ${textOf(separator, "split_part")})`;
    return { sql: `(CASE WHEN len(${parts}) >= ${index} THEN ${parts}[${index}] END)`, type: partOf(of!), at };
  },
};

const padded = (name: "lpad" | "rpad"): Function => ({
  counts: [3],
  make: ({ args: [of, size, by], at }) => {
    if (!by!.constant) throw unsupported(`${name} with a text that is computed, or empty`, at);
    const count = wholeOf(size!, "A size");
    if (count < 0) throw unsupported("A size below 0", at);
    return { sql: `${name}(${textOf(of, name)}, ${count}, ${textOf(by, name)})`, type: VARCHAR, at };
  },
});

/** What is space to Java, which does not count those that join what stands around them. */
const SPACE =
  "\t\n\v\f\r\u{1c}\u{1d}\u{1e}\u{1f} \u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}" +
  "\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{205f}\u{3000}";

const trimmed = (name: "trim" | "ltrim" | "rtrim"): Function => ({
  counts: [1],
  make: ({ args: [of], at }) => ({ sql: `${name}(${textOf(of, name)}, ${textLiteral(SPACE)})`, type: partOf(of!), at }),
});

export const TEXT_FUNCTIONS: Record<string, Function> = {
  length: ofTexts("length", 1, BIGINT),
  strpos: ofTexts("strpos", 2, BIGINT),
  starts_with: ofTexts("starts_with", 2, BOOLEAN),
  upper: inCase(upperOf),
  lower: inCase(lowerOf),
  substr: substring,
  substring,
  replace: replaced,
  split_part: splitPart,
  lpad: padded("lpad"),
  rpad: padded("rpad"),
  trim: trimmed("trim"),
  ltrim: trimmed("ltrim"),
  rtrim: trimmed("rtrim"),
};

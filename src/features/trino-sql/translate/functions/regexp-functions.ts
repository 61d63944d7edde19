// Functions of regular expressions, of patterns that the statement has in its words.

import { unsupported } from "../../refusal.ts";
import { BIGINT, BOOLEAN, nameOf, VARCHAR, type Type } from "../../trino-types.ts";
import { coerce, mismatch, textLiteral, type Typed } from "../typed.ts";
import { wholeOf, type Function } from "./function.ts";
import { readPattern, type Pattern } from "./patterns.ts";

type Searched = { text: string; type: Type; sql: string; pattern: Pattern; more: Typed | undefined; at: number };

/** `isRepeated`: all matches count, so that none may be empty. */
const searched = (
  counts: number[],
  isRepeated: boolean,
  make: (of: Searched) => { sql: string; type: Type },
): Function => ({
  counts,
  make: ({ args: [of, sought, more], at }) => {
    if (of!.type.kind !== "varchar" && of!.type.kind !== "unknown")
      throw mismatch(`This is of texts: actual type ${nameOf(of!.type)}`, of!.at);
    if (sought!.constant === undefined || sought!.type.kind !== "varchar")
      throw unsupported("A regular expression that is computed", sought!.at);
    const pattern = readPattern(sought!.constant, sought!.at);
    if (isRepeated && pattern.canBeEmpty)
      throw unsupported("A regular expression that matches nothing at all", sought!.at);
    const type = of!.type.kind === "varchar" ? of!.type : VARCHAR;
    const made = make({
      text: coerce(of!, VARCHAR),
      type,
      sql: textLiteral(pattern.sql),
      pattern,
      more,
      at: sought!.at,
    });
    return { ...made, at };
  },
});

/** The number of a group; 0 is the whole. */
function groupOf({ pattern, more, at }: Searched): number {
  if (pattern.isOfEnd) throw unsupported("$ in a regular expression, but of regexp_like,", at);
  if (!more) return 0;
  const group = wholeOf(more, "A group");
  if (group === 0) return 0;
  if (group < 0 || group > pattern.isCertain.length) throw unsupported(`The group ${group}`, more.at);
  // In Trino the value of a group that took no part is NULL.
  if (!pattern.isCertain[group - 1]) throw unsupported("A group that takes no part in some matches", more.at);
  return group;
}

function replacementOf({ pattern, more }: Searched): string {
  if (!more) return "";
  if (more.constant === undefined) throw unsupported("A replacement that is computed", more.at);
  if (/\\/.test(more.constant)) throw unsupported("A backslash in a replacement", more.at);
  return more.constant.replaceAll(/\$(\d?)(?=(\d?))/g, (_, group: string, second: string) => {
    if (group === "" || second !== "") throw unsupported(`'$${group}${second}' in a replacement`, more.at);
    if (group !== "0" && !pattern.isCertain[Number(group) - 1])
      throw unsupported(`The group ${group} in a replacement`, more.at);
    return `\\${group}`;
  });
}

/** Trino's bound for the worst of texts. */
function replacedType({ type, more }: Searched): Type {
  if (!more) return type;
  if (type.kind !== "varchar" || more.type.kind !== "varchar") return VARCHAR;
  const [of, by] = [type.length, more.type.length];
  if (of === undefined || by === undefined) return VARCHAR;
  return { kind: "varchar", length: of + Math.max(Math.floor((of * by) / 2), by) * (of + 1) };
}

export const REGEXP_FUNCTIONS: Record<string, Function> = {
  regexp_like: searched([2], false, ({ text, sql }) => ({ sql: `regexp_matches(${text}, ${sql})`, type: BOOLEAN })),
  regexp_extract: searched([2, 3], false, (of) => {
    const found = `regexp_extract(${of.text}, ${of.sql}, ${groupOf(of)})`;
    return { sql: `(CASE WHEN regexp_matches(${of.text}, ${of.sql}) THEN ${found} END)`, type: of.type };
  }),
  regexp_extract_all: searched([2, 3], true, (of) => ({
    sql: `regexp_extract_all(${of.text}, ${of.sql}, ${groupOf(of)})`,
    type: { kind: "array", of: of.type },
  })),
  regexp_count: searched([2], true, (of) => {
    groupOf(of);
    return { sql: `CAST(len(regexp_extract_all(${of.text}, ${of.sql})) AS BIGINT)`, type: BIGINT };
  }),
  regexp_split: searched([2], true, (of) => {
    groupOf(of);
    return { sql: `regexp_split_to_array(${of.text}, ${of.sql})`, type: { kind: "array", of: of.type } };
  }),
  regexp_replace: searched([2, 3], true, (of) => {
    groupOf({ ...of, more: undefined });
    const by = textLiteral(replacementOf(of));
    return { sql: `regexp_replace(${of.text}, ${of.sql}, ${by}, 'g')`, type: replacedType(of) };
  }),
};

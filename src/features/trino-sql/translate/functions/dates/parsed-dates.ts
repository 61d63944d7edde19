// Dates and moments that are read of texts: in the forms alone that both engines read alike.

import { Refusal, unsupported } from "../../../refusal.ts";
import { DATE, nameOf, type Type } from "../../../trino-types.ts";
import { coerce, castTo, mismatch, textLiteral, type Typed } from "../../typed.ts";
import { timeZoneOf } from "../../place.ts";
import { zoned } from "../../values/literals.ts";
import type { Function } from "../function.ts";

const MOMENT: Type = { kind: "timestamp", digits: 3 };
const MOMENT_WITH_ZONE = { kind: "timestamptz", digits: 3 } as const satisfies Type;

function textOf(of: Typed): string {
  if (of.type.kind === "varchar" || of.type.kind === "unknown") return coerce(of, { kind: "varchar" });
  throw mismatch(`This is of texts: actual type ${nameOf(of.type)}`, of.at);
}

/** The value of a text in this form; it fails with any other. */
const inForm = (sql: string, form: string, value: string): string =>
  `(CASE WHEN ${sql} IS NULL THEN NULL WHEN regexp_full_match(${sql}, '${form}') THEN ${value} ` +
  `ELSE error('This text is not read here: ' || ${sql}) END)`;

/** Each of MySQL's specifiers that stands for so many digits, with DuckDB's. */
const FIELDS: Record<string, [form: string, duck: string]> = {
  ...{ Y: ["[0-9]{4}", "%Y"], m: ["[0-9]{2}", "%m"], d: ["[0-9]{2}", "%d"] },
  ...{ H: ["[0-9]{2}", "%H"], i: ["[0-9]{2}", "%M"], s: ["[0-9]{2}", "%S"], S: ["[0-9]{2}", "%S"] },
  T: ["[0-9]{2}:[0-9]{2}:[0-9]{2}", "%H:%M:%S"],
};

const dateParse: Function = {
  counts: [2],
  make: ({ args: [of, pattern], at }) => {
    if (pattern!.constant === undefined) throw unsupported("A pattern that is computed", pattern!.at);
    const seen = new Set<string>();
    let [form, duck] = ["", ""];
    for (const [piece, letter, sign] of pattern!.constant.matchAll(/%(.?)|(.)/gsu)) {
      if (letter === undefined) {
        if (!/^[-/:. T]$/.test(sign!)) throw unsupported(`'${piece}' in a pattern`, pattern!.at);
        form += sign === "." ? "[.]" : sign!;
        duck += sign!;
        continue;
      }
      const field = Object.hasOwn(FIELDS, letter) ? FIELDS[letter] : undefined;
      if (!field || seen.has(letter)) throw unsupported(`${piece} in a pattern`, pattern!.at);
      seen.add(letter);
      form += field[0];
      duck += field[1];
    }
    // A date without a year is one of 1970 in Trino.
    if (!["Y", "m", "d"].every((each) => seen.has(each))) throw unsupported("A pattern without a date", pattern!.at);
    if ([...seen].filter((each) => ["s", "S", "T"].includes(each)).length > 1 || (seen.has("T") && seen.size > 4))
      throw unsupported("A pattern that says a part twice", pattern!.at);
    const sql = textOf(of!);
    return { sql: inForm(sql, form, `strptime(${sql}, ${textLiteral(duck)})`), type: MOMENT, at };
  },
};

const ISO_LITERAL = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/;
const ISO_FORM = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z";

/** Its zone is the text's own, or the session's. */
const isoMoment: Function = {
  counts: [1],
  make: ({ args: [of], at, place }) => {
    const sql = textOf(of!);
    const { constant } = of!;
    if (constant === undefined)
      return { sql: inForm(sql, ISO_FORM, castTo(sql, MOMENT_WITH_ZONE)), type: MOMENT_WITH_ZONE, at };
    const [, date, minutes = "00:00", seconds = "00", fraction = "", zone = timeZoneOf(place)] =
      ISO_LITERAL.exec(constant) ?? [];
    if (date === undefined) throw unsupported(`'${constant}' as a moment of ISO 8601`, of!.at);
    // Digits beyond the third are left out.
    const text = `${date} ${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}`;
    const known = new Date(`${text.replace(" ", "T")}Z`);
    const isKnown =
      !Number.isNaN(known.getTime()) && known.toISOString().slice(0, 10) === date && !text.includes(" 24");
    if (!isKnown || date.startsWith("0000"))
      throw new Refusal("GENERIC_USER_ERROR", `Invalid moment: ${constant}`, of!.at);
    return { ...zoned(text, zone, MOMENT_WITH_ZONE, of!.at), at };
  },
};

const isoDate: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    const sql = textOf(of!);
    return { sql: inForm(sql, "[0-9]{4}-[0-9]{2}-[0-9]{2}", castTo(sql, DATE)), type: DATE, at };
  },
};

export const PARSED_DATES: Record<string, Function> = {
  date_parse: dateParse,
  from_iso8601_timestamp: isoMoment,
  from_iso8601_date: isoDate,
};

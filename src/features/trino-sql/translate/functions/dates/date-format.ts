// `date_format`, whose patterns are MySQL's.

import { unsupported } from "../../../refusal.ts";
import { nameOf, VARCHAR } from "../../../trino-types.ts";
import { withDigits } from "../../values/digits.ts";
import { clockOf } from "../../zones.ts";
import { castTo, mismatch, textLiteral } from "../../typed.ts";
import type { Function } from "../function.ts";

/** What of MySQL's is the same, by another letter, for DuckDB. */
const SPECIFIERS: Record<string, string> = {
  ...{ Y: "%Y", y: "%y", m: "%m", c: "%-m", M: "%B", b: "%b", d: "%d", e: "%-d", j: "%j", W: "%A", a: "%a" },
  ...{ H: "%H", k: "%-H", h: "%I", I: "%I", l: "%-I", i: "%M", s: "%S", S: "%S", p: "%p", T: "%H:%M:%S" },
  "%": "%%",
};

export const dateFormat: Function = {
  counts: [2],
  make: ({ args: [of, pattern], at }) => {
    const { type } = of!;
    if (type.kind !== "date" && type.kind !== "timestamp" && type.kind !== "timestamptz")
      throw mismatch(`date_format is of dates and moments: actual type ${nameOf(type)}`, at);
    if (pattern!.constant === undefined) throw unsupported("A pattern that is computed", at);
    const format = pattern!.constant.replaceAll(/%(.?)/gsu, (_, letter: string) => {
      const known = Object.hasOwn(SPECIFIERS, letter) ? SPECIFIERS[letter] : undefined;
      if (known === undefined) throw unsupported(`%${letter} in a pattern`, at);
      return known;
    });
    // Trino rounds to milliseconds first.
    const whole =
      "digits" in type ? withDigits(of!.sql, type.digits, 3) : castTo(of!.sql, { kind: "timestamp", digits: 6 });
    const moment = clockOf({ sql: whole, type });
    const text = `strftime(${moment}, ${textLiteral(format)})`;
    // Before the first year each writes its own.
    const sql =
      `(CASE WHEN year(${moment}) BETWEEN 1 AND 99999 THEN ${text} WHEN ${moment} IS NULL THEN NULL ` +
      `ELSE error('date_format of this year is not supported here.') END)`;
    return { sql, type: VARCHAR, at };
  },
};

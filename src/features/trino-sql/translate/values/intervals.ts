// Intervals as values: whole months, or whole milliseconds, in the text that clients read.

import { Refusal } from "../../refusal.ts";
import { INTERVAL_UNITS, type Expression, type IntervalUnit } from "../../parse/tree.ts";
import type { CarriedName } from "../../carried-types.ts";
import { textLiteral, type Typed } from "../typed.ts";

type Interval = Extract<Expression, { kind: "interval" }>;

/** How much of the smallest there is each unit is, and what stands behind its number in an interval of several. */
const UNITS: Record<IntervalUnit, { size: bigint; behind: string }> = {
  year: { size: 12n, behind: "-" },
  month: { size: 1n, behind: "" },
  day: { size: 86_400_000n, behind: " " },
  hour: { size: 3_600_000n, behind: ":" },
  minute: { size: 60_000n, behind: ":" },
  second: { size: 1_000n, behind: "" },
};
const MONTHS_MAX = 2_147_483_647n;
const MILLISECONDS_MAX = 9_223_372_036_854_775_807n;

export function intervalValue(of: Interval): Typed {
  const { at, unit } = of;
  const isOfMonths = unit === "year" || unit === "month";
  const [value, max] = [valueOf(of), isOfMonths ? MONTHS_MAX : MILLISECONDS_MAX];
  if (value === undefined || value > max || value < -max - 1n)
    throw new Refusal("INVALID_LITERAL", `'${of.text}' is not a valid INTERVAL literal`, at);
  const name: CarriedName = isOfMonths ? "interval year to month" : "interval day to second";
  return {
    sql: textLiteral(isOfMonths ? monthsText(value) : millisecondsText(value)),
    type: { kind: "carried", name },
    at,
  };
}

/** Months or milliseconds. Digits beyond the third of a second are left out. */
function valueOf({ text, unit, to = unit, isNegative }: Interval): bigint | undefined {
  const units = INTERVAL_UNITS.slice(INTERVAL_UNITS.indexOf(unit), INTERVAL_UNITS.indexOf(to) + 1);
  const fields = units.map(
    (each, i) =>
      `(\\d{1,9})${each === "second" ? "(?:[.](\\d{1,9}))?" : ""}${i < units.length - 1 ? UNITS[each].behind : ""}`,
  );
  const [whole, sign, ...parts] = new RegExp(`^(-?)${fields.join("")}$`).exec(text) ?? [];
  if (whole === undefined) return undefined;
  const sum = units.reduce((total, each, i) => total + BigInt(parts[i]!) * UNITS[each].size, 0n);
  const milliseconds = BigInt((parts[units.length] ?? "").slice(0, 3).padEnd(3, "0"));
  return (sum + milliseconds) * (sign === "-" ? -1n : 1n) * (isNegative ? -1n : 1n);
}

const signOf = (value: bigint): [sign: string, size: bigint] => (value < 0n ? ["-", -value] : ["", value]);

function monthsText(value: bigint): string {
  const [sign, months] = signOf(value);
  return `${sign}${months / 12n}-${months % 12n}`;
}

function millisecondsText(value: bigint): string {
  const [sign, size] = signOf(value);
  const of = (unit: IntervalUnit, within: bigint): string =>
    String((size / UNITS[unit].size) % within).padStart(2, "0");
  const milliseconds = String(size % 1_000n).padStart(3, "0");
  return `${sign}${size / UNITS.day.size} ${of("hour", 24n)}:${of("minute", 60n)}:${of("second", 60n)}.${milliseconds}`;
}

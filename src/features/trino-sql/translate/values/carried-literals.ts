// Literals of the types that DuckDB has not: each is the one text that clients read of its value.

import type { Carried, CarriedName } from "../../carried-types.ts";
import { Refusal } from "../../refusal.ts";
import { nameOf, type Type } from "../../trino-types.ts";
import { textLiteral, type Typed } from "../typed.ts";
import { isFixed, momentAt, zoneNamed } from "../zones.ts";
import { addressText } from "./addresses.ts";
import { readMoment, readTime, withZeros } from "./clocks.ts";
import { DIGITS_MAX } from "./digits.ts";
import { canonicalJson } from "./json-texts.ts";

/** SQL of the value's text; undefined where the text is in no form that is read. */
type Read = (text: string, size: number, at: number) => string | undefined;

const plainly = (text: string | undefined): string | undefined => text && textLiteral(text);

const clockAlone =
  (read: typeof readTime): Read =>
  (text, size) => {
    const { clock, zone } = read(text) ?? {};
    return clock === undefined || zone !== undefined ? undefined : plainly(withZeros(clock, size));
  };

/** How far clocks are from UTC's at most. */
const OFFSET = /^([+](0\d|1[0-3]):[0-5]\d|[+]14:00|-(0\d|1[0-3]):[0-5]\d|-14:00)$/;

const READ: Record<CarriedName, Read> = {
  char: (text, size) => textLiteral(padded([...text].slice(0, size), size)),
  json: (text) => plainly(canonicalJson(text)),
  time: clockAlone(readTime),
  timestamp: clockAlone(readMoment),
  "time with time zone": (text, size) => {
    const { clock, zone } = readTime(text) ?? {};
    const written = clock === undefined ? undefined : withZeros(clock, size);
    const isKnown = zone !== undefined && OFFSET.test(zone) && zone !== "-00:00";
    return written !== undefined && isKnown ? textLiteral(written + zone) : undefined;
  },
  "timestamp with time zone": (text, size, at) => {
    const { clock, zone } = readMoment(text) ?? {};
    const written = clock === undefined ? undefined : withZeros(clock, size);
    return written === undefined || zone === undefined ? undefined : momentText(written, zoneNamed(zone, at));
  },
  "interval year to month": () => undefined,
  "interval day to second": () => undefined,
  ipaddress: (text) => plainly(addressText(text)),
};

/** Throws a {@link Refusal} for a text that is not read. */
export function carriedLiteral(text: string, type: Carried, at: number): Typed {
  const sql = READ[type.name](text, type.size ?? 0, at);
  if (sql === undefined) throw new Refusal("INVALID_LITERAL", `'${text}' is not read as ${nameOf(type)} here`, at);
  return { sql, type, at };
}

const padded = (characters: readonly string[], size: number): string =>
  characters.join("") + " ".repeat(size - characters.length);

/** No place has changed its clocks before, so that each time was, and was once. */
const FIRST_CHANGES = "1800";

export const isBeforeChanges = (clock: string): boolean => clock < FIRST_CHANGES;

/** The text of a moment as the clocks of a zone show it; the statement fails where they never show it. */
function momentText(clock: string, zone: string): string {
  const shown = textLiteral(`${clock} ${zone}`);
  const type: Type = { kind: "timestamptz", digits: DIGITS_MAX, zone };
  if (isFixed(type) || isBeforeChanges(clock)) return shown;
  const moment = momentAt(textLiteral(clock.slice(0, "YYYY-MM-DD hh:mm:ss.ffffff".length)), type, "earlier");
  return `(CASE WHEN ${moment} IS NOT NULL THEN ${shown} END)`;
}

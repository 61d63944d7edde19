// Moments in a zone: the moment stays, and its clock is another. The type of a zone that is computed says too little.

import { unsupported } from "../refusal.ts";
import { nameOf, zoneOf, type Type } from "../trino-types.ts";
import { mismatch, textLiteral, type Typed } from "./typed.ts";
import { ZONES } from "./zone-names.ts";

/** Between these the zones were compared. */
const [FROM, UNTIL] = ["1970-01-02 00:00:00+00", "2037-12-31 00:00:00+00"];

/** A zone that the statement has in its words, or else none that is known. */
type NamedZone = Pick<Typed, "constant" | "at">;

export function inZone(of: Typed, zone: NamedZone, sessionZone: string, at: number): Typed {
  const { type } = of;
  if (type.kind !== "timestamptz" && type.kind !== "timestamp")
    throw mismatch(`AT TIME ZONE is of moments: actual type ${nameOf(type)}`, of.at);
  const known = knownZone(zone);
  // Without a zone it is a moment of the session's.
  const moment = type.kind === "timestamp" ? atZone(of, type.digits, zoneNamed(sessionZone, of.at)) : of;
  const shown: Type = { kind: "timestamptz", digits: type.digits, ...(known !== "UTC" && { zone: known }) };
  // What is in a place's zone already was compared; so that a moment in zone after zone is not longer by each.
  const isCompared = isFixed(shown) || !isFixed(moment.type);
  return { sql: isCompared ? moment.sql : compared(moment.sql), type: shown, at };
}

/** Dates and timestamps beside a moment are moments of the session's zone, as Trino takes them. */
export function asMoments(values: readonly Typed[], sessionZone: string, at: number): Typed[] {
  if (!values.some(({ type }) => type.kind === "timestamptz")) return [...values];
  return values.map((each) => {
    if (each.type.kind !== "timestamp" && each.type.kind !== "date") return each;
    return atZone(each, "digits" in each.type ? each.type.digits : 0, zoneNamed(sessionZone, at));
  });
}

/** The moment at which the clocks of a zone show a date's midnight, or a timestamp. */
export function atZone({ sql, at }: Typed, digits: number, zone: string, ofTwo?: OfTwo): Typed {
  const type: Type = { kind: "timestamptz", digits, ...(zone !== "UTC" && { zone }) };
  return { sql: momentAt(sql, type, ofTwo), type, at };
}

/** Fails where the moment is beyond the years in which the zones of places were compared. */
export const compared = (moment: string): string =>
  `(CASE WHEN ${moment} BETWEEN TIMESTAMPTZ '${FROM}' AND TIMESTAMPTZ '${UNTIL}' THEN ${moment} ` +
  `WHEN ${moment} IS NULL THEN NULL ELSE error('AT TIME ZONE is of the years from 1970 to 2037 here.') END)`;

/** How far the clocks of a zone are from UTC's, as it is written: up to fourteen hours. */
const OFFSET = /^([+-])(0\d|1[0-4]):([0-5]\d)$/;
const OFFSET_MINUTES_MAX = 14 * 60;

/** Minutes from UTC's clocks, where it is always the same; undefined of a place's zone. */
function minutesOf(zone: string): number | undefined {
  if (zone === "UTC") return 0;
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}

export const isFixed = (type: Type): boolean => minutesOf(zoneOf(type)) !== undefined;

const UTC = /^(Z|(Etc\/)?(UTC|GMT))$/i;

/** The zone as Trino shows it. */
export function zoneNamed(text: string, at: number): string {
  if (UTC.test(text) || text === "+00:00") return "UTC";
  const minutes = minutesOf(text);
  if (minutes !== undefined && minutes !== 0 && Math.abs(minutes) <= OFFSET_MINUTES_MAX) return text;
  if (!ZONES.has(text)) throw unsupported(`The zone '${text}'`, at);
  return text;
}

/** Throws a Refusal for a zone that is computed. */
export function knownZone({ constant, at }: NamedZone): string {
  if (constant === undefined) throw unsupported("A zone that is computed", at);
  return zoneNamed(constant, at);
}

/** What the clocks of its zone show, as a timestamp without one. */
export function clockOf({ sql, type }: Pick<Typed, "sql" | "type">): string {
  if (type.kind !== "timestamptz") return sql;
  const minutes = minutesOf(zoneOf(type));
  if (minutes === undefined) return `timezone(${textLiteral(zoneOf(type))}, ${sql})`;
  return minutes === 0 ? `timezone('UTC', ${sql})` : `(timezone('UTC', ${sql}) + to_minutes(${minutes}))`;
}

/** Where clocks show a time twice. */
export type OfTwo = "fails" | "earlier";

/** By so much clocks are put forward or back. */
const SHIFTS_MINUTES = [30, 60, 120];

/**
 * The moment at which the clocks of a zone show a time. Where clocks are put forward that may be no moment, and then it
 * fails; where they are put back it may be two, of which the earlier one is taken, or it fails.
 */
export function momentAt(clock: string, type: Type, ofTwo: OfTwo = "fails"): string {
  const minutes = minutesOf(zoneOf(type));
  if (minutes === 0) return `timezone('UTC', CAST(${clock} AS TIMESTAMP))`;
  if (minutes !== undefined) return `timezone('UTC', CAST(${clock} AS TIMESTAMP) - to_minutes(${minutes}))`;
  const zone = textLiteral(zoneOf(type));
  const moment = `timezone(${zone}, t)`;
  const showsAlso = (by: number): string => `timezone(${zone}, ${moment} + to_minutes(${by})) = t`;
  const others = SHIFTS_MINUTES.flatMap((shift) => [shift, -shift].map((by) => `NOT (${showsAlso(by)})`));
  const earlier = SHIFTS_MINUTES.map((shift) => `WHEN ${showsAlso(-shift)} THEN ${moment} - to_minutes(${shift})`);
  const isThere = `timezone(${zone}, ${moment}) = t AND ${moment} BETWEEN TIMESTAMPTZ '${FROM}' AND TIMESTAMPTZ '${UNTIL}'`;
  return (
    `list_transform([CAST(${clock} AS TIMESTAMP)], lambda t: CASE WHEN t IS NULL THEN NULL ` +
    `WHEN ${isThere}${ofTwo === "fails" ? ` AND ${others.join(" AND ")}` : ""} ` +
    `THEN ${ofTwo === "fails" ? moment : `CASE ${earlier.join(" ")} ELSE ${moment} END`} ` +
    `ELSE error('The clocks of ${zoneOf(type)} show this time never, twice, or beyond the years from 1970 to 2037.') END)[1]`
  );
}

/** In Trino the parts of a day are of the moment's own offset, whatever the clocks do in them. */
export const isOfClocks = (unit: string): boolean => !["millisecond", "second", "minute", "hour"].includes(unit);

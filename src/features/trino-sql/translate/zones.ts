// Moments in a zone: the moment stays, and its clock is another. Of a zone that is computed, its type says too little.

import { unsupported } from "../refusal.ts";
import { nameOf, zoneOf, type Type } from "../trino-types.ts";
import { mismatch, textLiteral, type Typed } from "./typed.ts";
import { ZONES } from "./zone-names.ts";

/** Between these the zones were compared. */
const [FROM, UNTIL] = ["1970-01-02 00:00:00+00", "2037-12-31 00:00:00+00"];

export function inZone(of: Typed, zone: Typed, sessionZone: string, at: number): Typed {
  const { type } = of;
  if (type.kind !== "timestamptz" && type.kind !== "timestamp")
    throw mismatch(`AT TIME ZONE is of moments: actual type ${nameOf(type)}`, of.at);
  // Without a zone it is a moment of the session's.
  if (type.kind === "timestamp" && sessionZone !== "UTC")
    throw unsupported(`A moment in the zone ${sessionZone}`, of.at);
  if (zone.constant === undefined) throw unsupported("A zone that is computed", zone.at);
  const known = zoneNamed(zone.constant, zone.at);
  const moment = type.kind === "timestamp" ? `timezone('UTC', ${of.sql})` : of.sql;
  const shown: Type = { kind: "timestamptz", digits: type.digits, ...(known !== "UTC" && { zone: known }) };
  // What is in a zone already was compared; so that a moment in zone after zone is not longer by each.
  const isCompared = type.kind === "timestamptz" && type.zone !== undefined;
  const sql =
    known === "UTC" || isCompared
      ? moment
      : `(CASE WHEN ${moment} BETWEEN TIMESTAMPTZ '${FROM}' AND TIMESTAMPTZ '${UNTIL}' THEN ${moment} ` +
        `WHEN ${moment} IS NULL THEN NULL ELSE error('AT TIME ZONE is of the years from 1970 to 2037 here.') END)`;
  return { sql, type: shown, at };
}

function zoneNamed(text: string, at: number): string {
  if (/^(UTC|Etc\/UTC)$/i.test(text)) return "UTC";
  if (!ZONES.has(text)) throw unsupported(`The zone '${text}'`, at);
  return text;
}

/** What the clocks of its zone show, as a timestamp without one. */
export const clockOf = ({ sql, type }: Pick<Typed, "sql" | "type">): string =>
  type.kind === "timestamptz" ? `timezone(${textLiteral(zoneOf(type))}, ${sql})` : sql;

/** In a zone whose clocks are put forward and back a time of the clock may be two moments, or none. */
export function requireUtc({ type, at }: Pick<Typed, "type" | "at">, what: string): void {
  if (zoneOf(type) !== "UTC") throw unsupported(`${what} in the zone ${zoneOf(type)} (cast it to timestamp first)`, at);
}

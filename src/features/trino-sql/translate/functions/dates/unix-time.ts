// Seconds since 1970, and moments of them.

import { unsupported } from "../../../refusal.ts";
import { DOUBLE, nameOf, type Type } from "../../../trino-types.ts";
import { timeZoneOf } from "../../place.ts";
import { coerce, type Typed } from "../../typed.ts";
import { inZone } from "../../zones.ts";
import type { Function } from "../function.ts";

/** Trino keeps the milliseconds of a moment in so many bits, one of them for the sign. */
const MILLISECONDS_MAX = 2 ** 51;
const MOMENT: Type = { kind: "timestamptz", digits: 3 };

/** Halves of a millisecond are rounded up, and NaN is 0, as Java has it. */
function momentOf(seconds: string): string {
  const rounded = "CASE WHEN isnan(v) THEN 0 WHEN v >= 0 THEN round(v) ELSE floor(v + 0.5) END";
  return (
    `list_transform([${seconds} * 1000], lambda v: CASE WHEN v IS NULL THEN NULL ` +
    `WHEN isnan(v) OR abs(v) < ${MILLISECONDS_MAX} THEN timezone('UTC', epoch_ms(CAST(${rounded} AS BIGINT))) ` +
    `ELSE error('These seconds are no moment.') END)[1]`
  );
}

/** In the zone that is named, or the session's. */
const fromUnixTime: Function = {
  counts: [1, 2],
  make: ({ args: [of, zone], at, place }) => {
    const timeZone = timeZoneOf(place);
    const moment: Typed = { sql: momentOf(coerce(of!, DOUBLE)), type: MOMENT, at };
    return inZone(moment, zone ?? { constant: timeZone, at }, timeZone, at);
  },
};

const toUnixTime: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    const { type, sql } = of!;
    if (type.kind !== "timestamp" && type.kind !== "timestamptz")
      throw unsupported(`to_unixtime of ${nameOf(type)}`, at);
    // Trino adds the millisecond's fraction to the seconds of the milliseconds.
    const rest = `(((epoch_us(${sql}) % 1000) + 1000) % 1000)`;
    const ms = `((epoch_us(${sql}) - ${rest}) // 1000)`;
    return { sql: `(${ms} / CAST('1e3' AS DOUBLE) + ${rest} / CAST('1e6' AS DOUBLE))`, type: DOUBLE, at };
  },
};

export const UNIX_TIME: Record<string, Function> = { from_unixtime: fromUnixTime, to_unixtime: toUnixTime };

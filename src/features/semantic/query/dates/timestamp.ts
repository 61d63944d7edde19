// Dates and timestamps as ISO 8601 writes them: `2026-01-31`, `2026-01-31T10:30:00.000`, with an offset or none.

import type { ZoneClock } from "../../../../../kernel/time/zone-clock.ts";
import { dayOf } from "./local-time.ts";

/** A local time of the query's zone; `isDay` where no time of the day was written. */
export type Timestamp = { localTime: number; isDay: boolean };

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Undefined for what is no timestamp, or of no day or time that there is. */
export function readTimestamp(text: string, clock: ZoneClock): Timestamp | undefined {
  const [, year, month, date, hour, minute, second, fraction = "", offset] = TIMESTAMP.exec(text) ?? [];
  if (date === undefined) return undefined;
  const day = dayOf(Number(year), Number(month), Number(date));
  if (day === undefined) return undefined;
  if (hour === undefined) return { localTime: day, isDay: true };
  const milliseconds = millisecondsOf(fraction);
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59 || milliseconds === undefined) return undefined;
  const written = day + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return { localTime: localTimeOf(written, offset, clock) + milliseconds, isDay: false };
}

/** What is finer than a millisecond would be lost in silence; zeros are none, and nines are the end of one. */
function millisecondsOf(fraction: string): number | undefined {
  const finer = fraction.slice(3);
  if (!/^(0*|9*)$/.test(finer) || (finer.startsWith("9") && !fraction.startsWith("999"))) return undefined;
  return Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** A time with an offset is an instant, whatever the clocks of the zone show at it. */
function localTimeOf(written: number, offset: string | undefined, clock: ZoneClock): number {
  if (offset === undefined) return written;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return clock.localTimeAt(written - (sign === "-" ? -ahead : ahead));
}

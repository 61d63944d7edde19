// Times as text and as numbers: local times are milliseconds since 1970, read as though they were UTC.

import { Refused } from "../refused.ts";
import type { Zone } from "./zone.ts";

const FORM =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const DAY_LENGTH = 10;
const DAY_MS = 86_400_000;

/** `2026-01-31T00:00:00.000` */
export const localText = (local: number): string => new Date(local).toISOString().slice(0, -1);

/**
 * Reads a local time; a date alone means midnight. A time with an offset from UTC is converted to local time in `zone`.
 */
export function readLocalTime(text: string, zone: Zone): number {
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", fraction = "0", offset] =
    FORM.exec(text) ?? [];
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}Z`);
  if (year === undefined || Number.isNaN(local)) throw new Refused(`Can't parse date: '${text}'`);
  if (offset === undefined) return local;
  const instant = local - offsetMs(offset);
  return instant + zone.offsetAt(instant);
}

export const addDay = (local: number): number => local + DAY_MS;

/** Whether the text is a date without a time of day. */
export const isDay = (text: string): boolean => text.length === DAY_LENGTH;

function offsetMs(text: string): number {
  if (text === "Z") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  return (text[0] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

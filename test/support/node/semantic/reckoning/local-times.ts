// Times of a zone, reckoned by the platform's calendar data and nothing of the product.

import type { Cell } from "../proof-tables.ts";

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  clocks.set(zone, clock);
  return clock;
}

/** Milliseconds of a cell of type `time`. */
export const instantOf = (cell: Cell): number => Date.parse(`${String(cell).replace(" ", "T")}Z`);

/** What a clock of the zone shows at an instant, as if it were UTC. */
export function toLocal(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!, ((instant % 1000) + 1000) % 1000);
}

/** The instant at which the zone's clock shows `local` (`2026-01-31T00:00:00.000`); no clock may change then. */
export function toInstant(local: string, zone: string): number {
  const shown = Date.parse(`${local}Z`);
  const guess = shown - (toLocal(shown, zone) - shown);
  return shown - (toLocal(guess, zone) - guess);
}

/** The start of the granule that a local time is in. */
export function truncate(local: number, granularity: string): number {
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = Math.floor(local / 86_400_000) * 86_400_000;
  switch (granularity) {
    case "hour":
      return Math.floor(local / 3_600_000) * 3_600_000;
    case "day":
      return day;
    case "week":
      return day - ((date.getUTCDay() + 6) % 7) * 86_400_000;
    case "month":
      return Date.UTC(year, month);
    case "quarter":
      return Date.UTC(year, month - (month % 3));
    case "year":
      return Date.UTC(year, 0);
    default:
      throw new Error(`No such granularity: ${granularity}.`);
  }
}

/** A local time as answers show it: `2026-01-31T00:00:00.000`. */
export const showLocal = (local: number): string => new Date(local).toISOString().slice(0, -1);

// The local times of a time zone, and the instants at which its clocks show them. Clocks are changed: a local time may
// come twice, or never.

import { LruMap } from "../text/lru-map.ts";

/** Milliseconds of a day: no offset is larger, and no zone changes its clocks twice within two days. */
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** Clocks showed the same before this instant; years of fewer digits are formatted and read otherwise. */
const EARLIEST = Date.UTC(1000, 0, 1);

/** Formatters that are kept: making one costs as much as fifty of its answers, and hosts have hundreds of zones. */
const FORMATTERS_MAX = 64;
const formatters = new LruMap<Intl.DateTimeFormat>(FORMATTERS_MAX);

/** Opens the clock of a zone named as in the IANA database: "Area/Place" or "UTC"; null where no zone has that name. */
export function openZoneClock(zone: string): ZoneClock | null {
  // The host would also take offsets, and abbreviations of which two countries each think they are theirs.
  if (!zone.includes("/") && zone !== "UTC") return null;
  try {
    return new ZoneClock(formatterOf(zone));
  } catch {
    return null;
  }
}

/** Instants are milliseconds since 1970; so are local times, read as though they were UTC. */
export class ZoneClock {
  readonly #formatter: Intl.DateTimeFormat;

  constructor(formatter: Intl.DateTimeFormat) {
    this.#formatter = formatter;
  }

  /** The zone's name as the host spells it; for a zone with several names, one of them. */
  get zone(): string {
    return this.#formatter.resolvedOptions().timeZone;
  }

  /** The local time at an instant. */
  localTimeAt(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /** How far the clocks are ahead of UTC at an instant. */
  offsetAt(instant: number): number {
    const whole = Math.floor(Math.max(instant, EARLIEST) / SECOND_MS) * SECOND_MS;
    const [month = 0, day, year = 0, hour, minute, second] = (this.#formatter.format(whole).match(/\d+/g) ?? []).map(
      Number,
    );
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  }

  /** When the clocks show it, in order: one instant, two where it is repeated, none where it is skipped. */
  instantsOf(localTime: number): number[] {
    return this.#candidates(localTime).filter((instant) => this.localTimeAt(instant) === localTime);
  }

  /** The instant at which a change skips this local time: its clocks show the first local time after the gap. */
  skippedAt(localTime: number): number {
    const [first = localTime, last = localTime] = this.#candidates(localTime);
    return this.changeBetween(first, last);
  }

  /** The first whole second after `from`, `to` at the latest, at which the offset is not what it is at `from`. */
  changeBetween(from: number, to: number): number {
    const offset = this.offsetAt(from);
    let [before, after] = [Math.floor(from / SECOND_MS), Math.ceil(to / SECOND_MS)];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.offsetAt(middle * SECOND_MS) === offset) before = middle;
      else after = middle;
    }
    return after * SECOND_MS;
  }

  #candidates(localTime: number): number[] {
    const offsets = new Set([this.offsetAt(localTime - DAY_MS), this.offsetAt(localTime + DAY_MS)]);
    return [...offsets].map((offset) => localTime - offset).sort((a, b) => a - b);
  }
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(zone, made);
  return made;
}

// When a time zone's clocks are changed. Times are milliseconds since 1970: instants, or local times read as though
// they were UTC.

import { LruMap } from "../../../core/lru-map.ts";
import { Refused } from "../refused.ts";

/** How far apart the zone's clocks are looked at. No zone has changed them twice within a week. */
const STEP_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** What lies before has the first offset, what lies after the last. */
const FIRST = Date.UTC(1900, 0, 1);
const LAST = Date.UTC(2100, 0, 1);
/** Years of fewer digits are read as other ones, and clocks have shown the same all along. */
const EARLIEST = Date.UTC(1000, 0, 1);

/** The zone's clocks are `offsetMs` ahead of UTC from the instant `at` on. */
export type ClockChange = { at: number; offsetMs: number };

/** A zone's changes are found once; hosts have hundreds of zones, so those unused for longest go. */
const ZONES_MAX = 64;
const zones = new LruMap<Zone>(ZONES_MAX);

export function openZone(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const zone = new Zone(name);
  zones.set(name, zone);
  return zone;
}

export class Zone {
  readonly name: string;
  readonly isUtc: boolean;
  readonly #formatter: Intl.DateTimeFormat;
  #changes: ClockChange[] | undefined;

  /** Throws where there is no zone of the name. */
  constructor(name: string) {
    this.name = name;
    try {
      this.#formatter = new Intl.DateTimeFormat("en-US", {
        timeZone: name,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
    } catch {
      throw new Refused(`There is no time zone ${JSON.stringify(name)}.`);
    }
    this.isUtc = /^(Etc\/)?(UTC|GMT|UCT|Zulu|Universal)$/.test(name);
  }

  offsetAt(instant: number): number {
    const whole = Math.floor(Math.max(instant, EARLIEST) / SECOND_MS) * SECOND_MS;
    const [month = 0, day, year = 0, hour, minute, second] = (this.#formatter.format(whole).match(/\d+/g) ?? []).map(
      Number,
    );
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  }

  /** The instant from which on clocks show `local` or later: of two that show it, the first. */
  firstInstantOf(local: number): number {
    return this.#instantsOf(local)[0];
  }

  /** The same, for good: of two instants that show it, the last. */
  lastInstantOf(local: number): number {
    return this.#instantsOf(local)[1];
  }

  /** The offset before `until`, and each change from `since` on, in order. */
  changesWithin(since: number, until: number): ClockChange[] {
    const from = Math.max(since, FIRST);
    const to = Math.min(until, LAST);
    if (since > FIRST || until < LAST) return this.#findChanges(from, Math.max(from, to));
    this.#changes ??= this.#findChanges(from, to);
    return this.#changes;
  }

  #instantsOf(local: number): [number, number] {
    const [early, late] = [this.offsetAt(local - DAY_MS), this.offsetAt(local + DAY_MS)];
    const [a, b] = [local - early, local - late];
    if (early === late) return [a, a];
    const shown = [a, b].filter((instant) => instant + this.offsetAt(instant) === local);
    // The change skips this local time: it is past as soon as the clocks are changed.
    const skipped = shown.length > 0 ? undefined : this.#changeBetween(Math.min(a, b) - 1, Math.max(a, b));
    return skipped === undefined ? [Math.min(...shown), Math.max(...shown)] : [skipped, skipped];
  }

  #findChanges(from: number, to: number): ClockChange[] {
    const changes = [{ at: from, offsetMs: this.offsetAt(from) }];
    for (let at = from; at < to; at += STEP_MS) {
      const next = Math.min(at + STEP_MS, to);
      if (this.offsetAt(next) === changes.at(-1)!.offsetMs) continue;
      const changedAt = this.#changeBetween(at, next);
      changes.push({ at: changedAt, offsetMs: this.offsetAt(changedAt) });
    }
    return changes;
  }

  /** The first whole second after `from` at which the offset is not what it was then. */
  #changeBetween(from: number, to: number): number {
    const offset = this.offsetAt(from);
    let [before, after] = [Math.floor(from / SECOND_MS), Math.ceil(to / SECOND_MS)];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.offsetAt(middle * SECOND_MS) === offset) before = middle;
      else after = middle;
    }
    return after * SECOND_MS;
  }
}

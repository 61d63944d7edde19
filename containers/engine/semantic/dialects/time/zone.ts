// A time zone's clocks are changed at known instants. Times are milliseconds since 1970: instants, or local times read
// as though they were UTC.

import { LruMap } from "../../../../../kernel/text/lru-map.ts";
import { openZoneClock, type ZoneClock } from "../../../../../kernel/time/zone-clock.ts";
import { Refused } from "../refused.ts";

/** The step at which the zone's clocks are looked at. No zone has changed them twice within a week. */
const STEP_MS = 7 * 86_400_000;
/** Times before the first have the first offset, times after the last have the last. */
const FIRST = Date.UTC(1900, 0, 1);
const LAST = Date.UTC(2100, 0, 1);

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
  readonly #clock: ZoneClock;
  #changes: ClockChange[] | undefined;

  /** Throws where there is no zone of the name. */
  constructor(name: string) {
    const clock = openZoneClock(name);
    if (!clock) throw new Refused(`There is no time zone ${JSON.stringify(name)}.`);
    this.name = name;
    this.#clock = clock;
    this.isUtc = /^(Etc\/)?(UTC|GMT|UCT|Zulu|Universal)$/.test(name);
  }

  offsetAt(instant: number): number {
    return this.#clock.offsetAt(instant);
  }

  /** The instant from which on clocks show `local` or later: of two that show it, the first. */
  firstInstantOf(local: number): number {
    return this.#clock.instantsOf(local)[0] ?? this.#clock.skippedAt(local);
  }

  /** The instant from which on clocks show `local` or later for good: of two that show it, the last. */
  lastInstantOf(local: number): number {
    return this.#clock.instantsOf(local).at(-1) ?? this.#clock.skippedAt(local);
  }

  /** The offset before `until`, and each change from `since` on, in order. */
  changesWithin(since: number, until: number): ClockChange[] {
    const from = Math.max(since, FIRST);
    const to = Math.min(until, LAST);
    if (since > FIRST || until < LAST) return this.#findChanges(from, Math.max(from, to));
    this.#changes ??= this.#findChanges(from, to);
    return this.#changes;
  }

  #findChanges(from: number, to: number): ClockChange[] {
    const changes = [{ at: from, offsetMs: this.offsetAt(from) }];
    for (let at = from; at < to; at += STEP_MS) {
      const next = Math.min(at + STEP_MS, to);
      if (this.offsetAt(next) === changes.at(-1)!.offsetMs) continue;
      const changedAt = this.#clock.changeBetween(at, next);
      changes.push({ at: changedAt, offsetMs: this.offsetAt(changedAt) });
    }
    return changes;
  }
}

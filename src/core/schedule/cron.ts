// A cron expression plans when work is due, in the local time of a zone.

import { Cron } from "croner";
import { SCHEDULE_LIMITS } from "./limits.ts";
import { openZoneClock, type ZoneClock } from "../../../kernel/time/zone-clock.ts";

/** Why an expression or its zone is refused, in words for whoever wrote it. */
export type CronRefusal = { field: "cron" | "timezone"; reason: string };

const FIELDS = [
  { name: "minute", takes: "0-59" },
  { name: "hour", takes: "0-23" },
  { name: "day-of-month", takes: "1-31, L (the last day) or 15W (the weekday nearest to the 15th)" },
  { name: "month", takes: "1-12 or JAN-DEC" },
  {
    name: "day-of-week",
    takes: "0-7 (0 and 7 are Sunday) or SUN-SAT, MON#1 (the first Monday) or FRIL (the last Friday)",
  },
];
/** croner would take more, which other crons read otherwise or not at all. */
const FIELD_PATTERN = /^[0-9A-Za-z*,/#-]+$/;
const SECOND_MS = 1_000;
/** Years with leap days on all weekdays: what does not fire within them never does. */
const LEAP_CYCLE = "2000-2027";
const LEAP_CYCLE_START = new Date("1999-12-31T23:59:59Z");

/**
 * Reads five fields (minute, hour, day of month, month, day of week) and an IANA zone. Where both days are restricted,
 * either will do. What is refused costs little more than what is taken: the text is short, and the search for a first
 * time ends after 28 years.
 */
export function parseCron(text: string, zone: string): CronSchedule | CronRefusal {
  const clock = openZoneClock(zone);
  if (!clock) return { field: "timezone", reason: "is not a time zone's name like Europe/Berlin or UTC" };
  if (text.length > SCHEDULE_LIMITS.cronCharactersMax)
    return { field: "cron", reason: `is longer than ${SCHEDULE_LIMITS.cronCharactersMax} characters` };
  const fields = text.trim().split(/[ \t]+/);
  const localTimes = findLocalTimes(fields);
  if (!localTimes) return { field: "cron", reason: findFlaw(fields) };
  if (!fires(fields)) return { field: "cron", reason: "never fires: no month that it names has such a day" };
  return new CronSchedule(localTimes, { clock, keepsPace: fields[1]?.startsWith("*") === true });
}

/**
 * Clocks that change skip and repeat local times. Work that names its hours is due once for each: in place of a skipped
 * time when the gap ends (times that meet there are one), at the first of two. Work of every hour (`*`, `*` with a
 * step) keeps its pace: it has no time in a gap, and goes on through an hour that is repeated.
 */
export class CronSchedule {
  readonly #localTimes: Cron;
  readonly #clock: ZoneClock;
  readonly #keepsPace: boolean;

  constructor(localTimes: Cron, { clock, keepsPace }: { clock: ZoneClock; keepsPace: boolean }) {
    this.#localTimes = localTimes;
    this.#clock = clock;
    this.#keepsPace = keepsPace;
  }

  /** The first time after `after`, and not at it. */
  next(after: Date): Date {
    const from = Math.floor(after.getTime() / SECOND_MS) * SECOND_MS;
    const localTime = this.#clock.localTimeAt(from);
    const first = this.#search(localTime, from);
    const again = this.#keepsPace ? this.#repetitionAhead(localTime, from) : null;
    if (again === null) return new Date(first);
    return new Date(Math.min(first, this.#search(this.#clock.localTimeAt(again) - SECOND_MS, again - SECOND_MS)));
  }

  /** Local times are tried in order: at most those of one gap or one repetition are passed over. */
  #search(localTime: number, from: number): number {
    for (let tried = localTime; ; ) {
      const match = this.#localTimes.nextRun(new Date(tried));
      if (!match) throw new Error("a cron expression that fires has no next time");
      tried = match.getTime();
      const instant = this.#instantOf(tried, from);
      if (instant !== undefined && instant > from) return instant;
    }
  }

  #instantOf(localTime: number, from: number): number | undefined {
    const instants = this.#clock.instantsOf(localTime);
    if (this.#keepsPace) return instants.find((instant) => instant > from);
    return instants[0] ?? this.#clock.skippedAt(localTime);
  }

  /** When the clocks go back over the local time that they show now: times before it come again. */
  #repetitionAhead(localTime: number, from: number): number | null {
    const [first, second] = this.#clock.instantsOf(localTime);
    return first === from && second !== undefined ? this.#clock.changeBetween(first, second) : null;
  }
}

/**
 * croner counts days and hours without a zone. In one it would drop a skipped time whose gap ends after midnight (as in
 * America/Nuuk), and every skipped time of a list.
 */
function findLocalTimes(fields: string[]): Cron | null {
  if (fields.length !== FIELDS.length || !fields.every((field) => FIELD_PATTERN.test(field))) return null;
  try {
    return new Cron(fields.join(" "), { mode: "5-part", utcOffset: 0 });
  } catch {
    return null;
  }
}

function findFlaw(fields: string[]): string {
  if (fields.length !== FIELDS.length)
    return `needs five fields (${FIELDS.map(({ name }) => name).join(" ")}) and has ${fields.length}`;
  const wrong = fields.findIndex(
    (field, index) => !findLocalTimes(FIELDS.map((_, at) => (at === index ? field : "*"))),
  );
  const flaw = FIELDS[wrong];
  if (!flaw) return "is not understood";
  return `has the ${flaw.name} field '${fields[wrong]}': it takes ${flaw.takes}, and *, lists, ranges and steps`;
}

/** Only a named month may lack the day. */
function fires(fields: string[]): boolean {
  const [, , day, month, weekday] = fields;
  if (month === "*") return true;
  const days = new Cron(`0 0 0 ${day} ${month} ${weekday} ${LEAP_CYCLE}`, { mode: "7-part", utcOffset: 0 });
  return days.nextRun(LEAP_CYCLE_START) !== null;
}

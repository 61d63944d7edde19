// Dates and timestamps as DuckDB spells them, with a T between a date and its time. Each function writes at `at` and
// answers where it ends.

import { type CivilDate, dateOfDays } from "../../../../../../kernel/time/civil-date.ts";
import type { Output } from "../../../../formats/output.ts";
import { HIGH_HALF, putDigits, putNumber, putPair } from "./number-cells.ts";

const DASH = 0x2d;
const COLON = 0x3a;
const POINT = 0x2e;
const ZERO = 0x30;
const T = 0x54;
const BEFORE_CHRIST = Buffer.from(" (BC)");
const INFINITY = Buffer.from("infinity");
const MINUS_INFINITY = Buffer.from("-infinity");

const DATE_INFINITY = 0x7fff_ffff;
/** Infinite timestamps are the largest int64 and its negative. */
const HIGH_INFINITY = 0x7fff_ffff;
const HIGH_MINUS_INFINITY = -0x8000_0000;
const DAY_MICROS = 86_400_000_000;

/** Dates repeat: the text of the last date of each remainder is kept. */
const KEPT_DATES = 4_096;
const NEVER = -0x8000_0000;

/** Writes dates, by the number of days since 1970. Up to two bytes behind one are overwritten. */
export class DateWriter {
  readonly #days = new Int32Array(KEPT_DATES).fill(NEVER);
  readonly #words = new Int32Array(KEPT_DATES * 3);

  put(out: Output, at: number, days: number): number {
    const slot = days & (KEPT_DATES - 1);
    if (this.#days[slot] !== days) {
      const end = putDate(out, at, days);
      if (end - at !== 10) return end;
      this.#days[slot] = days;
      for (let i = 0; i < 3; i++) this.#words[slot * 3 + i] = out.view.getInt32(at + i * 4, true);
      return end;
    }
    const { view } = out;
    view.setInt32(at, this.#words[slot * 3]!, true);
    view.setInt32(at + 4, this.#words[slot * 3 + 1]!, true);
    view.setInt32(at + 8, this.#words[slot * 3 + 2]!, true);
    return at + 10;
  }
}

function putDate(out: Output, at: number, days: number): number {
  if (days === DATE_INFINITY) return put(out, at, INFINITY);
  if (days === -DATE_INFINITY) return put(out, at, MINUS_INFINITY);
  const calendarDay = dateOfDays(days);
  const end = putCalendarDay(out, at, calendarDay);
  return calendarDay.year > 0 ? end : put(out, end, BEFORE_CHRIST);
}

/** `low` and `high` are the halves of its microseconds since 1970. `zone` stands behind one that is finite. */
type Timestamp = { low: number; high: number; zone: Uint8Array };

export function putTimestamp(out: Output, at: number, { low, high, zone }: Timestamp): number {
  if (high === HIGH_INFINITY && low === -1) return put(out, at, INFINITY);
  if (high === HIGH_MINUS_INFINITY && low === 1) return put(out, at, MINUS_INFINITY);
  const value = high * HIGH_HALF + (low >>> 0);
  let days = Math.floor(value / DAY_MICROS);
  let micros = value - days * DAY_MICROS;
  if (!Number.isSafeInteger(value)) {
    const exact = (BigInt(high) << 32n) | BigInt(low >>> 0);
    const day = BigInt(DAY_MICROS);
    micros = Number(((exact % day) + day) % day);
    days = Number((exact - BigInt(micros)) / day);
  }
  const calendarDay = dateOfDays(days);
  let end = putTime(out, putCalendarDay(out, at, calendarDay), micros);
  if (calendarDay.year <= 0) end = put(out, end, BEFORE_CHRIST);
  return put(out, end, zone);
}

/** Without the era. */
function putCalendarDay(out: Output, at: number, { year, month, day }: CivilDate): number {
  const spelled = year > 0 ? year : 1 - year;
  const end = spelled > 9_999 ? putNumber(out, at, spelled, 0) : putDigits(out, at, spelled, 4);
  const { bytes, view } = out;
  bytes[end] = DASH;
  putPair(view, end + 1, month);
  bytes[end + 3] = DASH;
  putPair(view, end + 4, day);
  return end + 6;
}

function putTime(out: Output, at: number, micros: number): number {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  const { bytes, view } = out;
  bytes[at] = T;
  putPair(view, at + 1, (seconds / 3_600) | 0);
  bytes[at + 3] = COLON;
  putPair(view, at + 4, ((seconds / 60) | 0) % 60);
  bytes[at + 6] = COLON;
  putPair(view, at + 7, seconds % 60);
  if (fraction === 0) return at + 9;
  bytes[at + 9] = POINT;
  let end = putDigits(out, at + 10, fraction, 6);
  while (bytes[end - 1] === ZERO) end--;
  return end;
}

function put({ bytes }: Output, at: number, text: Uint8Array): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text[i]!;
  return at + text.length;
}

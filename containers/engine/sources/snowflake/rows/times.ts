// Dates and times of day, counted from the epoch and from midnight, written as ISO 8601 has them.

const ZERO = 0x30;
const MINUS = 0x2d,
  COLON = 0x3a,
  POINT = 0x2e;

/** Days of each era of 400 years, and of the time between its start and the epoch. */
const ERA_DAYS = 146_097;
const DAYS_BEFORE_EPOCH = 719_468;

/**
 * Writes the date that is `days` after 1970-01-01 and returns where it ends; a year has four digits, or as many more as
 * it needs. By Howard Hinnant's `civil_from_days`.
 */
export function writeDate(into: Buffer, at: number, days: number): number {
  const shifted = days + DAYS_BEFORE_EPOCH;
  const era = Math.floor(shifted / ERA_DAYS);
  const dayOfEra = shifted - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Months from March.
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0);
  let end = writeYear(into, at, year);
  into[end++] = MINUS;
  end = writeTwo(into, end, month < 10 ? month + 3 : month - 9);
  into[end++] = MINUS;
  return writeTwo(into, end, day);
}

function writeYear(into: Buffer, at: number, year: number): number {
  if (year >= 0 && year <= 9_999) return writeTwo(into, writeTwo(into, at, Math.floor(year / 100)), year % 100);
  return at + into.write(`${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`, at, "latin1");
}

/** A fraction is written as far as it goes. */
export function writeTime(into: Buffer, at: number, seconds: number, nanos: number): number {
  let end = writeTwo(into, at, Math.floor(seconds / 3_600));
  into[end++] = COLON;
  end = writeTwo(into, end, Math.floor(seconds / 60) % 60);
  into[end++] = COLON;
  end = writeTwo(into, end, seconds % 60);
  if (nanos === 0) return end;
  into[end++] = POINT;
  for (let left = nanos, unit = 100_000_000; left > 0; left %= unit, unit /= 10) {
    into[end++] = ZERO + Math.floor(left / unit);
  }
  return end;
}

function writeTwo(into: Buffer, at: number, value: number): number {
  into[at] = ZERO + Math.floor(value / 10);
  into[at + 1] = ZERO + (value % 10);
  return at + 2;
}

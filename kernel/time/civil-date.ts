// Dates of the proleptic Gregorian calendar, as numbers. The two conversions between a date and a number of days are
// `days_from_civil` and `civil_from_days` of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".

const ERA_YEARS = 400;
const ERA_DAYS = 146_097;
/** Days from 0000-03-01, where an era starts, to 1970-01-01. */
const DAYS_BEFORE_EPOCH = 719_468;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export type CivilDate = { year: number; month: number; day: number };

/** The date `days` after 1970-01-01. Years before the first are 0, -1, … */
export function dateOfDays(days: number): CivilDate {
  const shifted = days + DAYS_BEFORE_EPOCH;
  const era = Math.floor(shifted / ERA_DAYS);
  const dayOfEra = shifted - era * ERA_DAYS;
  const leaps = ((dayOfEra / 1_460) | 0) - ((dayOfEra / 36_524) | 0) + ((dayOfEra / 146_096) | 0);
  const yearOfEra = ((dayOfEra - leaps) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  // Months are counted from March, so that a leap day is a year's last.
  const fromMarch = ((5 * dayOfYear + 2) / 153) | 0;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * ERA_YEARS + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - (((153 * fromMarch + 2) / 5) | 0) + 1,
  };
}

/** Days from 1970-01-01 to a date, by whole numbers; NaN where the calendar has no such day. */
export function daysOfDate(year: number, month: number, day: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const daysOfMonth = month === 2 && isLeap ? 29 : MONTH_DAYS[month - 1];
  if (daysOfMonth === undefined || !(day >= 1 && day <= daysOfMonth)) return Number.NaN;
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / ERA_YEARS);
  const yearOfEra = shifted - era * ERA_YEARS;
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1;
  const leaps = ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0);
  return era * ERA_DAYS + yearOfEra * 365 + leaps + dayOfYear - DAYS_BEFORE_EPOCH;
}

// A second has a number of digits, by which moments are rounded.

export const DIGITS_MAX = 6;

/** A moment with fewer digits of its second, rounded half up. */
export function withDigits(sql: string, from: number, into: number): string {
  if (into >= from) return sql;
  const unit = 10 ** (DIGITS_MAX - into);
  const shifted = `(${sql} + to_microseconds(${unit / 2}))`;
  return `(${shifted} - to_microseconds(((epoch_us(${shifted}) % ${unit}) + ${unit}) % ${unit}))`;
}

// Rows of two answers are compared without their order, numbers to nine digits: sums of doubles depend on their order.

const DIGITS = 9;

/** Rows are arrays of values, or objects with as many. */
export function areEqual(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  const [left, right] = [some, others].map((rows) => rows.map(textOf).sort());
  return left!.every((text, at) => text === right![at]);
}

const textOf = (row: unknown): string => JSON.stringify(Object.values(row as object).map(comparable));

function comparable(value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  const text = String(value).trim();
  const number = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? Number(number.toPrecision(DIGITS)) : text;
}

// Compares the rows of a semantic query with those of a statement, in whatever order they come.

const DOUBLE_TOLERANCE = 1e-9;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00:00(?:\.0+)?)?Z?$/;

/** A cell in the one form of its value: a decimal without trailing zeros, a day without its midnight. */
function plain(cell: unknown): string {
  const text = String(cell);
  const [, day] = TIME.exec(text) ?? [];
  if (day !== undefined) return day;
  return DECIMAL.test(text) && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Doubles come as numbers with a fraction; everything else is equal exactly. */
function isSameCell(one: unknown, other: unknown): boolean {
  if (plain(one) === plain(other)) return true;
  const isDouble = [one, other].some((cell) => typeof cell === "number" && !Number.isInteger(cell));
  return isDouble && Math.abs(Number(one) - Number(other)) <= DOUBLE_TOLERANCE * Math.max(1, Math.abs(Number(one)));
}

export function hasSameRows(some: readonly unknown[][], others: readonly unknown[][]): boolean {
  const rest = [...others];
  for (const row of some) {
    const i = rest.findIndex(
      (other) => other.length === row.length && row.every((cell, j) => isSameCell(cell, other[j])),
    );
    if (i < 0) return false;
    rest.splice(i, 1);
  }
  return rest.length === 0;
}

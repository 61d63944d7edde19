// An answer's rows are compared with those that it should have: in any order, numbers as near as a server's kind of
// number allows.

import type { ProofRow } from "./proof-servers.ts";
import type { Cell, Dialect } from "./proof-tables.ts";

/** MySQL gives a mean of decimals four digits behind the point. */
const TOLERANCE: Record<Dialect, number> = { duckdb: 1e-9, postgres: 1e-9, mysql: 5.1e-5 };

/** Tolerance of counts that are only near: the lake's are of sketches. */
const NEAR = 0.15;

/** MySQL has no truth values. */
const plain = (cell: Cell | undefined): Cell | undefined => (typeof cell === "boolean" ? Number(cell) : cell);

function isSame(actual: Cell | undefined, expected: Cell, tolerance: number): boolean {
  const [a, b] = [plain(actual), plain(expected)];
  if (typeof a !== "number" || typeof b !== "number") return a === b;
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));
}

/** What is wrong with the rows, or nothing. Rows are told apart by `keys`. */
export function differenceOf(
  { actual, expected, keys }: { actual: readonly ProofRow[]; expected: readonly ProofRow[]; keys: readonly string[] },
  dialect: Dialect,
): string | undefined {
  const keyOf = (row: ProofRow) => JSON.stringify(keys.map((key) => plain(row[key]) ?? null));
  const rows = new Map(actual.map((row) => [keyOf(row), row]));
  if (rows.size !== actual.length) return `${actual.length - rows.size} groups come more than once`;
  for (const row of expected) {
    const found = rows.get(keyOf(row));
    if (!found) return `no row ${JSON.stringify(row)}`;
    for (const [member, value] of Object.entries(row))
      if (!isSame(found[member], value, /approx/i.test(member) ? NEAR : TOLERANCE[dialect]))
        return `${member} is ${JSON.stringify(found[member])}, should be in ${JSON.stringify(row)}`;
    const more = Object.keys(found).filter((member) => !(member in row));
    if (more.length > 0) return `columns too many: ${more.join(", ")}`;
    rows.delete(keyOf(row));
  }
  const [over] = rows.values();
  return over && `a row too many: ${JSON.stringify(over)}`;
}

/** The columns of a query by which its rows are told apart. */
export const keysOf = (query: {
  dimensions: readonly string[];
  timeDimensions: readonly { dimension: string; granularity?: string | undefined }[];
}): string[] => [
  ...query.dimensions,
  ...query.timeDimensions.flatMap(({ dimension, granularity }) => (granularity ? [`${dimension}.${granularity}`] : [])),
];

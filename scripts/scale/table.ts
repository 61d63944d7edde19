// Tables of the page, and figures as it writes them.

/** What stands to the right in a table: a figure, perhaps with others. */
const FIGURE = /^[*$< ]*[\d.]/;

/** A Markdown table: columns of figures stand to the right, others and the first to the left. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const isOfFigures = (column: number): boolean =>
    column > 0 && rows.every((cells) => cells[column] === "" || FIGURE.test(cells[column]!));
  const rule = `|${heads.map((_, column) => (isOfFigures(column) ? "---:" : "---")).join("|")}|`;
  const [head, ...others] = [heads, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [head, rule, ...others].join("\n");
}

const UNITS: readonly [from: number, unit: string][] = [
  [1e12, " T"],
  [1e9, " G"],
  [1e6, " M"],
];

/** Three digits that count, and thousands apart: `1,230`, `45.6 M`. */
export function shown(value: number): string {
  if (value === 0) return "0";
  const [from, unit] = UNITS.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  const scaled = Number((value / from).toPrecision(3));
  return `${scaled.toLocaleString("en-US", { maximumFractionDigits: scaled < 1 ? 4 : 2 })}${unit}`;
}

/** Every digit, with thousands apart: `6,144`. */
export const exact = (value: number): string => value.toLocaleString("en-US");

export const dollars = (usd: number): string => (usd < 1 ? "< $1" : `$${exact(Math.round(usd))}`);

/** A whole number with its thousands apart, of two digits that count: a bound is never known better. */
export const about = (value: number): string => exact(Number(value.toPrecision(2)));

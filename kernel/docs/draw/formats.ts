// Values are written for people by these formats: in tables, in numbers that stand alone and at the axes of charts.

import type { FORMATS } from "../viz.ts";
import type { Cell } from "./result-table.ts";

export type Format = (typeof FORMATS)[number];

/** Numbers are written alike for all readers: nobody's language is known. */
const LOCALE = "en-US";
const NUMBERS: Record<"number" | "currency" | "percent", [exact: Intl.NumberFormat, short: Intl.NumberFormat]> = {
  number: [
    new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 }),
    new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 2 }),
  ],
  currency: [
    new Intl.NumberFormat(LOCALE, { style: "currency", currency: "USD" }),
    new Intl.NumberFormat(LOCALE, {
      style: "currency",
      currency: "USD",
      notation: "compact",
      minimumFractionDigits: 0,
      maximumFractionDigits: 2,
    }),
  ],
  percent: [
    new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 }),
    new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 }),
  ],
};
/** A number whose column has no format has all its digits. */
const PLAIN = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20, useGrouping: true });

/** A finite number; undefined for NULL, a text that is no number, NaN and the infinities. */
export function numberOf(cell: Cell): number | undefined {
  const isText = typeof cell === "string";
  if (cell === null || (isText && !/^-?\d+(\.\d+)?$/.test(cell))) return undefined;
  const value = Number(cell);
  return Number.isFinite(value) ? value : undefined;
}

/** A percent is a share: 0.125 is 12.5%. */
export function formatNumber(value: number, format: Format | undefined, isShort = false): string {
  const [exact, short] = NUMBERS[format === "currency" || format === "percent" ? format : "number"];
  return (isShort ? short : exact).format(value);
}

/** A cell as people read it. Text stays as it is; a number without a format keeps its digits. NULL is "". */
export function formatCell(cell: Cell, format: Format | undefined): string {
  if (cell === null) return "";
  if (format === "date" || format === "datetime") return instantText(String(cell), format);
  const value = typeof cell === "string" && format === undefined ? undefined : numberOf(cell);
  if (value === undefined || format === "text") return String(cell);
  if (format === undefined) return typeof cell === "bigint" ? cell.toLocaleString(LOCALE) : PLAIN.format(value);
  return formatNumber(value, format);
}

/** `2026-01-31T10:00:00.5Z` as `2026-01-31` or `2026-01-31 10:00:00`. */
function instantText(text: string, format: "date" | "datetime"): string {
  const [date = "", clock = ""] = text.split("T");
  if (format === "date" || clock === "") return date;
  return `${date} ${clock.replace(/\.\d+/, "").replace(/Z$/, " UTC")}`;
}

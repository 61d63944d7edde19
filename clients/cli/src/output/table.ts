// Rows as a table for people. Pure.

import { coloured, printable } from "./terminal.ts";

const CELL_CHARACTERS_MAX = 80;
const GAP = "  ";

const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0x1f300 && code <= 0x1faff);

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const widthOf = (text: string): number =>
  // Most texts need no look at their characters.
  /^[\u0020-\u007e]*$/.test(text)
    ? text.length
    : [...segmenter.segment(text)].reduce((sum, { segment }) => sum + (isWide(segment.codePointAt(0)!) ? 2 : 1), 0);

export type TableColumn = Readonly<{ title: string; isNumber?: boolean }>;

/** Lines of equal width, a heading first; numbers are at the right. */
export function formatTable(columns: readonly TableColumn[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cellText));
  const widths = columns.map(({ title }, at) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[at]!)), widthOf(title)),
  );
  const pad = (text: string, at: number): string => {
    const space = " ".repeat(widths[at]! - widthOf(text));
    return columns[at]!.isNumber ? space + text : text + space;
  };
  const heading = columns.map(({ title }, at) => coloured(pad(printable(title), at), "bold")).join(GAP);
  const rule = coloured(widths.map((width) => "─".repeat(width)).join(GAP), "dim");
  return `${[heading, rule, ...cells.map((row) => row.map(pad).join(GAP).trimEnd())].join("\n")}\n`;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  const text = printable(typeof value === "object" ? JSON.stringify(value) : String(value));
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX - 1)}…` : text;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A number of bytes in the largest unit that leaves digits before the point. */
export function formatBytes(bytes: number): string {
  const at = Math.min(UNITS.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  return `${(bytes / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${UNITS[at]}`;
}

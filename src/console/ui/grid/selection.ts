// The selected cells of a grid, how keys move them, and what is copied. Pure.

import type { GridSource } from "./grid-source.ts";

export type Place = { row: number; column: number };
/** A rectangle between the cell where it began and the one that the keys move. */
export type Selection = { anchor: Place; cursor: Place };
export type Bounds = { top: number; bottom: number; left: number; right: number };

export const boundsOf = ({ anchor, cursor }: Selection): Bounds => ({
  top: Math.min(anchor.row, cursor.row),
  bottom: Math.max(anchor.row, cursor.row),
  left: Math.min(anchor.column, cursor.column),
  right: Math.max(anchor.column, cursor.column),
});

type Key = { key: string; ctrlKey: boolean; metaKey: boolean };
type Size = { rows: number; columns: number; page: number };

/** Where a key moves the cursor; undefined for a key that moves nothing. */
export function moved({ row, column }: Place, { key, ctrlKey, metaKey }: Key, size: Size): Place | undefined {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const isFar = ctrlKey || metaKey;
  const next: Record<string, Place> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? last.row : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? last.column : column + 1 },
    PageUp: { row: row - size.page, column },
    PageDown: { row: row + size.page, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last.row : row, column: last.column },
  };
  const to = next[key];
  if (!to) return undefined;
  const within = (value: number, max: number) => Math.max(0, Math.min(max, value));
  return { row: within(to.row, last.row), column: within(to.column, last.column) };
}

/** A bound of what one copy holds. */
export const COPIED_CELLS_MAX = 2_000_000;

export const cellsOf = ({ top, bottom, left, right }: Bounds): number => (bottom - top + 1) * (right - left + 1);

/** Tab-separated lines; NULL is nothing at all, the empty string is `""`, as in the API's CSV. */
export function tsvOf(source: GridSource, { top, bottom, left, right }: Bounds, hasHead = false): string {
  const lines: string[] = [];
  if (hasHead)
    lines.push(
      source.columns
        .slice(left, right + 1)
        .map(({ name }) => quoted(name))
        .join("\t"),
    );
  for (let row = top; row <= bottom; row++) {
    const cells: string[] = [];
    for (let column = left; column <= right; column++) {
      const text = source.text(row, column);
      cells.push(text === null ? "" : quoted(text));
    }
    lines.push(cells.join("\t"));
  }
  return lines.join("\n");
}

const quoted = (text: string): string =>
  text === "" || /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

// Columns are as wide as their names and first values ask for, until somebody pulls one. Pure.

import type { GridSource } from "./grid-source.ts";

export const WIDTH_MIN = 48;
const WIDTH_MAX = 360;
const CHARACTER_PX = 8;
const PADDING_PX = 20;
const SAMPLED_ROWS = 50;

export function widthsOf(source: GridSource): number[] {
  const rows = Math.min(SAMPLED_ROWS, source.rowCount);
  return source.columns.map(({ name, type }, column) => {
    let characters = name.length + Math.min(type.length, 12) + 3;
    for (let row = 0; row < rows; row++) characters = Math.max(characters, source.text(row, column)?.length ?? 4);
    return Math.round(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, characters * CHARACTER_PX + PADDING_PX)));
  });
}

/** Where each column begins, and where the last one ends. */
export function edgesOf(widths: readonly number[]): number[] {
  const edges = [0];
  for (const width of widths) edges.push(edges.at(-1)! + width);
  return edges;
}

// Tiles that are moved and resized on the grid, and the doc's text with their new places. Pure.

import { parseDocument } from "yaml";
import type { Tile } from "../../../../../kernel/docs/dashboard.ts";
import { overlaps, type GridPlace } from "../../../../../kernel/docs/grid-place.ts";

/** The box within the grid. */
export const within = ({ x, y, w, h }: GridPlace, columns: number): GridPlace => {
  const width = Math.max(1, Math.min(w, columns));
  return { x: Math.max(0, Math.min(x, columns - width)), y: Math.max(0, y), w: width, h: Math.max(1, h) };
};

/** Whether the tile may stand there: tiles never overlap. */
export const isFree = (tiles: readonly Tile[], id: string, box: GridPlace): boolean =>
  tiles.every((tile) => tile.id === id || !overlaps(tile, box));

export const placed = (tiles: readonly Tile[], id: string, box: GridPlace): Tile[] =>
  tiles.map((tile) => (tile.id === id ? { ...tile, ...box } : tile));

/** The text with each tile where it now stands; comments and all else of it stay. */
export function textWithPlaces(text: string, tiles: readonly Tile[]): string {
  const doc = parseDocument(text);
  const path = doc.hasIn(["layout", "tiles"]) ? ["layout", "tiles"] : ["tiles"];
  const count = (doc.getIn(path) as { items: unknown[] }).items.length;
  for (let at = 0; at < count; at++) {
    const tile = tiles.find(({ id }) => id === doc.getIn([...path, at, "id"]));
    if (!tile) continue;
    for (const side of ["x", "y", "w", "h"] as const)
      if (doc.getIn([...path, at, side]) !== tile[side]) doc.setIn([...path, at, side], tile[side]);
  }
  return doc.toString({ lineWidth: 0 });
}

// Tiles whose charts name fields by their place, as tiles whose charts name them.

import { isByIndex, vizOf } from "./chart-options.ts";
import type { Tile } from "./dashboard.ts";

/** Undefined: the tile's chart has names already, or the columns of its dataset are not known. */
export function withNames(tile: Tile, columnsOf: (dataset: string) => readonly string[] | undefined): Tile | undefined {
  if (tile.type === "markdown" || tile.type === "html" || !tile.viz || !isByIndex(tile.viz)) return undefined;
  const columns = columnsOf(tile.source);
  const viz = columns && vizOf(tile.viz, columns);
  return viz && { ...tile, viz };
}

/** The datasets that charts draw by the places of their columns. */
export const datasetsByIndex = (tiles: readonly Tile[]): string[] => [
  ...new Set(
    tiles.flatMap((tile) =>
      tile.type !== "markdown" && tile.type !== "html" && tile.viz && isByIndex(tile.viz) ? [tile.source] : [],
    ),
  ),
];

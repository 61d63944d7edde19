// A doc whose charts name fields by their place, as a doc whose charts name them.

import { isByIndex, vizOf } from "./chart-options.ts";
import type { Dashboard, Tile } from "./dashboard.ts";

/** Charts of datasets whose columns are not known stay as they are. */
export function withNames<Doc extends Dashboard>(
  doc: Doc,
  columnsOf: (dataset: string) => readonly string[] | undefined,
): Doc {
  const named = (tiles: Tile[] | undefined): Tile[] | undefined => tiles?.map((tile) => withName(tile, columnsOf));
  const { layout, tiles } = doc;
  return {
    ...doc,
    ...(layout?.tiles && { layout: { ...layout, tiles: named(layout.tiles) } }),
    ...(tiles && { tiles: named(tiles) }),
  };
}

function withName(tile: Tile, columnsOf: (dataset: string) => readonly string[] | undefined): Tile {
  if (tile.type === "markdown" || tile.type === "html" || !tile.viz || !isByIndex(tile.viz)) return tile;
  const columns = columnsOf(tile.source);
  const viz = columns && vizOf(tile.viz, columns);
  return viz ? { ...tile, viz } : tile;
}

/** The datasets that charts draw by the places of their columns. */
export const datasetsByIndex = (tiles: readonly Tile[]): string[] => [
  ...new Set(
    tiles.flatMap((tile) =>
      tile.type !== "markdown" && tile.type !== "html" && tile.viz && isByIndex(tile.viz) ? [tile.source] : [],
    ),
  ),
];

// Members that the grammar has for whoever draws a doc elsewhere, and that no message or answer here shows anything of.

import { isByIndex, type ChartOptions } from "./chart-options.ts";
import type { DocFlaw } from "./check-dashboard.ts";
import { tilesOf, type Dashboard, type Tile } from "./dashboard.ts";
import type { Viz } from "./viz.ts";

export function findUnshown(dashboard: Dashboard): DocFlaw[] {
  const { at, tiles } = tilesOf(dashboard);
  return tiles.flatMap((tile, i) => unshownIn(tile, `${at}/${i}`));
}

function unshownIn(tile: Tile, at: string): DocFlaw[] {
  const { description, fullScreen } = tile;
  const members = [
    ...(description === undefined ? [] : ["description"]),
    ...(fullScreen === undefined ? [] : ["fullScreen"]),
    ...("viz" in tile && tile.viz ? (isByIndex(tile.viz) ? inOptions(tile.viz) : inViz(tile.viz)) : []),
  ].map((member) => ({ pointer: `${at}/${member}`, message: "It is kept, and no message shows anything of it." }));
  if (tile.type !== "html") return members;
  const message = "The file's page is not drawn here: a message has a note in its place.";
  return [...members, { pointer: `${at}/driveFile`, message }];
}

function inViz(viz: Viz): string[] {
  if (viz.type === "table")
    return [
      ...(viz.columns ?? []).flatMap(({ width }, i) => (width === undefined ? [] : [`viz/columns/${i}/width`])),
      ...(viz.onClick ? ["viz/onClick"] : []),
    ];
  if (viz.type === "kpi") return viz.colors ? ["viz/colors"] : [];
  return "onClick" in viz && viz.onClick ? ["viz/onClick"] : [];
}

function inOptions({ style = {}, metrics }: ChartOptions): string[] {
  const { showTitle, showToolbox } = style;
  return [
    ...(showTitle === undefined ? [] : ["viz/style/showTitle"]),
    ...(showToolbox === undefined ? [] : ["viz/style/showToolbox"]),
    ...metrics.flatMap(({ dataType }, i) => (dataType === undefined ? [] : [`viz/metrics/${i}/dataType`])),
  ];
}

// A dashboard is checked to fit together: tiles on the grid and beside each other, and every name that one part has of
// another. The form of each part was checked before.

import { DOC_BOUNDS } from "./bounds.ts";
import { isByIndex } from "./chart-options.ts";
import { tilesOf, type Dashboard, type Filter, type Tile } from "./dashboard.ts";
import { filterOnClick } from "./fields.ts";
import { overlaps } from "./grid-place.ts";
import type { Viz } from "./viz.ts";

/** A flaw at a JSON pointer into the doc. */
export type DocFlaw = { pointer: string; message: string };

export function checkDashboard(dashboard: Dashboard, datasets: readonly string[]): DocFlaw[] {
  const { filters = [], layout, tiles: beside } = dashboard;
  const { at, tiles } = tilesOf(dashboard);
  const twice =
    layout?.tiles && beside ? [{ pointer: "/tiles", message: "The tiles stand in layout.tiles already." }] : [];
  const filterIds = filters.map(({ id }) => id);
  return [
    ...twice,
    ...findRepeated(filters, "/filters"),
    ...filters.flatMap((filter, i) => checkTarget(filter, `/filters/${i}/target`, datasets)),
    ...findRepeated(tiles, at),
    ...tiles.flatMap((tile, i) => [
      ...checkPlace(tile, `${at}/${i}`, layout?.columns ?? DOC_BOUNDS.gridColumnsDefault),
      ...checkNames(tile, `${at}/${i}`, datasets, filterIds),
    ]),
    ...findOverlaps(tiles, at),
  ];
}

function findRepeated(all: readonly { id: string }[], at: string): DocFlaw[] {
  const seen = new Set<string>();
  return all.flatMap(({ id }, i) => {
    if (seen.has(id)) return [{ pointer: `${at}/${i}/id`, message: `Another one is called ${id}.` }];
    seen.add(id);
    return [];
  });
}

function checkTarget({ target }: Filter, at: string, datasets: readonly string[]): DocFlaw[] {
  const { dimension, field, datasets: named = [] } = target;
  const one = (dimension === undefined) !== (field === undefined);
  return [
    ...(one ? [] : [{ pointer: at, message: "Name either a dimension of a semantic model or a field of datasets." }]),
    ...named.flatMap((key, i) => unlessKnown(key, `${at}/datasets/${i}`, "dataset", datasets)),
  ];
}

function checkPlace({ x, w }: Tile, at: string, columns: number): DocFlaw[] {
  if (x >= columns) return [{ pointer: `${at}/x`, message: `The grid has ${columns} columns, counted from 0.` }];
  if (x + w <= columns) return [];
  return [{ pointer: `${at}/w`, message: `It ends at column ${x + w}; the grid has ${columns}.` }];
}

/** A flaw names the later of two tiles that overlap. */
function findOverlaps(tiles: readonly Tile[], at: string): DocFlaw[] {
  return tiles.flatMap((tile, i) => {
    const beneath = tiles.slice(0, i).find((other) => overlaps(tile, other));
    return beneath ? [{ pointer: `${at}/${i}`, message: `This tile overlaps the tile ${beneath.id}.` }] : [];
  });
}

function checkNames(tile: Tile, at: string, datasets: readonly string[], filters: readonly string[]): DocFlaw[] {
  if (tile.type === "markdown") return [];
  if (tile.type === "html")
    return (tile.datasets ?? []).flatMap((key, i) => unlessKnown(key, `${at}/datasets/${i}`, "dataset", datasets));
  const { viz, source } = tile;
  const unknown = unlessKnown(source, `${at}/source`, "dataset", datasets);
  if (!viz) return unknown;
  const type = isByIndex(viz) ? viz.chartType : viz.type;
  const fits = DRAWN_IN[tile.type](type);
  const member = isByIndex(viz) ? "chartType" : "type";
  return [
    ...unknown,
    ...(fits ? [] : [{ pointer: `${at}/viz/${member}`, message: `A tile of type ${tile.type} draws no ${type}.` }]),
    ...(isByIndex(viz) ? [] : checkViz(viz, `${at}/viz`, filters)),
  ];
}

type Drawn = Viz["type"];
const DRAWN_IN: Record<"kpi" | "chart" | "table", (type: Drawn) => boolean> = {
  kpi: (type) => type === "kpi",
  table: (type) => type === "table" || type === "pivot",
  chart: (type) => type !== "kpi" && type !== "table",
};

function checkViz(viz: Viz, at: string, filters: readonly string[]): DocFlaw[] {
  const clicked = filterOnClick(viz);
  const unknown = clicked === undefined ? [] : unlessKnown(clicked, `${at}/onClick/filter`, "filter", filters);
  if (viz.type === "table" || viz.type === "pivot") return unknown;
  const { y, series } = viz;
  if (!y && !series) return [...unknown, { pointer: at, message: "Name the fields that it draws: y." }];
  return y && series
    ? [...unknown, { pointer: `${at}/series`, message: "y and series are the same: send one of them." }]
    : unknown;
}

const unlessKnown = (name: string, pointer: string, noun: string, known: readonly string[]): DocFlaw[] =>
  known.includes(name) ? [] : [{ pointer, message: `There is no ${noun} ${name}.` }];

// A statement becomes a dataset of a doc, drawn by a tile where the doc is a dashboard; comments and all else of the
// doc's text stay. Pure.

import { Document, parseDocument, type YAMLSeq } from "yaml";
import { DOC_BOUNDS } from "../../../../../kernel/docs/bounds.ts";
import type { Tile } from "../../../../../kernel/docs/dashboard.ts";
import { overlaps, type GridPlace } from "../../../../../kernel/docs/grid-place.ts";
import type { Viz } from "../../../../../kernel/docs/viz.ts";

export type DocKind = "dashboard" | "pipeline";

/** `viz` absent: the tile is a table. */
export type NewDataset = {
  title: string;
  dataset: { engine: "sql"; sql: string; integrationId?: string; parameters?: object };
  viz?: Viz | undefined;
};

const TILE_ROWS = 10;

export const emptyDocText = (kind: DocKind, name: string): string =>
  String(new Document({ version: 1, schemaVersion: "2025-01", kind, metadata: { name } }));

/** Throws an Error where the text is no mapping. */
export function textWithDataset(text: string, { title, dataset, viz }: NewDataset): string {
  const doc = parseDocument(text);
  const { kind, datasets = {}, layout, tiles } = doc.toJS() as DocShape;
  const key = freeName(title, Object.keys(datasets));
  doc.setIn(["datasets", key], doc.createNode(dataset));
  if (kind !== "dashboard") return doc.toString({ lineWidth: 0 });
  const there = layout?.tiles ?? tiles ?? [];
  const tile = {
    id: freeName(
      title,
      there.map(({ id }) => id),
    ),
    type: viz ? "chart" : "table",
    title,
    source: key,
    ...freePlace(there, layout?.columns ?? DOC_BOUNDS.gridColumnsDefault),
    ...(viz && { viz }),
  };
  const path = tiles ? ["tiles"] : ["layout", "tiles"];
  const list = doc.getIn(path) as YAMLSeq | undefined;
  if (list) list.add(doc.createNode(tile));
  else doc.setIn(path, doc.createNode([tile]));
  return doc.toString({ lineWidth: 0 });
}

type DocShape = {
  kind?: DocKind;
  datasets?: Record<string, unknown>;
  layout?: { columns?: number; tiles?: Tile[] };
  tiles?: Tile[];
};

/** The title in the characters of a name, with a number where it is taken. */
function freeName(title: string, taken: readonly string[]): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  const name = words.replaceAll(/^_+|_+$/g, "").slice(0, 60) || "dataset";
  const names = [name, ...taken.map((_, at) => `${name}_${at + 2}`)];
  return names.find((each) => !taken.includes(each))!;
}

/** Half the grid's width at the first height that has room for it, left before right. */
function freePlace(tiles: readonly GridPlace[], columns: number): GridPlace {
  const w = Math.max(1, Math.ceil(columns / 2));
  const heights = [0, ...tiles.map(({ y, h }) => y + h)].sort((a, b) => a - b);
  const places = heights.flatMap((y) => [0, columns - w].map((x) => ({ x, y, w, h: TILE_ROWS })));
  // Below the lowest tile there is room.
  return places.find((place) => !tiles.some((tile) => overlaps(place, tile)))!;
}

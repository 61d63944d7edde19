// A doc draws its filters, and tiles on a grid. The one grammar of it, for whoever checks a doc and whoever draws it.

import { z } from "zod";
import { FilterOperator } from "../access/access.ts";
import { DOC_BOUNDS } from "./bounds.ts";
import { ChartOptions } from "./chart-options.ts";
import { FieldName, Text, Viz } from "./viz.ts";

export const Id = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/, "An id has letters, digits, _, - and ., at most 100.");
const DatasetName = z.string().min(1).max(100);

const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);
const Day = z.string().max(100).nullable().optional();
const Values = z.array(Scalar).max(DOC_BOUNDS.filterValuesMax);

/** The target of a filter: a dimension of a semantic model, or a column of the datasets that are named, or of all. */
export const Target = z.strictObject({
  dimension: FieldName.optional(),
  field: FieldName.optional(),
  datasets: z.array(DatasetName).min(1).max(200).optional(),
});

export const FILTER_TYPES = ["select", "multiSelect", "text", "number", "date", "dateRange"] as const;
export const FILTER_DISPLAYS = ["prominent", "normal", "hidden"] as const;

export const Filter = z.strictObject({
  id: Id,
  label: Text.optional(),
  description: Text.optional(),
  type: z.enum(FILTER_TYPES).optional(),
  target: Target,
  operator: FilterOperator.optional(),
  display: z.enum(FILTER_DISPLAYS).optional(),
  values: Values.optional(),
  default: z.union([Scalar, Values, z.strictObject({ from: Day, to: Day })]).optional(),
});
export type Filter = z.infer<typeof Filter>;

const place = {
  id: Id,
  x: z
    .number()
    .int()
    .min(0)
    .max(DOC_BOUNDS.gridColumnsMax - 1),
  y: z
    .number()
    .int()
    .min(0)
    .max(DOC_BOUNDS.gridRowsMax - 1),
  w: z.number().int().min(1).max(DOC_BOUNDS.gridColumnsMax),
  h: z.number().int().min(1).max(DOC_BOUNDS.gridRowsMax),
  title: Text.optional(),
  description: z.string().max(DOC_BOUNDS.textCharactersMax).optional(),
  fullScreen: z.boolean().optional(),
};
const drawn = { ...place, source: DatasetName };
const viz = z.union([Viz, ChartOptions]);

const MarkdownText = z.string().max(DOC_BOUNDS.textCharactersMax);
const TILES = [
  z.strictObject({ type: z.literal("kpi"), ...drawn, viz }),
  z.strictObject({ type: z.literal("chart"), ...drawn, viz }),
  z.strictObject({ type: z.literal("table"), ...drawn, viz: viz.optional() }),
  z.strictObject({ type: z.literal("markdown"), ...place, content: MarkdownText }),
  z.strictObject({
    type: z.literal("html"),
    ...place,
    driveFile: z.string().min(1).max(1_024),
    datasets: z.array(DatasetName).max(200).optional(),
  }),
] as const;
export const TILE_TYPES = TILES.map(({ shape }) => shape.type.value);

export const Tile = z.discriminatedUnion("type", [...TILES], {
  error: `Send one of ${TILE_TYPES.join(", ")} as type.`,
});
export type Tile = z.infer<typeof Tile>;

const Tiles = z.array(Tile).max(DOC_BOUNDS.tilesMax);
export const Layout = z.strictObject({
  columns: z.number().int().min(1).max(DOC_BOUNDS.gridColumnsMax).optional(),
  tiles: Tiles.optional(),
});

/** Tiles beside `layout` are those of the layout; a doc has them in one place. */
export const dashboardMembers = {
  filters: z.array(Filter).max(DOC_BOUNDS.filtersMax).optional(),
  layout: Layout.optional(),
  tiles: Tiles.optional(),
};
const Dashboard = z.object(dashboardMembers);
export type Dashboard = z.infer<typeof Dashboard>;

/** The tiles, with the pointer at which they stand. */
export const tilesOf = ({ layout, tiles }: Dashboard): { at: string; tiles: Tile[] } =>
  layout?.tiles ? { at: "/layout/tiles", tiles: layout.tiles } : { at: "/tiles", tiles: tiles ?? [] };

// A viz says how a tile draws a dataset, by fields' names. `x` groups, `color` splits, `y` measures; a field that a
// chart has no use for is no member of it.

import { z } from "zod";
import { DOC_BOUNDS } from "./bounds.ts";

export const Text = z.string().max(DOC_BOUNDS.nameCharactersMax);
export const FieldName = z.string().min(1).max(1_000);
export const Color = z
  .string()
  .regex(/^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/, "Send a colour such as #10b981.");

export const FORMATS = ["number", "currency", "percent", "date", "datetime", "text"] as const;
const Format = z.enum(FORMATS);
export const AGGREGATIONS = ["none", "sum", "avg", "count", "distinct", "min", "max"] as const;
const Limit = z.number().int().min(1).max(1_000);

const Axis = z.strictObject({
  field: FieldName,
  type: z.enum(["category", "time", "number"]).optional(),
  label: Text.optional(),
  format: Format.optional(),
  limit: Limit.optional(),
});
export type Axis = z.infer<typeof Axis>;

/** The form of a series that is drawn beside others of another form. */
const FORMS = ["line", "area", "bar", "scatter"] as const;

const Series = z.strictObject({
  field: FieldName,
  label: Text.optional(),
  format: Format.optional(),
  axis: z.enum(["left", "right"]).optional(),
  type: z.enum(FORMS).optional(),
  color: Color.optional(),
  aggregation: z.enum(AGGREGATIONS).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});
export type Series = z.infer<typeof Series>;
const SeriesList = z.array(Series).min(1).max(DOC_BOUNDS.seriesMax);

/** By the name of a series or of a value of `color`; `color` is the first. */
const Colors = z
  .record(FieldName, Color)
  .refine((colors) => Object.keys(colors).length <= DOC_BOUNDS.colorsMax, `At most ${DOC_BOUNDS.colorsMax} colours.`);

const Compare = z.union([
  z.enum(["previousPeriod", "previousYear"]),
  z.strictObject({ field: FieldName, label: Text.optional() }),
]);

const Reference = z.strictObject({ y: z.number(), label: Text.optional(), color: Color.optional() });
const References = z.array(Reference).min(1).max(DOC_BOUNDS.referencesMax);
const OnClick = z.strictObject({ filter: z.string().min(1) });

/** `series` is another spelling of `y`; a viz has one of them. */
const measured = { y: SeriesList.optional(), series: SeriesList.optional(), colors: Colors.optional() };
const grouped = { ...measured, x: Axis.optional(), color: Axis.optional(), onClick: OnClick.optional() };
const plotted = {
  ...grouped,
  legend: z.boolean().optional(),
  reference: References.optional(),
  compare: Compare.optional(),
};
const stack = z.enum(["none", "normal", "percent"]).optional();

const Kpi = z.strictObject({ type: z.literal("kpi"), ...measured, compare: Compare.optional() });
const Line = z.strictObject({ type: z.literal("line"), ...plotted, stack });
const Area = z.strictObject({ type: z.literal("area"), ...plotted, stack });
const Bar = z.strictObject({
  type: z.literal("bar"),
  ...plotted,
  stack,
  orientation: z.enum(["vertical", "horizontal"]).optional(),
});
const Scatter = z.strictObject({ type: z.literal("scatter"), ...plotted, size: Axis.optional() });
const Pie = z.strictObject({ type: z.literal("pie"), ...grouped, legend: z.boolean().optional() });
/** How a value becomes a colour: in steps, or without. */
const scale = z.enum(["continuous", "piecewise"]).optional();
const Heatmap = z.strictObject({ type: z.literal("heatmap"), ...grouped, scale });
const Calendar = z.strictObject({ type: z.literal("calendar"), ...grouped, scale });

const Column = z.strictObject({
  field: FieldName,
  label: Text.optional(),
  format: Format.optional(),
  width: z.number().int().min(1).max(10_000).optional(),
});
const Columns = z.array(Column).min(1).max(DOC_BOUNDS.tableColumnsMax);
const Sort = z.array(z.strictObject({ field: FieldName, desc: z.boolean().optional() })).max(10);
/** Without `columns` it shows every one. */
const Table = z.strictObject({
  type: z.literal("table"),
  columns: Columns.optional(),
  sort: Sort.optional(),
  onClick: OnClick.optional(),
});
const Axes = z.array(Axis).min(1).max(10);
const Pivot = z.strictObject({ type: z.literal("pivot"), rows: Axes, columns: Axes.optional(), values: SeriesList });

const CHARTS = [Kpi, Line, Area, Bar, Scatter, Pie, Heatmap, Calendar, Table, Pivot] as const;
export const VIZ_TYPES = CHARTS.map(({ shape }) => shape.type.value);

export const Viz = z.discriminatedUnion("type", [...CHARTS], { error: `Send one of ${VIZ_TYPES.join(", ")} as type.` });
export type Viz = z.infer<typeof Viz>;

// The noun: what is known of one column, each figure with where it comes from and whether it is exact. Pure.

import { z } from "@hono/zod-openapi";
import type { ColumnProfile as LiveProfile } from "../../../kernel/wire/engine.ts";
import { orNull } from "../../http/answer.ts";
import type { BrowsedColumn } from "../../lake/browse/columns.ts";

const Source = z.enum(["catalog", "query"]);
const figure = <Value extends z.ZodType>(name: string, value: Value) =>
  orNull(z.object({ value, source: Source, exact: z.boolean() }).openapi(`${name}Figure`));
const countFigure = figure("Count", z.number().int());
const textFigure = figure("Text", z.string());
const TopValue = z
  .object({ value: z.string(), count: z.number().int(), share: z.number().openapi({ description: "Of all rows." }) })
  .openapi("TopValue");
const Quantile = z.object({ at: z.number(), value: z.string() }).openapi("Quantile");
const Bin = z.object({ from: z.string(), to: z.string(), count: z.number().int() }).openapi("Bucket");

export const ColumnProfile = z
  .object({
    schema_name: z.string(),
    table_name: z.string(),
    column_name: z.string(),
    type: z.string(),
    lake_type: z.string(),
    nullable: z.boolean(),
    snapshot_id: z
      .number()
      .int()
      .openapi({ description: "What the live read saw; the catalog's figures are of the moment of the request." }),
    source: z
      .enum(["catalog", "query", "catalog+query"])
      .openapi({ description: "Where the figures come from, taken together." }),
    complete: z
      .boolean()
      .openapi({
        description: "Whether every figure that applies to the type is there; `notes` say what is not and why.",
      }),
    row_count: countFigure,
    null_count: countFigure,
    null_share: figure("Share", z.number()),
    min: textFigure.openapi({ description: "As text." }),
    max: textFigure,
    not_finite_count: countFigure.openapi({
      description: "NaN and infinities. They are in no quantile and no bucket.",
    }),
    distinct_count: countFigure,
    top_values: figure("TopValues", z.array(TopValue)),
    quantiles: figure("Quantiles", z.array(Quantile)),
    histogram: figure("Histogram", z.array(Bin)).openapi({
      description:
        "Buckets of equal width: each holds what is above `from`, the first its `from` too, up to and with `to`.",
    }),
    notes: z.array(z.string()),
  })
  .openapi("ColumnProfile");
export type ColumnProfile = z.infer<typeof ColumnProfile>;

type Figures = Omit<
  ColumnProfile,
  | "schema_name"
  | "table_name"
  | "column_name"
  | "type"
  | "lake_type"
  | "nullable"
  | "snapshot_id"
  | "source"
  | "complete"
  | "notes"
>;

const fromCatalog = <Value>(value: Value | null, exact: boolean) =>
  value === null ? null : { value, source: "catalog" as const, exact };
const fromQuery = <Value>(value: Value | null, exact = true) =>
  value === null ? null : { value, source: "query" as const, exact };

/**
 * The catalog's own figures; the count of rows is always exact, for deletes are counted. It says nothing of what is
 * hidden to the caller in part.
 */
export function figuresOfCatalog(rows: number | null, { statistics }: BrowsedColumn): Figures {
  const exact = statistics?.exact ?? false;
  // Where a deleted row may have been one of the NULLs their number is not known, only that there is none.
  const nulls = statistics === null ? null : statistics.exact || statistics.nulls === 0 ? statistics.nulls : null;
  return {
    row_count: fromCatalog(rows, true),
    null_count: fromCatalog(nulls, true),
    null_share: fromCatalog(nulls === null || rows === null ? null : shareOf(nulls, rows), true),
    min: fromCatalog(statistics?.min ?? null, exact),
    max: fromCatalog(statistics?.max ?? null, exact),
    not_finite_count: null,
    distinct_count: null,
    top_values: null,
    quantiles: null,
    histogram: null,
  };
}

/** Exact figures of the catalog stay; what it lacks or only bounds comes from the live read. */
export function completeFigures(known: Figures, live: LiveProfile): Figures {
  const settled = <Value>(
    catalog: { value: Value; source: "catalog" | "query"; exact: boolean } | null,
    query: ReturnType<typeof fromQuery<Value>>,
  ) => (catalog?.exact ? catalog : (query ?? catalog));
  const { rows, values, min, max, notFinite, distinct, top, quantiles, histogram } = live;
  const isWhole = (text: string | null) => text === null || !text.endsWith("…");
  return {
    row_count: settled(known.row_count, fromQuery(rows)),
    null_count: settled(known.null_count, fromQuery(rows - values)),
    null_share: settled(known.null_share, fromQuery(shareOf(rows - values, rows))),
    min: settled(known.min, fromQuery(min, isWhole(min))),
    max: settled(known.max, fromQuery(max, isWhole(max))),
    not_finite_count: fromQuery(notFinite),
    distinct_count: distinct && fromQuery(distinct.count, distinct.exact),
    top_values:
      top &&
      fromQuery(
        top.values.map(({ value, count }) => ({ value, count, share: shareOf(count, rows) })),
        top.exact,
      ),
    quantiles: fromQuery(quantiles, false),
    histogram: histogram && fromQuery(histogram.buckets, histogram.exact),
  };
}

export function sourceOf(figures: Figures): ColumnProfile["source"] {
  const sources = new Set(Object.values(figures).flatMap((figure) => (figure ? [figure.source] : [])));
  return sources.size === 2 ? "catalog+query" : sources.has("query") ? "query" : "catalog";
}

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

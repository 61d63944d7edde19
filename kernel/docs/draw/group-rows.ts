// The rows of a result as a chart's series: `x` groups them, `color` splits them, each measure is aggregated.

import type { Axis, Series } from "../viz.ts";
import { DRAW_BOUNDS } from "./bounds.ts";
import type { Cell } from "./result-table.ts";
import type { ColumnKind, ResultTable } from "./result-table.ts";
import { type Aggregate, startAggregate } from "./aggregate.ts";
import { formatCell, numberOf } from "./formats.ts";

export type AxisType = "category" | "time" | "number";

export type ChartSeries = { name: string; measure: Series; values: (number | null)[] };

export type GroupedRows = {
  axisType: AxisType;
  /** Each group's key: its label, and its place on an axis of time or numbers. */
  groups: { label: string; position: number | undefined }[];
  series: ChartSeries[];
  /** What was left out, in sentences for people. */
  notes: string[];
};

export type Grouping = { x: Axis | undefined; color: Axis | undefined; measures: readonly Series[] };

/** The group of what a limit leaves out, and the name of a group of NULL. */
export const OTHER = "Other";
const NOTHING = "(none)";
const COLORS_DEFAULT = 12;

/**
 * A name that a chart shows, in one line. The drawing library keeps names in objects, so none may be a name that all
 * objects have.
 */
export function shortened(text: string): string {
  const max = DRAW_BOUNDS.labelCharactersMax;
  const line = (text.length <= max ? text : `${text.slice(0, max - 1)}…`).replace(/\s/g, " ");
  return line in {} ? `\u00a0${line}` : line;
}

/** The colour that an author gave to a name. */
export const colorOf = (colors: Record<string, string> | undefined, name: string): string | undefined =>
  colors && Object.hasOwn(colors, name) ? colors[name] : undefined;

export const columnAt = (table: ResultTable, field: string): number =>
  table.columns.findIndex(({ name }) => name === field);

export const cellAt = (table: ResultTable, row: number, column: number): Cell =>
  column < 0 ? null : table.cell(row, column);

/** What is said of a part that has read so many rows; nothing where these are all. */
export const noteOfRows = (read: number, { rowCount }: ResultTable): string[] =>
  read < rowCount ? [`The first ${read.toLocaleString("en-US")} of ${rowCount.toLocaleString("en-US")} rows.`] : [];

export function groupRows(table: ResultTable, { x, color, measures }: Grouping): GroupedRows {
  const rowCount = Math.min(table.rowCount, DRAW_BOUNDS.chartRowsMax);
  const notes = noteOfRows(rowCount, table);
  const [xAt, colorAt] = [x ? columnAt(table, x.field) : -1, color ? columnAt(table, color.field) : -1];
  const axisType = axisTypeOf(table, x, xAt, rowCount);
  const weighs = columnAt(table, measures[0]?.field ?? "");
  const keysOf = (at: number) => keysByWeight(table, { at, weighs, rowCount });

  const colorsMax = Math.min(color?.limit ?? COLORS_DEFAULT, DRAW_BOUNDS.chartSeriesMax);
  const colors = color ? keep(keysOf(colorAt), colorsMax) : undefined;
  const pointsMax = DRAW_BOUNDS.chartPointsMax / ((colors ? colors.kept.length + 1 : 1) * Math.max(1, measures.length));
  const groupsMax = Math.floor(Math.min(x?.limit ?? DRAW_BOUNDS.chartGroupsMax, pointsMax));
  const found = x ? keysOf(xAt) : [{ key: "", weight: 0 }];
  const groups = axisType === "category" ? keep(found, groupsMax) : keepLatest(found, groupsMax, axisType);
  if (groups.left > 0)
    notes.push(
      axisType === "category"
        ? `${groups.left.toLocaleString("en-US")} smaller groups are shown as ${OTHER}.`
        : `The last ${groups.kept.length.toLocaleString("en-US")} of ${found.length.toLocaleString("en-US")} groups.`,
    );
  if (colors && colors.left > 0)
    notes.push(`${colors.left.toLocaleString("en-US")} smaller series are shown as ${OTHER}.`);

  const placeOfGroup = placesOf(groups, axisType === "category");
  const placeOfColor = colors && placesOf(colors, true);
  const names = colors ? [...colors.kept, ...(colors.left > 0 ? [OTHER] : [])] : [undefined];
  const labels = [...groups.kept, ...(axisType === "category" && groups.left > 0 ? [OTHER] : [])];
  const totals = names.map(() => measures.map(() => new Map<number, Aggregate>()));
  const measuresAt = measures.map(({ field }) => columnAt(table, field));
  for (let row = 0; row < rowCount; row++) {
    const group = placeOfGroup(keyOf(cellAt(table, row, xAt)));
    if (group === undefined) continue;
    const split = placeOfColor ? placeOfColor(keyOf(cellAt(table, row, colorAt)))! : 0;
    measures.forEach((measure, i) => {
      const byGroup = totals[split]![i]!;
      let aggregate = byGroup.get(group);
      if (!aggregate) byGroup.set(group, (aggregate = startAggregate[measure.aggregation ?? "sum"]()));
      aggregate.add(cellAt(table, row, measuresAt[i]!));
    });
  }
  return {
    axisType,
    groups: labels.map((key) => ({
      label: x ? shortened(axisType === "number" ? key : labelOf(key, x, table.columns[xAt]?.kind)) : "",
      position: axisType === "category" ? undefined : positionOf(key, axisType),
    })),
    series: names.flatMap((name, split) =>
      measures.map((measure, i) => ({
        name: seriesName(name, measure, measures.length),
        measure,
        values: labels.map((_, group) => totals[split]![i]!.get(group)?.value ?? null),
      })),
    ),
    notes,
  };
}

const seriesName = (split: string | undefined, { label, field }: Series, measures: number): string =>
  shortened(split === undefined ? (label ?? field) : measures === 1 ? split : `${split} · ${label ?? field}`);

export const keyOf = (cell: Cell): string => (cell === null ? NOTHING : String(cell));

const TIMES: ReadonlySet<ColumnKind | undefined> = new Set<ColumnKind | undefined>([
  "date",
  "timestamp",
  "timestamptz",
]);

function labelOf(key: string, axis: Axis, kind: ColumnKind | undefined): string {
  if (key === NOTHING || key === OTHER) return key;
  if (axis.format) return formatCell(key, axis.format);
  if (!TIMES.has(kind)) return key;
  return formatCell(key, /T00:00:00Z?$/.test(key) ? "date" : "datetime");
}

/** Milliseconds since 1970, or the number itself; undefined for what has no place there. */
function positionOf(key: string, type: AxisType): number | undefined {
  if (type === "number") return numberOf(key);
  const millis = Date.parse(/T.*[^Z]$/.test(key) ? `${key}Z` : key);
  return Number.isNaN(millis) ? undefined : millis;
}

/** An axis of time or numbers only where each of its values has a place on it. */
function axisTypeOf(table: ResultTable, x: Axis | undefined, at: number, rowCount: number): AxisType {
  const type = x?.type ?? (TIMES.has(table.columns[at]?.kind) ? "time" : "category");
  if (!x || type === "category") return "category";
  for (let row = 0; row < rowCount; row++) {
    const cell = cellAt(table, row, at);
    if (cell !== null && positionOf(String(cell), type) === undefined) return "category";
  }
  return type;
}

type Key = { key: string; weight: number };

/** The values of a column, in the order of their first rows; the first measure weighs them. */
function keysByWeight(
  table: ResultTable,
  { at, weighs, rowCount }: { at: number; weighs: number; rowCount: number },
): Key[] {
  const keys = new Map<string, Key>();
  for (let row = 0; row < rowCount; row++) {
    const key = keyOf(cellAt(table, row, at));
    const weight = Math.abs(numberOf(cellAt(table, row, weighs)) ?? 0);
    const known = keys.get(key);
    if (known) known.weight += weight;
    else keys.set(key, { key, weight });
  }
  return [...keys.values()];
}

type Kept = { kept: string[]; left: number };

/** The heaviest, in the order they had. */
function keep(keys: readonly Key[], max: number): Kept {
  if (keys.length <= max) return { kept: keys.map(({ key }) => key), left: 0 };
  const heaviest = new Set([...keys].sort((a, b) => b.weight - a.weight).slice(0, max));
  return { kept: keys.filter((key) => heaviest.has(key)).map(({ key }) => key), left: keys.length - max };
}

/** The last of them, in their own order. A group without a place is left out. */
function keepLatest(keys: readonly Key[], max: number, type: AxisType): Kept {
  const placed = keys.flatMap(({ key }) => {
    const position = positionOf(key, type);
    return position === undefined ? [] : [{ key, position }];
  });
  const kept = placed.sort((a, b) => a.position - b.position).slice(-max);
  return { kept: kept.map(({ key }) => key), left: placed.length - kept.length };
}

/** The place of a key; where there is a group of others, that of all that are not kept. */
function placesOf({ kept, left }: Kept, hasOther: boolean): (key: string) => number | undefined {
  const places = new Map(kept.map((key, place) => [key, place]));
  return (key) => places.get(key) ?? (hasOther && left > 0 ? kept.length : undefined);
}

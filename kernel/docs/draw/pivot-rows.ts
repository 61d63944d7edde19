// A pivot as rows of text: its row fields, then each measure once for every value of its column fields.

import type { Axis, Viz } from "../viz.ts";
import { DRAW_BOUNDS } from "./bounds.ts";
import { type Aggregate, startAggregate } from "./aggregate.ts";
import { formatCell, formatNumber } from "./formats.ts";
import { cellAt, columnAt, noteOfRows } from "./group-rows.ts";
import type { Cell } from "./result-table.ts";
import type { ResultTable } from "./result-table.ts";

type Pivot = Extract<Viz, { type: "pivot" }>;
/** `rowCount` and `columnCount` are of what was found, of which `rows` and `columns` may be a part. */
type PivotRows = {
  columns: { label: string; isNumber: boolean }[];
  rows: (string | null)[][];
  rowCount: number;
  columnCount: number;
  notes: string[];
};
type Group = { cells: Cell[]; totals: Map<string, Aggregate[]> };

/** `groupsMax` are of its rows, `splitsMax` of the values of its column fields. */
type PivotBounds = { groupsMax: number; splitsMax: number };
const DRAWN: PivotBounds = { groupsMax: DRAW_BOUNDS.chartGroupsMax, splitsMax: DRAW_BOUNDS.shownColumnsMax };

/** Groups stand in the order of their first rows. */
export function pivotRows(
  { rows, columns = [], values }: Pivot,
  table: ResultTable,
  { groupsMax, splitsMax } = DRAWN,
): PivotRows {
  const placed = (axes: readonly Axis[]) => axes.map((axis) => ({ axis, at: columnAt(table, axis.field) }));
  const [byRow, byColumn] = [placed(rows), placed(columns)];
  const measured = values.map((measure) => ({ measure, at: columnAt(table, measure.field) }));
  const groups = new Map<string, Group>();
  const splits = new Map<string, string>();
  const left = { groups: new Set<string>(), splits: new Set<string>() };
  const rowCount = Math.min(table.rowCount, DRAW_BOUNDS.chartRowsMax);
  for (let row = 0; row < rowCount; row++) {
    const cells = byRow.map(({ at }) => cellAt(table, row, at));
    const key = JSON.stringify(cells.map(String));
    let group = groups.get(key);
    if (!group && groups.size >= groupsMax) left.groups.add(key);
    else if (!group) groups.set(key, (group = { cells, totals: new Map() }));
    const split = byColumn.map(({ axis, at }) => formatCell(cellAt(table, row, at), axis.format) || "(none)");
    const splitKey = JSON.stringify(split);
    if (!splits.has(splitKey) && splits.size >= splitsMax) left.splits.add(splitKey);
    else splits.set(splitKey, split.join(" · "));
    if (!group || !splits.has(splitKey)) continue;
    let totals = group.totals.get(splitKey);
    if (!totals)
      group.totals.set(splitKey, (totals = values.map(({ aggregation = "sum" }) => startAggregate[aggregation]())));
    measured.forEach(({ at }, i) => totals[i]!.add(cellAt(table, row, at)));
  }
  const labelOf = (name: string, label: string) =>
    name === "" ? label : values.length === 1 ? name : `${name} · ${label}`;
  const heads = [...splits].flatMap(([key, name]) => values.map((value, i) => ({ key, i, name, value })));
  return {
    columns: [
      ...rows.map(({ label, field }) => ({ label: label ?? field, isNumber: false })),
      ...heads.map(({ name, value }) => ({ label: labelOf(name, value.label ?? value.field), isNumber: true })),
    ],
    rows: [...groups.values()].map(({ cells, totals }) => [
      ...cells.map((cell, i) => (cell === null ? null : formatCell(cell, rows[i]!.format))),
      ...heads.map(({ key, i, value }) => {
        const total = totals.get(key)?.[i]?.value ?? null;
        return total === null ? null : formatNumber(total, value.format);
      }),
    ]),
    rowCount: groups.size + left.groups.size,
    columnCount: rows.length + (splits.size + left.splits.size) * values.length,
    notes: noteOfRows(rowCount, table),
  };
}

// A pivot as rows of text: its row fields, then each measure once for every value of its column fields.

import type { Axis, Viz } from "../viz.ts";
import { DRAW_BOUNDS } from "./bounds.ts";
import { type Aggregate, startAggregate } from "./aggregate.ts";
import { formatCell, formatNumber } from "./formats.ts";
import { cellAt, columnAt, noteOfRows } from "./group-rows.ts";
import type { ResultTable } from "./result-table.ts";
import { spreadRows, type SpreadBounds } from "./spread-rows.ts";

type Pivot = Extract<Viz, { type: "pivot" }>;
/** `rowCount` and `columnCount` are of what was found, of which `rows` and `columns` may be a part. */
type PivotRows = {
  columns: { label: string; isNumber: boolean }[];
  rows: (string | null)[][];
  rowCount: number;
  columnCount: number;
  notes: string[];
};

/** `groupsMax` are of its rows, `splitsMax` of the values of its column fields. */
const DRAWN: SpreadBounds = { groupsMax: DRAW_BOUNDS.chartGroupsMax, splitsMax: DRAW_BOUNDS.shownColumnsMax };

/** Groups stand in the order of their first rows. */
export function pivotRows(
  { rows, columns = [], values }: Pivot,
  table: ResultTable,
  bounds: SpreadBounds = DRAWN,
): PivotRows {
  const placed = (axes: readonly Axis[]) => axes.map((axis) => ({ axis, at: columnAt(table, axis.field) }));
  const [byRow, byColumn] = [placed(rows), placed(columns)];
  const measured = values.map((measure) => ({ measure, at: columnAt(table, measure.field) }));
  const rowCount = Math.min(table.rowCount, DRAW_BOUNDS.chartRowsMax);
  const { groups, splits, groupCount, splitCount } = spreadRows<Aggregate[]>(
    {
      rowCount,
      rowAt: (row) => ({
        cells: byRow.map(({ at }) => cellAt(table, row, at)),
        split: byColumn.map(({ axis, at }) => formatCell(cellAt(table, row, at), axis.format) || "(none)"),
      }),
      add(totals = values.map(({ aggregation = "sum" }) => startAggregate[aggregation]()), row) {
        measured.forEach(({ at }, i) => totals[i]!.add(cellAt(table, row, at)));
        return totals;
      },
    },
    bounds,
  );
  const labelOf = (name: string, label: string) =>
    name === "" ? label : values.length === 1 ? name : `${name} · ${label}`;
  const heads = [...splits].flatMap(([key, split]) =>
    values.map((value, i) => ({ key, i, name: split.join(" · "), value })),
  );
  return {
    columns: [
      ...rows.map(({ label, field }) => ({ label: label ?? field, isNumber: false })),
      ...heads.map(({ name, value }) => ({ label: labelOf(name, value.label ?? value.field), isNumber: true })),
    ],
    rows: groups.map(({ cells, totals }) => [
      ...cells.map((cell, i) => (cell === null ? null : formatCell(cell, rows[i]!.format))),
      ...heads.map(({ key, i, value }) => {
        const total = totals.get(key)?.[i]?.value ?? null;
        return total === null ? null : formatNumber(total, value.format);
      }),
    ]),
    rowCount: groupCount,
    columnCount: rows.length + splitCount * values.length,
    notes: noteOfRows(rowCount, table),
  };
}

// A tile that is a table: the columns and the order that its viz names, or a pivot of the rows.

import { pivotRows } from "../../../../kernel/docs/draw/pivot-rows.ts";
import { columnAt } from "../../../../kernel/docs/draw/group-rows.ts";
import { numberOf, type Format } from "../../../../kernel/docs/draw/formats.ts";
import type { Cell, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import type { Viz } from "../../../../kernel/docs/viz.ts";
import { TableView } from "../runs/table-view.tsx";

type TableTileProps = {
  label: string;
  viz: Viz | undefined;
  table: ResultTable;
  filters: readonly Filter[];
  onToggle: (filterId: string, value: string) => void;
};

export function TableTile({ label, viz, table, filters, onToggle }: TableTileProps) {
  if (viz?.type === "pivot") return <TableView label={label} table={pivoted(viz, table)} />;
  const own = viz?.type === "table" ? viz : undefined;
  const columns = own?.columns?.flatMap(({ field, label: name, format }) => {
    const at = columnAt(table, field);
    return at < 0 ? [] : [{ at, label: name ?? field, format: format as Format | undefined }];
  });
  const filter = filters.find(({ id }) => id === own?.onClick?.filter);
  const clicked = filter ? columnAt(table, filter.target.field ?? filter.target.dimension ?? "") : -1;
  return (
    <TableView
      label={label}
      table={table}
      {...(columns && { columns })}
      {...(own?.sort && { order: sorted(table, own.sort) })}
      onCell={filter && clicked >= 0 ? (row) => onToggle(filter.id, String(table.cell(row, clicked))) : undefined}
    />
  );
}

function pivoted(viz: Extract<Viz, { type: "pivot" }>, table: ResultTable): ResultTable {
  const { columns, rows } = pivotRows(viz, table);
  return {
    columns: columns.map(({ label: name, isNumber }) => ({ name, kind: isNumber ? "decimal" : "text" })),
    rowCount: rows.length,
    cell: (row, column) => rows[row]![column] ?? null,
  };
}

function sorted(table: ResultTable, sort: readonly { field: string; desc?: boolean | undefined }[]): number[] {
  const keys = sort
    .map(({ field, desc }) => ({ at: columnAt(table, field), sign: desc ? -1 : 1 }))
    .filter(({ at }) => at >= 0);
  return Array.from({ length: table.rowCount }, (_, row) => row).sort((a, b) => {
    for (const { at, sign } of keys) {
      const order = compare(table.cell(a, at), table.cell(b, at));
      if (order !== 0) return order * sign;
    }
    return a - b;
  });
}

/** NULL is last, as in the lake. */
function compare(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [x, y] =
    typeof a === "bigint" && typeof b === "bigint" ? [a, b] : [numberOf(a) ?? String(a), numberOf(b) ?? String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

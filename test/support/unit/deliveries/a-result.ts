// A result without its stream: columns and rows as a test has them.

import type { Cell } from "../../../../kernel/docs/draw/result-table.ts";
import type { ColumnKind, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

export const aResult = (columns: Record<string, ColumnKind>, rows: readonly (readonly Cell[])[]): ResultTable => ({
  columns: Object.entries(columns).map(([name, kind]) => ({ name, kind })),
  rowCount: rows.length,
  cell: (row, column) => rows[row]![column]!,
});

// A result without its stream: columns and rows as a test has them.

import type { Cell } from "../../../../src/features/deliveries/render/result/cells.ts";
import type { ColumnKind, ResultTable } from "../../../../src/features/deliveries/render/result/read-result.ts";

export const aResult = (columns: Record<string, ColumnKind>, rows: readonly (readonly Cell[])[]): ResultTable => ({
  columns: Object.entries(columns).map(([name, kind]) => ({ name, kind })),
  rowCount: rows.length,
  cell: (row, column) => rows[row]![column]!,
});

// The answer of a query as the kernel's drawing reads a result. Whole numbers beyond 2^53 and decimals stay exact: the
// API sends them as text.

import type { StatementRow } from "../../api/statement.ts";
import type { Cell, ColumnKind, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

type Answer = { columns: readonly { name: string; kind: string }[]; rows: readonly StatementRow[] };

export function resultOf({ columns, rows }: Answer): ResultTable {
  const known = columns.map(({ name, kind }) => ({ name, kind: kind as ColumnKind }));
  return {
    columns: known,
    rowCount: rows.length,
    cell: (row, column) => {
      const { name, kind } = known[column]!;
      return cellOf(rows[row]![name], kind);
    },
  };
}

const WHOLE = /^-?\d{1,1000}$/;

function cellOf(value: unknown, kind: ColumnKind): Cell {
  if (value === null || value === undefined) return null;
  if (kind === "bigint" && typeof value === "string" && WHOLE.test(value)) return BigInt(value);
  return typeof value === "object" ? JSON.stringify(value) : (value as Cell);
}

// The answer of a query as the kernel's drawing reads a result. Whole numbers beyond 2^53 and decimals stay exact: the
// API sends them as text.

import type { Cell, ColumnKind, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

export type QueryAnswer = {
  types: { name: string; kind: string }[];
  data: Record<string, unknown>[];
  truncated: boolean;
};

export function resultOf({ types, data }: QueryAnswer): ResultTable {
  const columns = types.map(({ name, kind }) => ({ name, kind: kind as ColumnKind }));
  return {
    columns,
    rowCount: data.length,
    cell: (row, column) => {
      const { name, kind } = columns[column]!;
      return cellOf(data[row]![name], kind);
    },
  };
}

const WHOLE = /^-?\d{1,1000}$/;

function cellOf(value: unknown, kind: ColumnKind): Cell {
  if (value === null || value === undefined) return null;
  if (kind === "bigint" && typeof value === "string" && WHOLE.test(value)) return BigInt(value);
  return typeof value === "object" ? JSON.stringify(value) : (value as Cell);
}

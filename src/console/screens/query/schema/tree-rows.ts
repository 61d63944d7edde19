// The tree's rows as a flat list: what is open, and what fits the search. Pure.

import type { SourceColumn, SourceTable } from "./schema.ts";

type TreeRowOf<Level extends string> = { level: Level; key: string; name: string; note?: string; isOpen: boolean };
export type TreeRow =
  | TreeRowOf<"schema">
  | (TreeRowOf<"table"> & { table: SourceTable })
  | TreeRowOf<"column">
  | TreeRowOf<"wait">;

type Shown = {
  columns: readonly (SourceTable & { columns: readonly SourceColumn[] })[];
  /** Tables that were opened, and schemas that were closed. */
  toggled: ReadonlySet<string>;
  text: string;
};

/** Schemas begin open, tables closed. Each word of the search must occur in the table's whole name. */
export function treeRows(tables: readonly SourceTable[], { columns, toggled, text }: Shown): TreeRow[] {
  const words = text
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean);
  const found = tables.filter(({ schema, name }) => {
    const whole = `${schema}.${name}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const bySchema = Map.groupBy(found, ({ schema }) => schema);
  const columnsOf = new Map(columns.map((table) => [`${table.schema}.${table.name}`, table.columns]));
  const rows: TreeRow[] = [];
  for (const [schema, own] of bySchema) {
    const key = `schema ${schema}`;
    const isOpen = words.length > 0 || !toggled.has(key);
    rows.push({ level: "schema", key, name: schema, note: String(own.length), isOpen });
    if (!isOpen) continue;
    for (const table of own) {
      const tableKey = `${schema}.${table.name}`;
      const isTableOpen = toggled.has(tableKey);
      rows.push({
        level: "table",
        key: tableKey,
        name: table.name,
        isOpen: isTableOpen,
        table,
        ...(table.isView && { note: "view" }),
      });
      if (!isTableOpen) continue;
      const known = columnsOf.get(tableKey) ?? [];
      if (known.length === 0)
        rows.push({ level: "wait", key: `${tableKey} …`, name: "Reading columns …", isOpen: false });
      for (const { name, type } of known)
        rows.push({ level: "column", key: `${tableKey}.${name}`, name, note: type.toLowerCase(), isOpen: false });
    }
  }
  return rows;
}

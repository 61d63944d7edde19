// Tables of an introspection: put together from rows of a server's catalog, tables first, then their columns and keys;
// or taken one by one, each with all its columns.

import type { ForeignKey, Introspection } from "../../../../kernel/wire/source.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import type { TextRow } from "../row-collector.ts";

type InSchema = { schema: string; table: IntrospectedTable };
export type IntrospectedTable = Introspection["schemas"][number]["tables"][number];
type Column = IntrospectedTable["columns"][number];

/** A `table` is named as its catalog names it in every list. Estimates are numbers as text. */
type TableRow = Pick<IntrospectedTable, "name" | "kind" | "comment"> & {
  table: string;
  schema: string;
  rowsEstimate: string | null | undefined;
  bytesEstimate: string | null | undefined;
};
/** Without a column, it is one that may not be read. */
type ColumnRow = { table: string; column?: Column };
/** One column of a foreign key, and the column that it refers to. */
type ForeignKeyRow = {
  table: string;
  constraint: string;
  column: string;
  to: [schema: string, table: string, column: string];
};

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;
export const numberOf = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

/** Names a table by its schema and its name, which any text may be. */
export const tableId = (schema: string | null | undefined, name: string | null | undefined): string =>
  JSON.stringify([schema, name]);

export class IntrospectedTables {
  readonly #tables = new Map<string, InSchema>();
  readonly #foreignKeys = new Map<string, ForeignKey>();
  #isTruncated = false;

  /** `rows` beyond the limit are left out; a server is asked for one more than that. */
  addTables(rows: readonly TextRow[], read: (row: TextRow) => TableRow): void {
    this.#isTruncated ||= rows.length > tablesMax;
    for (const row of rows.slice(0, tablesMax)) {
      const { table, schema, name, kind, comment, rowsEstimate, bytesEstimate } = read(row);
      this.#tables.set(table, {
        schema,
        table: {
          name,
          kind,
          comment: comment || null,
          rowsEstimate: numberOf(rowsEstimate),
          bytesEstimate: numberOf(bytesEstimate),
          columns: [],
          primaryKey: [],
          foreignKeys: [],
        },
      });
    }
  }

  /** Where the list was cut, the table of its last row may have lost columns, and gets none. */
  addColumns(rows: readonly TextRow[], read: (row: TextRow) => ColumnRow): void {
    const isCut = rows.length > columnsMax;
    const cutAt = isCut ? read(rows.at(-1)!).table : undefined;
    this.#isTruncated ||= isCut;
    for (const row of rows) {
      const { table, column } = read(row);
      if (column && table !== cutAt)
        this.#tables.get(table)?.table.columns.push({ ...column, comment: column.comment || null });
    }
  }

  /** The columns of a key come in the key's order. */
  addKeyColumn(table: string, column: string): void {
    this.#tables.get(table)?.table.primaryKey.push(column);
  }

  addForeignKeyColumn({ table, constraint, column, to }: ForeignKeyRow): void {
    const [toSchema, toTable, toColumn] = to;
    const name = JSON.stringify([table, constraint]);
    const key = this.#foreignKeys.get(name) ?? { columns: [], schema: toSchema, table: toTable, references: [] };
    if (!this.#foreignKeys.has(name)) this.#tables.get(table)?.table.foreignKeys?.push(key);
    this.#foreignKeys.set(name, key);
    key.columns.push(column);
    key.references.push(toColumn);
  }

  /** Tables without a column that may be read are left out, and so are schemas without a table. */
  toIntrospection(): Introspection {
    const readable = [...this.#tables.values()].filter(({ table }) => table.columns.length > 0);
    return { schemas: bySchema(readable), truncated: this.#isTruncated };
  }
}

/**
 * The first tables whose columns are within the limit, all together; no more than these are taken from `tables`.
 * `isCut`: there are tables beyond these.
 */
export function introspectWhole(tables: Iterable<InSchema>, isCut: boolean): Introspection {
  const within: InSchema[] = [];
  let columnsLeft = columnsMax;
  for (const each of tables) {
    columnsLeft -= each.table.columns.length;
    if (columnsLeft < 0) return { schemas: bySchema(within), truncated: true };
    within.push(each);
  }
  return { schemas: bySchema(within), truncated: isCut };
}

/** Schemas come in the order of their first tables. */
const bySchema = (tables: readonly InSchema[]): Introspection["schemas"] =>
  Array.from(
    Map.groupBy(tables, ({ schema }) => schema),
    ([name, all]) => ({ name, tables: all.map(({ table }) => table) }),
  );

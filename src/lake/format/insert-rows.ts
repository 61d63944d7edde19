// Rows into a DuckLake table, many to a statement.

import { DUCKLAKE_TABLES, type DuckLakeTable, type Row } from "./ducklake-tables.ts";

/** A statement takes 100 bound parameters, but one of them may be a document of any number of rows below 2 MB. */
const ROWS_PER_STATEMENT = 1_000;
const CHARACTERS_PER_STATEMENT = 400_000;

/** Inserts whole rows. Numbers are safe integers; a caller wraps the call in its transaction. */
export function insertRows<Table extends DuckLakeTable>(
  sql: SqlStorage,
  table: Table,
  rows: readonly Row<Table>[],
  verb: "INSERT" | "INSERT OR REPLACE" = "INSERT",
): void {
  const columns = Object.keys(DUCKLAKE_TABLES[table]) as (keyof Row<Table>)[];
  const names = columns.map((column) => `"${String(column)}"`).join(", ");
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  const statement = `${verb} INTO ${table} (${names}) SELECT ${values} FROM json_each(?)`;
  let pending: string[] = [];
  let characters = 0;
  const flush = () => {
    if (pending.length > 0) sql.exec(statement, `[${pending.join(",")}]`);
    pending = [];
    characters = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(columns.map((column) => row[column]));
    if (pending.length >= ROWS_PER_STATEMENT || characters + text.length > CHARACTERS_PER_STATEMENT) flush();
    pending.push(text);
    characters += text.length + 1;
  }
  flush();
}

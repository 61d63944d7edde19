// Tables of the semantic layer's proofs, as plain values, and how they come to lie on each kind of server.

export type Cell = string | number | boolean | null;
/** `time` holds `YYYY-MM-DD HH:MM:SS` in UTC; `decimal` holds its digits. */
export type ColumnType = "integer" | "double" | "decimal" | "text" | "boolean" | "time";
export type ProofTable = { name: string; columns: Record<string, ColumnType>; rows: Record<string, Cell>[] };
export type Dialect = "duckdb" | "postgres" | "mysql";
export const DIALECTS: readonly Dialect[] = ["duckdb", "postgres", "mysql"];

const TYPES: Record<Dialect, Record<ColumnType, string>> = {
  duckdb: {
    integer: "INTEGER",
    double: "DOUBLE",
    decimal: "DECIMAL(12,5)",
    text: "VARCHAR",
    boolean: "BOOLEAN",
    time: "TIMESTAMP",
  },
  postgres: {
    integer: "integer",
    double: "double precision",
    decimal: "numeric(12,5)",
    text: "text",
    boolean: "boolean",
    time: "timestamp",
  },
  mysql: {
    integer: "INT",
    double: "DOUBLE",
    decimal: "DECIMAL(12,5)",
    text: "VARCHAR(200)",
    boolean: "BOOLEAN",
    time: "DATETIME",
  },
};

function literal(value: Cell, type: ColumnType): string {
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (type !== "text" && type !== "time") return String(value);
  if (/\\/.test(String(value))) throw new Error("A backslash is not the same on every server.");
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** `CREATE TABLE` and `INSERT` of a table in a schema (on MySQL a database). */
export function statementsOf(table: ProofTable, schema: string, dialect: Dialect): string[] {
  const columns = Object.entries(table.columns);
  const defined = columns.map(([name, type]) => `${name} ${TYPES[dialect][type]}`).join(", ");
  const rows = table.rows.map((row) => `(${columns.map(([name, type]) => literal(row[name]!, type)).join(", ")})`);
  const create = `CREATE TABLE ${schema}.${table.name} (${defined})`;
  return rows.length === 0 ? [create] : [create, `INSERT INTO ${schema}.${table.name} VALUES ${rows.join(", ")}`];
}

// The tables of the fake's database, with the types SQL Server would have for them, and its catalog views.

import type { DuckDBConnection } from "@duckdb/node-api";
import { parseType } from "../tds/column-types.ts";
import type { FakeValue } from "../tds/values.ts";
import { literal, storageOf } from "./storage.ts";

export type TableColumn = {
  name: string;
  /** As T-SQL writes it. */
  type: string;
  nullable?: boolean;
  identity?: boolean;
  computed?: boolean;
  comment?: string;
};

export type FakeTable = {
  schema?: string;
  name: string;
  columns: TableColumn[];
  primaryKey?: string[];
  comment?: string;
  foreignKeys?: { columns: string[]; schema: string; table: string; references: string[] }[];
  /** What it shows instead of rows of its own, in DuckDB's SQL. */
  view?: string;
};

type Known = FakeTable & { id: number; schema: string };

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const text = (value: string | undefined): string => (value === undefined ? "NULL" : `'${value.replaceAll("'", "''")}'`);
const FIRST_ID = 1_000;

/** The numbers of types in `sys.types`. */
const TYPE_IDS: Record<string, number> = {
  image: 34,
  text: 35,
  uniqueidentifier: 36,
  date: 40,
  time: 41,
  datetime2: 42,
  datetimeoffset: 43,
  tinyint: 48,
  smallint: 52,
  int: 56,
  smalldatetime: 58,
  real: 59,
  money: 60,
  datetime: 61,
  float: 62,
  sql_variant: 98,
  ntext: 99,
  bit: 104,
  decimal: 106,
  numeric: 108,
  smallmoney: 122,
  bigint: 127,
  hierarchyid: 128,
  geometry: 129,
  geography: 130,
  varbinary: 165,
  varchar: 167,
  binary: 173,
  char: 175,
  timestamp: 189,
  nvarchar: 231,
  nchar: 239,
  xml: 241,
  json: 244,
};

const CATALOG = `
  CREATE SCHEMA sys; CREATE SCHEMA dbo;
  CREATE TABLE sys.databases (database_id INTEGER, name VARCHAR, snapshot_isolation_state UTINYINT);
  CREATE TABLE sys.schemas (schema_id INTEGER, name VARCHAR);
  CREATE TABLE sys.types (name VARCHAR, system_type_id INTEGER, user_type_id INTEGER);
  CREATE TABLE sys.objects (object_id INTEGER, name VARCHAR, schema_id INTEGER, type VARCHAR, is_ms_shipped INTEGER);
  CREATE TABLE sys.tables (object_id INTEGER, name VARCHAR, schema_id INTEGER, is_external INTEGER);
  CREATE TABLE sys.columns (object_id INTEGER, name VARCHAR, column_id INTEGER, system_type_id INTEGER,
    user_type_id INTEGER, max_length INTEGER, precision INTEGER, scale INTEGER, is_nullable INTEGER,
    is_identity INTEGER, is_computed INTEGER, generated_always_type INTEGER, collation_name VARCHAR);
  CREATE TABLE sys.indexes (object_id INTEGER, index_id INTEGER, is_primary_key INTEGER, is_unique INTEGER);
  CREATE TABLE sys.index_columns (object_id INTEGER, index_id INTEGER, column_id INTEGER, key_ordinal INTEGER);
  CREATE TABLE sys.foreign_key_columns (constraint_object_id INTEGER, constraint_column_id INTEGER,
    parent_object_id INTEGER, parent_column_id INTEGER, referenced_object_id INTEGER, referenced_column_id INTEGER);
  CREATE TABLE sys.extended_properties (class INTEGER, major_id INTEGER, minor_id INTEGER, name VARCHAR, value VARCHAR);
  CREATE TABLE sys.partitions (partition_id BIGINT, object_id INTEGER, index_id INTEGER, rows BIGINT);
  CREATE TABLE sys.allocation_units (container_id BIGINT, used_pages BIGINT);
  CREATE TABLE sys.database_permissions (grantee_principal_id INTEGER, type VARCHAR, state VARCHAR);
  CREATE TABLE sys.user_token (principal_id INTEGER);
  INSERT INTO sys.user_token VALUES (0), (7);`;

export class FakeTables {
  readonly #connection: DuckDBConnection;
  readonly #tables: Known[] = [];
  #ids = FIRST_ID;
  #rowversion = 2_000n;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  get all(): readonly Known[] {
    return this.#tables;
  }

  storageOf(type: string): string {
    return storageOf(type);
  }

  async open(database: string): Promise<void> {
    await this.#connection.run(CATALOG);
    await this.#connection.run(`INSERT INTO sys.databases VALUES (5, ${text(database)}, 1);
      INSERT INTO sys.schemas VALUES (1, 'dbo');
      INSERT INTO sys.types VALUES ${Object.entries(TYPE_IDS)
        .map(([name, id]) => `('${name}', ${id > 127 && id < 131 ? 240 : id}, ${id})`)
        .join(", ")}`);
  }

  /** Whether the database keeps versions of rows for snapshots. */
  async allowSnapshots(isAllowed: boolean): Promise<void> {
    await this.#connection.run(`UPDATE sys.databases SET snapshot_isolation_state = ${isAllowed ? 1 : 0}`);
  }

  async create(table: FakeTable): Promise<void> {
    const known: Known = { ...table, schema: table.schema ?? "dbo", id: this.#ids++ };
    const { schema, name, columns, primaryKey = [], view } = known;
    await this.#connection.run(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`);
    const schemaId = await this.#schemaId(schema);
    const definitions = columns.map((column) => `${quote(column.name)} ${storageOf(column.type)}`);
    const key = primaryKey.length > 0 ? [`PRIMARY KEY (${primaryKey.map(quote).join(", ")})`] : [];
    const path = `${quote(schema)}.${quote(name)}`;
    await this.#connection.run(
      view ? `CREATE VIEW ${path} AS ${view}` : `CREATE TABLE ${path} (${[...definitions, ...key].join(", ")})`,
    );
    this.#tables.push(known);
    await this.#connection.run(`
      INSERT INTO sys.objects VALUES (${known.id}, ${text(name)}, ${schemaId}, '${view ? "V" : "U"}', 0);
      INSERT INTO sys.partitions VALUES (${known.id}, ${known.id}, 1, 0);
      INSERT INTO sys.allocation_units VALUES (${known.id}, 1);
      ${view ? "" : `INSERT INTO sys.tables VALUES (${known.id}, ${text(name)}, ${schemaId}, 0);`}
      ${known.comment ? `INSERT INTO sys.extended_properties VALUES (1, ${known.id}, 0, 'MS_Description', ${text(known.comment)});` : ""}`);
    await this.#describe(known);
  }

  async drop({ schema = "dbo", name }: { schema?: string; name: string }): Promise<void> {
    const known = this.#find(schema, name);
    this.#tables.splice(this.#tables.indexOf(known), 1);
    await this.#connection.run(`DROP ${known.view ? "VIEW" : "TABLE"} ${quote(schema)}.${quote(name)}`);
    for (const view of ["objects", "tables", "columns", "indexes", "index_columns", "partitions"])
      await this.#connection.run(`DELETE FROM sys.${view} WHERE object_id = ${known.id}`);
  }

  /** Changes what DuckDB keeps, and the catalog with it: `change` is what follows ALTER TABLE in DuckDB's SQL. */
  async alter(
    { schema = "dbo", name }: { schema?: string; name: string },
    change: string,
    columns: TableColumn[],
  ): Promise<void> {
    const known = this.#find(schema, name);
    await this.#connection.run(`ALTER TABLE ${quote(schema)}.${quote(name)} ${change}`);
    known.columns = columns;
    for (const view of ["columns", "indexes", "index_columns"])
      await this.#connection.run(`DELETE FROM sys.${view} WHERE object_id = ${known.id}`);
    await this.#describe(known);
  }

  /** Cells in the table's order of columns, without those that the server fills (rowversion). */
  async insert(target: { schema?: string; name: string }, rows: readonly (readonly FakeValue[])[]): Promise<void> {
    if (rows.length === 0) return;
    const { schema = "dbo", name } = target;
    const { columns } = this.#find(schema, name);
    const given = columns.filter(({ type }) => type !== "rowversion");
    const values = rows.map((row) => {
      let i = 0;
      const cells = columns.map(({ type }) =>
        type === "rowversion" ? this.#nextRowversion() : literal(row[i++] ?? null, storageOf(type)),
      );
      if (i !== given.length || row.length !== given.length) throw new Error("a row of another width than its table");
      return `(${cells.join(", ")})`;
    });
    await this.#connection.run(`INSERT INTO ${quote(schema)}.${quote(name)} VALUES ${values.join(", ")}`);
  }

  /** `set` and `where` in DuckDB's SQL; a rowversion becomes the next. */
  async update({ schema = "dbo", name }: { schema?: string; name: string }, set: string, where: string): Promise<void> {
    const version = this.#find(schema, name).columns.find(({ type }) => type === "rowversion");
    const versioned = version ? `, ${quote(version.name)} = ${this.#nextRowversion()}` : "";
    await this.#connection.run(`UPDATE ${quote(schema)}.${quote(name)} SET ${set}${versioned} WHERE ${where}`);
  }

  async delete({ schema = "dbo", name }: { schema?: string; name: string }, where: string): Promise<void> {
    await this.#connection.run(`DELETE FROM ${quote(schema)}.${quote(name)} WHERE ${where}`);
  }

  #find(schema: string, name: string): Known {
    const found = this.#tables.find((table) => table.schema === schema && table.name === name);
    if (!found) throw new Error(`no table ${schema}.${name}`);
    return found;
  }

  #nextRowversion(): string {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(++this.#rowversion);
    return `unhex('${bytes.toString("hex")}')`;
  }

  async #schemaId(schema: string): Promise<number> {
    const find = async () => {
      const rows = (
        await this.#connection.runAndReadAll(`SELECT schema_id FROM sys.schemas WHERE name = ${text(schema)}`)
      ).getRows();
      return rows[0]?.[0] as number | undefined;
    };
    const found = await find();
    if (found !== undefined) return found;
    await this.#connection.run(`INSERT INTO sys.schemas SELECT max(schema_id) + 1, ${text(schema)} FROM sys.schemas`);
    return (await find())!;
  }

  async #describe({ id, columns, primaryKey = [], foreignKeys = [] }: Known): Promise<void> {
    for (const [i, column] of columns.entries()) {
      await this.#connection.run(`INSERT INTO sys.columns VALUES (${columnCells(id, i + 1, column).join(", ")})`);
      if (column.comment)
        await this.#connection.run(
          `INSERT INTO sys.extended_properties VALUES (1, ${id}, ${i + 1}, 'MS_Description', ${text(column.comment)})`,
        );
    }
    const columnId = (name: string, of = columns) => of.findIndex((column) => column.name === name) + 1;
    if (primaryKey.length > 0) await this.#connection.run(`INSERT INTO sys.indexes VALUES (${id}, 1, 1, 1)`);
    for (const [i, name] of primaryKey.entries())
      await this.#connection.run(`INSERT INTO sys.index_columns VALUES (${id}, 1, ${columnId(name)}, ${i + 1})`);
    for (const key of foreignKeys) {
      const constraint = this.#ids++;
      const target = this.#find(key.schema, key.table);
      for (const [i, name] of key.columns.entries())
        await this.#connection.run(`INSERT INTO sys.foreign_key_columns VALUES (${constraint}, ${i + 1}, ${id},
          ${columnId(name)}, ${target.id}, ${columnId(key.references[i]!, target.columns)})`);
    }
  }
}

const UNIT_BYTES: Record<string, number> = { nvarchar: 2, nchar: 2 };
const SIZED = /^n?(var)?char$|^(var)?binary$/;

function columnCells(
  id: number,
  ordinal: number,
  { name, type, nullable = true, identity, computed }: TableColumn,
): string[] {
  const { name: typeName, length, precision, scale } = parseType(type);
  const catalogName = typeName === "rowversion" ? "timestamp" : typeName;
  const typeId = TYPE_IDS[catalogName] ?? TYPE_IDS["nvarchar"]!;
  const isUdt = typeId > 127 && typeId < 131;
  const bytes = SIZED.test(typeName) ? (length === Infinity ? -1 : length * (UNIT_BYTES[typeName] ?? 1)) : 8;
  const hasDigits = typeName === "decimal" || typeName === "numeric";
  const flag = (is: boolean | undefined) => (is ? "1" : "0");
  return [
    String(id),
    text(name),
    String(ordinal),
    String(isUdt ? 240 : typeId),
    String(typeId),
    String(bytes),
    String(hasDigits ? precision : 0),
    String(scale),
    flag(nullable),
    flag(identity),
    flag(computed),
    "0",
    /char|text/.test(typeName) ? "'Latin1_General_100_BIN2_UTF8'" : "NULL",
  ];
}

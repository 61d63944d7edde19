// The tables of the fake's database, with the types SQL Server would have for them, and its catalog views.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { FakeValue } from "../tds/values.ts";
import { CATALOG, columnCells, quote, text, TYPE_IDS, type TableColumn } from "./catalog.ts";
import { ChangeTracking } from "./change-tracking.ts";
import { literal, storageOf } from "./storage.ts";

export type FakeTable = {
  schema?: string;
  name: string;
  columns: TableColumn[];
  primaryKey?: string[];
  comment?: string;
  foreignKeys?: { columns: string[]; schema: string; table: string; references: string[] }[];
  /** What it shows instead of rows of its own, in DuckDB's SQL. */
  view?: string;
  /** Kept in memory: memory-optimised. */
  inMemory?: boolean;
};

type Known = FakeTable & { id: number; schema: string };

const FIRST_ID = 1_000;
const COLUMN_NAMES =
  "object_id, name, column_id, system_type_id, user_type_id, max_length, precision, scale, is_nullable, is_identity, " +
  "is_computed, generated_always_type, collation_name";

export class FakeTables {
  readonly #connection: DuckDBConnection;
  readonly #tables: Known[] = [];
  #ids = FIRST_ID;
  #rowversion = 2_000n;
  readonly #tracking: ChangeTracking;
  /** MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT of the database. */
  elevatesToSnapshot = false;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
    this.#tracking = new ChangeTracking(connection);
  }

  get all(): readonly Known[] {
    return this.#tables;
  }

  storageOf(type: string): string {
    return storageOf(type);
  }

  async open(database: string): Promise<void> {
    await this.#connection.run(CATALOG);
    await this.#tracking.open(this.#rowversion);
    await this.#connection.run(`INSERT INTO sys.databases (database_id, name, snapshot_isolation_state) VALUES (5, ${text(database)}, 1);
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
      INSERT INTO sys.objects (object_id, name, schema_id, type, is_ms_shipped) VALUES (${known.id}, ${text(name)}, ${schemaId}, '${view ? "V" : "U"}', 0);
      INSERT INTO sys.partitions VALUES (${known.id}, ${known.id}, 1, 0);
      INSERT INTO sys.allocation_units VALUES (${known.id}, 1);
      ${view ? "" : `INSERT INTO sys.tables (object_id, name, schema_id, is_external, is_memory_optimized) VALUES (${known.id}, ${text(name)}, ${schemaId}, 0, ${known.inMemory ? 1 : 0});`}
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
    await this.#write(target, `INSERT INTO ${quote(schema)}.${quote(name)} VALUES ${values.join(", ")}`);
  }

  /** `set` and `where` in DuckDB's SQL; a rowversion becomes the next. */
  async update(target: { schema?: string; name: string }, set: string, where: string): Promise<void> {
    const { schema = "dbo", name } = target;
    const version = this.#find(schema, name).columns.find(({ type }) => type === "rowversion");
    const versioned = version ? `, ${quote(version.name)} = ${this.#nextRowversion()}` : "";
    await this.#write(target, `UPDATE ${quote(schema)}.${quote(name)} SET ${set}${versioned} WHERE ${where}`);
  }

  async delete(target: { schema?: string; name: string }, where: string): Promise<void> {
    const { schema = "dbo", name } = target;
    await this.#write(target, `DELETE FROM ${quote(schema)}.${quote(name)} WHERE ${where}`);
  }

  /** Turns change tracking on for a table, or off and on again. */
  async track({ schema = "dbo", name }: { schema?: string; name: string }): Promise<void> {
    await this.#tracking.track(this.#find(schema, name));
  }

  async untrack({ schema = "dbo", name }: { schema?: string; name: string }): Promise<void> {
    await this.#tracking.untrack(this.#find(schema, name));
  }

  /** Forgets all changes up to now, like the server's own cleanup. */
  async cleanUpChanges({ schema = "dbo", name }: { schema?: string; name: string }): Promise<void> {
    await this.#tracking.cleanUp(this.#find(schema, name));
  }

  async truncate({ schema = "dbo", name }: { schema?: string; name: string }): Promise<void> {
    const known = this.#find(schema, name);
    await this.#connection.run(`DELETE FROM ${quote(schema)}.${quote(name)}`);
    if (this.#tracking.isTracked(known)) await this.#tracking.track(known);
  }

  /** One transaction, which change tracking sees. */
  async #write({ schema = "dbo", name }: { schema?: string; name: string }, sql: string): Promise<void> {
    await this.#tracking.write(this.#find(schema, name), sql, this.#rowversion);
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
      await this.#connection.run(
        `INSERT INTO sys.columns (${COLUMN_NAMES}) VALUES (${columnCells(id, i + 1, column).join(", ")})`,
      );
      if (column.identity !== undefined)
        await this.#connection.run(`INSERT INTO sys.identity_columns VALUES (${id}, ${i + 1}, ${column.identity})`);
      if (column.comment)
        await this.#connection.run(
          `INSERT INTO sys.extended_properties VALUES (1, ${id}, ${i + 1}, 'MS_Description', ${text(column.comment)})`,
        );
    }
    const columnId = (name: string, of = columns) => of.findIndex((column) => column.name === name) + 1;
    if (primaryKey.length > 0)
      await this.#connection.run(
        `INSERT INTO sys.indexes (object_id, index_id, is_primary_key, is_unique) VALUES (${id}, 1, 1, 1)`,
      );
    for (const [i, name] of primaryKey.entries())
      await this.#connection.run(
        `INSERT INTO sys.index_columns (object_id, index_id, column_id, key_ordinal) VALUES (${id}, 1, ${columnId(name)}, ${i + 1})`,
      );
    for (const key of foreignKeys) {
      const constraint = this.#ids++;
      const target = this.#find(key.schema, key.table);
      for (const [i, name] of key.columns.entries())
        await this.#connection.run(`INSERT INTO sys.foreign_key_columns VALUES (${constraint}, ${i + 1}, ${id},
          ${columnId(name)}, ${target.id}, ${columnId(key.references[i]!, target.columns)})`);
    }
  }
}

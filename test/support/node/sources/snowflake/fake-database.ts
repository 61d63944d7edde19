// The fake's statements run on DuckDB in memory, beside it as much of the catalogue as drivers ask for.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { FakeHistory } from "./fake-history.ts";
import { declaredColumns, MACROS, toDuckdb, type Binding } from "./snowflake-sql.ts";
import { describeType, rawText, type FakeColumn } from "./fake-types.ts";

const CATALOG = [
  "CREATE SCHEMA memory.sf",
  "CREATE TABLE memory.sf.declared (table_name VARCHAR, column_name VARCHAR, type VARCHAR)",
  "CREATE TABLE memory.sf.identities (table_name VARCHAR, column_name VARCHAR, increment VARCHAR, ordered VARCHAR)",
  "CREATE TABLE memory.sf.object_privileges (privilege_type VARCHAR, grantee VARCHAR)",
  `CREATE VIEW memory.sf.tables AS
    SELECT database_name table_catalog, schema_name table_schema, table_name, 'BASE TABLE' table_type, comment,
      estimated_size row_count, estimated_size * 8 bytes, COALESCE(retention_time, 1) retention_time, last_ddl
    FROM duckdb_tables() LEFT JOIN memory.past.tables USING (schema_name, table_name)
    WHERE database_name = 'DB' AND schema_name <> 'main'
    UNION ALL SELECT database_name, schema_name, view_name, 'VIEW', comment, NULL, NULL, NULL, NULL
    FROM duckdb_views() WHERE database_name = 'DB' AND NOT internal`,
  `CREATE VIEW memory.sf.columns AS
    SELECT database_name table_catalog, schema_name table_schema, table_name, column_name, column_index ordinal_position,
      COALESCE(regexp_extract(declared.type, '^[A-Z_]+'), CASE
        WHEN data_type LIKE 'DECIMAL%' THEN 'NUMBER' WHEN data_type LIKE '%INT' THEN 'NUMBER'
        WHEN data_type = 'VARCHAR' THEN 'TEXT' WHEN data_type = 'DOUBLE' THEN 'FLOAT' WHEN data_type = 'BLOB' THEN 'BINARY'
        WHEN data_type = 'JSON' THEN 'VARIANT' WHEN data_type LIKE 'TIMESTAMP WITH%' THEN 'TIMESTAMP_LTZ'
        WHEN data_type LIKE 'TIMESTAMP%' THEN 'TIMESTAMP_NTZ' ELSE data_type END).replace('VARCHAR', 'TEXT') data_type,
      CASE WHEN data_type LIKE '%INT' THEN 38 ELSE numeric_precision END numeric_precision,
      CASE WHEN data_type LIKE '%INT' THEN 0 ELSE numeric_scale END numeric_scale,
      CASE WHEN data_type = 'VARCHAR' THEN 16777216 WHEN data_type = 'BLOB' THEN 8388608 END character_maximum_length,
      CASE WHEN data_type LIKE 'TIME%' THEN 9 WHEN data_type = 'DATE' THEN 0 END datetime_precision,
      CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END is_nullable, CASE WHEN increment IS NULL THEN 'NO' ELSE 'YES' END is_identity,
      increment identity_increment, ordered identity_ordered, comment, NULL collation_name
    FROM duckdb_columns() LEFT JOIN memory.sf.declared USING (table_name, column_name)
      LEFT JOIN memory.sf.identities USING (table_name, column_name)
    WHERE database_name = 'DB' AND schema_name <> 'main'`,
];

const SHOWN: [RegExp, string][] = [
  [
    /^\s*SHOW\s+PRIMARY\s+KEYS\b/i,
    `SELECT '0' AS "created_on", database_name AS "database_name", schema_name AS "schema_name",
      table_name AS "table_name", unnest(constraint_column_names) AS "column_name",
      generate_subscripts(constraint_column_names, 1) AS "key_sequence", constraint_name AS "constraint_name"
    FROM duckdb_constraints() WHERE database_name = 'DB' AND constraint_type = 'PRIMARY KEY'
    UNION ALL SELECT '0', 'DB', schema_name, table_name, column_name, key_sequence, 'declared' FROM memory.past.keys`,
  ],
  [
    /^\s*SHOW\s+IMPORTED\s+KEYS\b/i,
    `SELECT '0' AS "created_on", database_name AS "pk_database_name", schema_name AS "pk_schema_name",
      referenced_table AS "pk_table_name", unnest(referenced_column_names) AS "pk_column_name",
      schema_name AS "fk_schema_name", table_name AS "fk_table_name", unnest(constraint_column_names) AS "fk_column_name",
      generate_subscripts(constraint_column_names, 1) AS "key_sequence", constraint_name AS "fk_name"
    FROM duckdb_constraints() WHERE database_name = 'DB' AND constraint_type = 'FOREIGN KEY'`,
  ],
  [
    /^\s*SHOW\s+TABLES\b/i,
    `SELECT COALESCE(created_on, '0') AS "created_on", shown.table_name AS "name", shown.schema_name AS "schema_name",
      CASE WHEN tracked_since IS NULL THEN 'OFF' ELSE 'ON' END AS "change_tracking"
    FROM duckdb_tables() shown LEFT JOIN memory.past.tables kept
      ON kept.schema_name = shown.schema_name AND kept.table_name = shown.table_name
    WHERE database_name = 'DB'`,
  ],
  [/^\s*USE\s+SECONDARY\s+ROLES\s+NONE\b/i, `SELECT 'Statement executed successfully.' AS "status"`],
];

/** A statement under way. */
export type Execution = { columns: FakeColumn[]; pieces: AsyncIterable<string[]>; interrupt(): void; close(): void };
/** Rows that lie in a table of the fake's own until they are asked for, as JSON. */
export type KeptRows = { columns: FakeColumn[]; total: number; read(from: number, to: number): Promise<string[]> };

export class FakeDatabase {
  readonly #instance: DuckDBInstance;
  readonly #root: DuckDBConnection;
  readonly history: FakeHistory;
  #kept = 0;

  private constructor(instance: DuckDBInstance, root: DuckDBConnection, history: FakeHistory) {
    this.#instance = instance;
    this.#root = root;
    this.history = history;
  }

  /** With a database `DB` and a schema `PUBLIC` in it. */
  static async create(): Promise<FakeDatabase> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
    const root = await instance.connect();
    const history = await FakeHistory.create(root);
    for (const sql of [`ATTACH ':memory:' AS "DB"`, `CREATE SCHEMA "DB"."PUBLIC"`, ...CATALOG]) await root.run(sql);
    for (const macro of MACROS) await root.run(`CREATE MACRO "DB"."PUBLIC".${macro}`);
    await prepare(root);
    return new FakeDatabase(instance, root, history);
  }

  close(): void {
    this.#root.closeSync();
    this.#instance.closeSync();
  }

  /** Statements of a test's own, in Snowflake's SQL: DDL and DML too. What they leave behind can be travelled to. */
  async execute(sql: string): Promise<void> {
    await this.#root.run(toDuckdb(sql));
    await this.history.note(sql);
    const declared = declaredColumns(sql);
    if (declared) await this.#root.run("DELETE FROM memory.sf.declared WHERE table_name = ?", [declared.table]);
    for (const [column, type] of declared?.columns ?? [])
      await this.#root.run("INSERT INTO memory.sf.declared VALUES (?, ?, ?)", [declared!.table, column, type]);
  }

  /** In DuckDB's own SQL. */
  async executeDuckdb(sql: string): Promise<void> {
    await this.#root.run(sql);
  }

  /** A statement as a driver sends it. Rejects with DuckDB's error. */
  async run(sql: string, bindings: Record<string, Binding>): Promise<Execution> {
    const own = SHOWN.find(([pattern]) => pattern.test(sql))?.[1] ?? toDuckdb(this.history.travel(sql), bindings);
    const connection = await this.#instance.connect();
    try {
      await prepare(connection);
      const { columns, rows } = await this.#linesOf(connection, own, await this.#declaredTypes(sql));
      const result = await connection.stream(rows);
      const pieces = async function* () {
        for await (const chunk of result) yield chunk.getColumnVector(0).toArray() as string[];
      };
      return {
        columns,
        pieces: pieces(),
        interrupt: () => connection.interrupt(),
        close: () => connection.closeSync(),
      };
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /** Runs a statement of very many rows once, before any of them is asked for. */
  async keep(sql: string): Promise<KeptRows> {
    const own = toDuckdb(this.history.travel(sql));
    const { columns, rows } = await this.#linesOf(this.#root, own, await this.#declaredTypes(sql));
    const name = `memory.sf.kept_${++this.#kept}`;
    await this.#root.run(`CREATE TABLE ${name} AS ${rows}`);
    const counted = await this.#root.runAndReadAll(`SELECT count(*) FROM ${name}`);
    const read = async (from: number, to: number) => {
      const result = await this.#root.run(`SELECT line FROM ${name} WHERE rowid >= ${from} AND rowid < ${to}`);
      return ((await result.getColumns())[0] ?? []) as string[];
    };
    return { columns, total: Number(counted.getRows()[0]![0]), read };
  }

  /** What a statement gives, and the statement that gives each of its rows as a line of JSON. */
  async #linesOf(
    connection: DuckDBConnection,
    sql: string,
    declared: ReadonlyMap<string, string>,
  ): Promise<{ columns: FakeColumn[]; rows: string }> {
    const described = (await connection.runAndReadAll(`DESCRIBE ${sql}`)).getRowsJson() as string[][];
    const columns = described.map(([name, type]) => describeType(name!, type!, declared.get(name!)));
    const cells = columns.map((column, i) => rawText(`c${i}`, column)).join(", ");
    const names = columns.map((_, i) => `c${i}`).join(", ");
    return { columns, rows: `SELECT CAST(json_array(${cells}) AS VARCHAR) AS line FROM (${sql}) AS result(${names})` };
  }

  /** The declared types of the columns of the tables that a statement names. */
  async #declaredTypes(sql: string): Promise<Map<string, string>> {
    const rows = (await this.#root.runAndReadAll("SELECT * FROM memory.sf.declared")).getRowsJson() as string[][];
    const isNamed = (table: string) => new RegExp(`(?<!\\w)${table}(?!\\w)`, "i").test(sql);
    return new Map(rows.filter(([table]) => isNamed(table!)).map(([, column, type]) => [column!, type!]));
  }
}

async function prepare(connection: DuckDBConnection): Promise<void> {
  await connection.run(`USE "DB"."PUBLIC"`);
  await connection.run("SET TimeZone = 'UTC'");
}

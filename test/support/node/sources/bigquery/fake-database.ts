// The fake's statements run on DuckDB in memory, with a schema for each dataset.

import { DuckDBInstance, VARCHAR, type DuckDBConnection, type DuckDBResult, type DuckDBType } from "@duckdb/node-api";
import { fieldOf, rowExpression, type FakeField } from "./fake-rows.ts";
import { MACROS, toDuckdb } from "./google-sql.ts";
import { PROJECT } from "./fake-tokens.ts";

/** A parameter as REST's `queryParameters` have it. */
export type Parameter = { parameterType: { type: string }; parameterValue: { value?: string | null } };

export type FakeTable = {
  dataset: string;
  name: string;
  isView: boolean;
  fields: FakeField[];
  rows: number;
  /** The primary key as it was declared; nobody enforces it. */
  primaryKey: string[];
  /** In milliseconds since 1970. */
  createdAt: number | undefined;
};

/** What a table held from a moment on, in microseconds since 1970. */
type Version = { since: bigint; copy: string };

/** Holds what tables were before. */
const HISTORY = "past";

/** `"a"."b"` as its parts. */
const splitPath = (path: string): string[] =>
  Array.from(
    path.matchAll(/"((?:[^"]|"")*)"|([^".]+)/g),
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );

/** How often a table's rows are looked at before its size is asked for. */
const ROWS_AT_ONCE = 200_000;

export class FakeDatabase {
  readonly #instance: DuckDBInstance;
  readonly #root: DuckDBConnection;
  readonly #keys = new Map<string, string[]>();
  /** By `dataset.table`, oldest first. */
  readonly #versions = new Map<string, Version[]>();
  #copies = 0;

  private constructor(instance: DuckDBInstance, root: DuckDBConnection) {
    this.#instance = instance;
    this.#root = root;
  }

  static async create(): Promise<FakeDatabase> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
    const root = await instance.connect();
    await root.run(`SET TimeZone = 'UTC'; CREATE SCHEMA ${HISTORY}`);
    for (const macro of MACROS) await root.run(macro);
    return new FakeDatabase(instance, root);
  }

  close(): void {
    this.#root.closeSync();
    this.#instance.closeSync();
  }

  /** Statements of a test's own, in GoogleSQL: DDL and DML too. */
  async execute(sql: string): Promise<void> {
    await this.#root.run(this.#toDuckdb(this.#takeKeys(sql)));
    await this.#keepVersions(sql);
  }

  /** The tables that a statement reads, beneath views too, as dataset and name. */
  tablesOf(sql: string): string[][] {
    const names = this.#root.getTableNames(this.#toDuckdb(sql), true);
    return names.map(splitPath).flatMap(([schema, name]) => {
      if (name === undefined) return [];
      const asNow = [...this.#versions].find(([, versions]) => versions.some(({ copy }) => copy === name));
      return [schema === HISTORY && asNow ? asNow[0].split(".") : [schema!, name]];
    });
  }

  async describe(sql: string, parameters: readonly Parameter[]): Promise<FakeField[]> {
    const { values, types } = bound(parameters);
    const result = await this.#root.run(`SELECT * FROM (${this.#toDuckdb(sql)}) LIMIT 0`, values, types);
    return result.columnNames().map((name, i) => fieldOf(name, result.columnType(i), false));
  }

  /** Tables and views of a dataset, or of all. */
  async listTables(dataset?: string): Promise<Pick<FakeTable, "dataset" | "name" | "isView">[]> {
    const reader = await this.#root.runAndReadAll(
      `SELECT schema_name, table_name, FALSE FROM duckdb_tables() WHERE schema_name NOT IN ('main', '${HISTORY}')
       UNION ALL SELECT schema_name, view_name, TRUE FROM duckdb_views() WHERE NOT internal ORDER BY ALL`,
    );
    return (reader.getRows() as [string, string, boolean][])
      .map(([schema, name, isView]) => ({ dataset: schema, name, isView }))
      .filter((table) => dataset === undefined || table.dataset === dataset);
  }

  async getTable(dataset: string, name: string): Promise<FakeTable | undefined> {
    const table = (await this.listTables(dataset)).find((each) => each.name === name);
    if (!table) return undefined;
    const path = `"${dataset}"."${name}"`;
    const result = await this.#root.run(`FROM ${path} LIMIT 0`);
    const required = await this.#requiredColumns(dataset, name);
    const fields = result.columnNames().map((column, i): FakeField => {
      const field = fieldOf(column, result.columnType(i), true);
      return required.has(column) ? { ...field, mode: "REQUIRED" } : field;
    });
    const since = this.#versions.get(`${dataset}.${name}`)?.[0]?.since;
    return {
      ...table,
      fields,
      rows: table.isView ? 0 : await this.#count(`FROM ${path}`, [], []),
      primaryKey: this.#keys.get(`${dataset}.${name}`) ?? [],
      createdAt: since === undefined ? undefined : Number(since / 1_000n),
    };
  }

  async open(sql: string, parameters: readonly Parameter[]): Promise<FakeResult> {
    const { values, types } = bound(parameters);
    const connection = await this.#instance.connect();
    await connection.run("SET TimeZone = 'UTC'; BEGIN TRANSACTION");
    const text = this.#toDuckdb(sql);
    const described = await connection.run(`SELECT * FROM (${text}) LIMIT 0`, values, types);
    const names = described.columnNames();
    const columnTypes = names.map((_, i) => described.columnType(i));
    const read = (isInt64: boolean, offset: number) =>
      connection.stream(
        `SELECT ${rowExpression(names, columnTypes, isInt64)} FROM (${text}) OFFSET ${offset}`,
        values,
        types,
      );
    const fields = names.map((name, i) => fieldOf(name, columnTypes[i]!, false));
    const result = new FakeResult({ connection, fields, read, count: () => this.#count(text, values, types) });
    await result.fill();
    return result;
  }

  async #count(sql: string, values: (string | null)[], types: DuckDBType[]): Promise<number> {
    const [[count]] = (await this.#root.runAndReadAll(`SELECT count(*) FROM (${sql})`, values, types)).getRows() as [
      [bigint],
    ];
    return Number(count);
  }

  #toDuckdb(sql: string): string {
    return toDuckdb(sql, PROJECT, (dataset, table, micros) => {
      const versions = this.#versions.get(`${dataset}.${table}`) ?? [];
      const version = versions.findLast(({ since }) => since <= micros);
      if (!version) throw new Error(`Table with name ${dataset}.${table} does not exist at that time`);
      return `${HISTORY}."${version.copy}"`;
    });
  }

  /** Declared keys are kept beside the table, and are not the database's to enforce. */
  #takeKeys(sql: string): string {
    const declared =
      /CREATE\s+(?:OR\s+REPLACE\s+)?TABLE\s+([`\w.-]+)([\s\S]*?),\s*PRIMARY KEY\s*\(([^)]*)\)(?:\s*NOT ENFORCED)?/gi;
    return sql.replace(declared, (text, path: string, columns: string, key: string) => {
      const name = path.replaceAll("`", "").split(".").slice(-2).join(".");
      this.#keys.set(
        name,
        key.split(",").map((column) => column.trim().replaceAll("`", "")),
      );
      return text.slice(0, text.indexOf(columns) + columns.length);
    });
  }

  /** Keeps the present version of the tables that a statement names. */
  async #keepVersions(sql: string): Promise<void> {
    const [[now]] = (await this.#root.runAndReadAll("SELECT epoch_us(now())")).getRows() as [[bigint]];
    const tables = await this.#root.runAndReadAll(
      `SELECT schema_name, table_name FROM duckdb_tables() WHERE schema_name NOT IN ('main', '${HISTORY}')`,
    );
    const rows = tables.getRows() as [string, string][];
    for (const path of this.#versions.keys())
      if (!rows.some(([schema, name]) => path === `${schema}.${name}`)) this.#versions.delete(path);
    for (const [schema, name] of rows) {
      if (!sql.replaceAll("`", "").includes(`${schema}.${name}`)) continue;
      const versions = this.#versions.get(`${schema}.${name}`) ?? [];
      const copy = `${schema}.${name}.${++this.#copies}`;
      await this.#root.run(`CREATE TABLE ${HISTORY}."${copy}" AS FROM "${schema}"."${name}"`);
      this.#versions.set(`${schema}.${name}`, [...versions, { since: now, copy }]);
    }
  }

  async #requiredColumns(dataset: string, name: string): Promise<Set<string>> {
    const reader = await this.#root.runAndReadAll(
      `SELECT column_name FROM information_schema.columns
       WHERE table_schema = ? AND table_name = ? AND is_nullable = 'NO'`,
      [dataset, name],
    );
    return new Set(reader.getRows().map(([column]) => String(column)));
  }
}

function bound(parameters: readonly Parameter[]): { values: (string | null)[]; types: DuckDBType[] } {
  return {
    values: parameters.map(({ parameterValue }) => parameterValue.value ?? null),
    types: parameters.map(() => VARCHAR),
  };
}

type ResultParts = {
  connection: DuckDBConnection;
  fields: FakeField[];
  read(isInt64: boolean, offset: number): Promise<DuckDBResult>;
  count(): Promise<number>;
};

/** A result as of when its statement ran: whole where it is small, else read as its pages are asked for. */
export class FakeResult {
  readonly fields: FakeField[];
  totalRows = 0;
  readonly #parts: ResultParts;
  /** Rows that were read last, from `#from` on; `#cursor` gives those behind them. */
  #rows: string[] = [];
  #from = 0;
  #cursor: DuckDBResult | undefined;
  #isInt64 = true;

  constructor(parts: ResultParts) {
    this.#parts = parts;
    this.fields = parts.fields;
  }

  /** Runs the statement: an error of its rows comes here, where there are not many. */
  async fill(): Promise<void> {
    await this.#seek(0, this.#isInt64);
    await this.#readTo(ROWS_AT_ONCE);
    this.totalRows = this.#rows.length < ROWS_AT_ONCE ? this.#rows.length : await this.#parts.count();
  }

  /** Texts of rows, fewer than `count` only at the end. */
  async rows(start: number, count: number, isInt64: boolean): Promise<string[]> {
    if (isInt64 !== this.#isInt64 || start < this.#from || start > this.#from + this.#rows.length)
      await this.#seek(start, isInt64);
    await this.#readTo(start + count);
    const page = this.#rows.slice(start - this.#from, start - this.#from + count);
    // Kept for whoever asks for the page again.
    if (this.totalRows > ROWS_AT_ONCE) {
      this.#rows = this.#rows.slice(start - this.#from);
      this.#from = start;
    }
    return page;
  }

  async #seek(start: number, isInt64: boolean): Promise<void> {
    this.#cursor = await this.#parts.read(isInt64, start);
    this.#isInt64 = isInt64;
    this.#rows = [];
    this.#from = start;
  }

  async #readTo(end: number): Promise<void> {
    while (this.#cursor && this.#from + this.#rows.length < end) {
      const chunk = await this.#cursor.fetchChunk();
      if (!chunk || chunk.rowCount === 0) this.#cursor = undefined;
      else for (const text of chunk.getColumnValues(0)) this.#rows.push(text as string);
    }
  }

  close(): void {
    this.#parts.connection.closeSync();
  }
}

// What the fake's statements run on: DuckDB in memory, a schema for each dataset.

import { DuckDBInstance, VARCHAR, type DuckDBConnection, type DuckDBResult, type DuckDBType } from "@duckdb/node-api";
import { fieldOf, rowExpression, type FakeField } from "./fake-rows.ts";
import { MACROS, toDuckdb } from "./google-sql.ts";
import { PROJECT } from "./fake-tokens.ts";

/** As REST's `queryParameters` have them. */
export type Parameter = { parameterType: { type: string }; parameterValue: { value?: string | null } };

export type FakeTable = { dataset: string; name: string; isView: boolean; fields: FakeField[]; rows: number };

/** How often a table's rows are looked at before its size is asked for. */
const ROWS_AT_ONCE = 200_000;

export class FakeDatabase {
  readonly #instance: DuckDBInstance;
  readonly #root: DuckDBConnection;

  private constructor(instance: DuckDBInstance, root: DuckDBConnection) {
    this.#instance = instance;
    this.#root = root;
  }

  static async create(): Promise<FakeDatabase> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
    const root = await instance.connect();
    await root.run("SET TimeZone = 'UTC'");
    for (const macro of MACROS) await root.run(macro);
    return new FakeDatabase(instance, root);
  }

  close(): void {
    this.#root.closeSync();
    this.#instance.closeSync();
  }

  /** Statements of a test's own, in GoogleSQL: DDL and DML too. */
  async execute(sql: string): Promise<void> {
    await this.#root.run(toDuckdb(sql, PROJECT));
  }

  /** Those that a statement reads, beneath views too, as `dataset.table`. */
  tablesOf(sql: string): string[][] {
    return this.#root
      .getTableNames(toDuckdb(sql, PROJECT), true)
      .map((name) => name.split(".").map((part) => part.replace(/^"(.*)"$/, "$1")))
      .filter((parts) => parts.length > 1);
  }

  async describe(sql: string, parameters: readonly Parameter[]): Promise<FakeField[]> {
    const { values, types } = bound(parameters);
    const result = await this.#root.run(`SELECT * FROM (${toDuckdb(sql, PROJECT)}) LIMIT 0`, values, types);
    return result.columnNames().map((name, i) => fieldOf(name, result.columnType(i), false));
  }

  async listTables(): Promise<FakeTable[]> {
    const rows = (
      await this.#root.runAndReadAll(
        `SELECT table_schema, table_name, table_type = 'VIEW' FROM information_schema.tables
         WHERE table_schema <> 'main' ORDER BY 1, 2`,
      )
    ).getRows() as [string, string, boolean][];
    return Promise.all(
      rows.map(async ([dataset, name, isView]) => {
        const path = `"${dataset}"."${name}"`;
        const result = await this.#root.run(`FROM ${path} LIMIT 0`);
        const required = await this.#requiredColumns(dataset, name);
        const fields = result.columnNames().map((column, i): FakeField => {
          const field = fieldOf(column, result.columnType(i), true);
          return required.has(column) ? { ...field, mode: "REQUIRED" } : field;
        });
        return { dataset, name, isView, fields, rows: await this.#count(`FROM ${path}`, [], []) };
      }),
    );
  }

  async open(sql: string, parameters: readonly Parameter[]): Promise<FakeResult> {
    const { values, types } = bound(parameters);
    const connection = await this.#instance.connect();
    await connection.run("SET TimeZone = 'UTC'; BEGIN TRANSACTION");
    const text = toDuckdb(sql, PROJECT);
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

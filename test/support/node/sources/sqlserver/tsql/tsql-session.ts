// Runs T-SQL statements one by one, each session on a connection of its own to the same DuckDB.

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import * as tokens from "../tds/tokens.ts";
import type { BoundCell } from "../tds/requests.ts";
import type { FakeColumn } from "../tds/column-types.ts";
import type { FakeValue } from "../tds/values.ts";
import type { FakeTables } from "./fake-tables.ts";
import { toDuckdb } from "./rewrite.ts";
import { toFakeValue, typeOf } from "./storage.ts";
import { nameOf, tokenize } from "./tokenize.ts";
import { TsqlError } from "./tsql-error.ts";

/** Rows of values, or rows that are encoded already. */
export type RowBatch = readonly (readonly FakeValue[])[] | { page: Buffer; rows: number };
export type TsqlResult = { columns: FakeColumn[]; batches: AsyncIterable<RowBatch> | Iterable<RowBatch> };

const NO_TRANSACTION = Buffer.alloc(8);
const SETTINGS =
  /^\s*SET\s+((ANSI_\w+|ARITHABORT|CONCAT_NULL_YIELDS_NULL|QUOTED_IDENTIFIER|XACT_ABORT|NUMERIC_ROUNDABORT|IMPLICIT_TRANSACTIONS|NOCOUNT|CURSOR_CLOSE_ON_COMMIT)(\s*,\s*\w+)*\s+(ON|OFF)|(LANGUAGE|DATEFORMAT|DATEFIRST|TEXTSIZE|ROWCOUNT|DEADLOCK_PRIORITY|LOCK_TIMEOUT|TRANSACTION\s+ISOLATION\s+LEVEL)\s[\w ]+)\s*$/i;
const ISOLATION = /^\s*SET\s+TRANSACTION\s+ISOLATION\s+LEVEL\s+([\w ]+?)\s*$/i;
/** The driver's own settings after the login have nothing between them. */
const DRIVER_SETTINGS = /^set ansi_nulls on\nset /i;

export class TsqlSession {
  readonly #connection: DuckDBConnection;
  readonly #tables: FakeTables;
  #transaction = 0n;
  #begun = 0n;
  #isolation = "READ COMMITTED";

  private constructor(connection: DuckDBConnection, tables: FakeTables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  static async open(instance: DuckDBInstance, tables: FakeTables): Promise<TsqlSession> {
    const connection = await instance.connect();
    await connection.run("SET search_path = 'dbo,main'; SET TimeZone = 'UTC'");
    return new TsqlSession(connection, tables);
  }

  /** What statements have to say of the transaction they are in. */
  get transaction(): Buffer {
    if (this.#transaction === 0n) return NO_TRANSACTION;
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(this.#transaction);
    return bytes;
  }

  /** What the client is told of it: nothing where there is no transaction. */
  async rollBack(): Promise<Buffer> {
    if (this.#transaction === 0n) return Buffer.alloc(0);
    await this.#connection.run("ROLLBACK");
    const environment = tokens.transactionOver(10, this.transaction);
    this.#transaction = 0n;
    return environment;
  }

  close(): void {
    this.#connection.closeSync();
  }

  /** Throws a {@link TsqlError}. */
  async run(sql: string, values?: Map<string, BoundCell>): Promise<{ environment?: Buffer; result?: TsqlResult }> {
    this.#isolation = ISOLATION.exec(sql)?.[1]?.toUpperCase() ?? this.#isolation;
    if (SETTINGS.test(sql) || DRIVER_SETTINGS.test(sql)) return {};
    if (/^\s*BEGIN\s+TRAN(SACTION)?\s*$/i.test(sql)) {
      await this.#connection.run("BEGIN TRANSACTION");
      this.#transaction = ++this.#begun;
      return { environment: tokens.transactionBegun(this.transaction) };
    }
    if (/^\s*(IF\s+@@TRANCOUNT\s*>\s*0\s+ROLLBACK|ROLLBACK|COMMIT)(\s+TRAN(SACTION)?)?\s*$/i.test(sql))
      return { environment: await this.rollBack() };
    return { result: await this.#select(sql, values) };
  }

  async #select(sql: string, values?: Map<string, BoundCell>): Promise<TsqlResult> {
    this.#checkIsolation(sql);
    try {
      const prepared = await this.#connection.prepare(toDuckdb(sql));
      if (values) prepared.bind(Object.fromEntries([...values].map(([name, value]) => [name.slice(1), value])));
      const streamed = await prepared.stream();
      const columns = this.#describe(sql, streamed.columnNames(), streamed.columnTypes());
      return { columns, batches: rowsOf(() => streamed.fetchChunk()) };
    } catch (error) {
      throw refusal((error as Error).message);
    }
  }

  /** Tables kept in memory are not read by every transaction. */
  #checkIsolation(sql: string): void {
    const words = tokenize(sql).filter(({ kind }) => kind !== "space");
    const named = new Set(words.map(({ text }) => nameOf(text)));
    if (this.#transaction === 0n || !this.#tables.all.some(({ name, inMemory }) => inMemory && named.has(name))) return;
    if (this.#isolation === "SNAPSHOT") throw new TsqlError(SNAPSHOT_REFUSED);
    const isHinted = /\bWITH \( SNAPSHOT \)/i.test(words.map(({ text }) => text).join(" "));
    if (!isHinted && !this.#tables.elevatesToSnapshot) throw new TsqlError(HINT_MISSING);
  }

  /** A column that has a table's name and its storage is that table's. */
  #describe(sql: string, names: string[], types: Parameters<typeof typeOf>[0][]): FakeColumn[] {
    const named = new Set(tokenize(sql).map(({ text }) => nameOf(text)));
    const tables = this.#tables.all.filter(({ name }) => named.has(name));
    return names.map((name, i) => {
      const storage = String(types[i]);
      const column = tables
        .flatMap(({ columns }) => columns)
        .find((one) => one.name === name && this.#tables.storageOf(one.type) === storage);
      const type = column?.type ?? typeOf(types[i]!);
      return { name, type, ...(type === "rowversion" ? { userType: 80 } : {}) };
    });
  }
}

const SNAPSHOT_REFUSED = {
  number: 41332,
  message:
    "Memory optimized tables and natively compiled modules cannot be accessed or created when the session " +
    "TRANSACTION ISOLATION LEVEL is set to SNAPSHOT.",
};
const HINT_MISSING = {
  number: 41368,
  message:
    "Accessing memory optimized tables using the READ COMMITTED isolation level is supported only for autocommit " +
    "transactions. It is not supported for explicit or implicit transactions. Provide a supported isolation level " +
    "for the memory optimized table using a table hint, such as WITH (SNAPSHOT).",
};

/** What SQL Server says where DuckDB says this. */
function refusal(message: string): TsqlError {
  const table = /Table with name (\S+) does not exist/.exec(message)?.[1];
  if (table !== undefined) return new TsqlError({ number: 208, message: `Invalid object name '${table}'.` });
  const column = /Referenced column "([^"]*)" not found/.exec(message)?.[1];
  if (column !== undefined) return new TsqlError({ number: 207, message: `Invalid column name '${column}'.` });
  return new TsqlError({ number: 102, message });
}

type Chunk = { rowCount: number; getRows(): DuckDBValue[][] };

async function* rowsOf(fetch: () => Promise<Chunk | null>): AsyncGenerator<FakeValue[][]> {
  for (let chunk = await next(fetch); chunk && chunk.rowCount > 0; chunk = await next(fetch))
    yield chunk.getRows().map((row) => row.map(toFakeValue));
}

async function next(fetch: () => Promise<Chunk | null>): Promise<Chunk | null> {
  try {
    return await fetch();
  } catch (error) {
    throw new TsqlError({ number: 8134, message: (error as Error).message });
  }
}

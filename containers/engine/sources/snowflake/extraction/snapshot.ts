// One view of a Snowflake database: a session in which every table is read as of one moment, by time travel.
//
// Snowflake has no transaction that would do: each statement in one sees what others have committed by then.

import { Failure } from "../../../core/failure.ts";
import type { SnowflakeCredentials } from "../../../../../kernel/wire/source.ts";
import { ChunkBuilder } from "../../../extract/chunk-builder.ts";
import type { ChangeRequest, ChangeReport } from "../../../extract/changes/changes.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";
import type { ReadAs, SourceColumn, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { TextRows } from "../../../extract/text-cells.ts";
import type { RowFormat, SnapshotRows, TextRow } from "../../row-collector.ts";
import { explainHidden, isNumeric, listedTables, type ListedTable, type SourceSnapshot } from "../../snapshot.ts";
import { checkCredentials } from "../connection/account.ts";
import { connect, type Connection } from "../connection/connect.ts";
import { protocolViolation, statementFailure } from "../connection/errors.ts";
import { fetchAll } from "../rows/fetch-all.ts";
import type { SnowflakeResult } from "../rows/open-result.ts";
import { FOLDING, quoteIdentifier, quoteTable } from "../sql-text.ts";
import { describeTable, type SnowflakeTable } from "./describe-table.ts";
import { instantSql, LITERALS } from "./digest-dialect.ts";
import { findChangedRows, keyIsUnique, MOMENT } from "./find-changes.ts";

/** The bound on one statement: a large table's rows stay at the server until they are fetched. */
const STATEMENT_MS = 24 * 60 * 60_000;

export class SnowflakeSnapshot implements SourceSnapshot, SnapshotRows {
  readonly consistency =
    "All tables are read as of one moment, by time travel; of one that has none, its notes say so.";
  readonly readersMax = 2;
  readonly folding = FOLDING;
  readonly database: string;
  /** In UTC, as text. */
  readonly moment: string;
  readonly role: string;

  readonly #connection: Connection;
  readonly #id: string;

  private constructor(connection: Connection, id: string, opened: { database: string; moment: string; role: string }) {
    this.#connection = connection;
    this.#id = id;
    this.database = opened.database;
    this.moment = opened.moment;
    this.role = opened.role;
  }

  /** `id` is what the account's query history names its statements by. */
  static async open(credentials: SnowflakeCredentials, id: string, signal: AbortSignal): Promise<SnowflakeSnapshot> {
    const { database } = checkCredentials(credentials);
    const connection = await connect(credentials, signal);
    try {
      const [[moment, role] = protocolViolation("it does not tell the time")] = await connection.fetchRows(
        "SELECT TO_VARCHAR(SYSDATE(), 'YYYY-MM-DD HH24:MI:SS.FF9'), COALESCE(CURRENT_ROLE(), '')",
        "tt",
        signal,
      );
      if (!MOMENT.test(moment!)) protocolViolation("its time is none");
      return new SnowflakeSnapshot(connection, id, { database, moment: moment!, role: role! });
    } catch (error) {
      await connection.close();
      throw toFailure(error, signal);
    }
  }

  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<SnowflakeTable> {
    const catalog = {
      database: this.database,
      fetchRows: (sql: string, format: RowFormat) => this.fetchRows(sql, format, signal),
      fetchNamed: (sql: string, names: readonly string[]) =>
        this.#run(signal, () => this.#connection.fetchNamed(sql, names, signal)),
      hasPast: (of: SourceTableName) => this.#hasPast(of, signal),
    };
    return describeTable(catalog, table, readAs);
  }

  read({ table, columns, where, signal, emptyColumns, take }: ReadRequest): Promise<ReadReport> {
    return this.#run(signal, async () => {
      const from = `${this.from(table as SnowflakeTable)}${where === undefined ? "" : ` WHERE ${where}`}`;
      const sql = `SELECT ${columns.map(({ select }) => select).join(", ")} FROM ${from}`;
      const result = await this.#send(sql, signal);
      const builder: ChunkBuilder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, rows.oddFloats));
      const rows = new TextRows(columns, builder);
      await result.rows((row) => {
        const held = rows.addPacked(row);
        return held ? held.then(() => true) : true;
      });
      await builder.flush();
      if (builder.rowsTotal !== result.rowCount)
        protocolViolation(`it sent ${builder.rowsTotal} rows of ${result.rowCount}`);
      return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes: [] };
    });
  }

  async listTables(signal: AbortSignal): Promise<ListedTable[]> {
    return listedTables(
      await this.fetchRows(
        `SELECT TABLE_SCHEMA, TABLE_NAME, CASE WHEN TABLE_TYPE LIKE '%VIEW%' THEN '1' ELSE '0' END, ROW_COUNT
        FROM ${quoteIdentifier(this.database)}.INFORMATION_SCHEMA.TABLES
        WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY 1, 2`,
        "tttN",
        signal,
      ),
    );
  }

  /** The catalog shows no role what it may not read. */
  explainMissing(paths: readonly string[], wereSynced: ReadonlySet<string>): Promise<Map<string, string>> {
    return explainHidden(paths, wereSynced, { place: "database", reader: "role" });
  }

  isFrom(column: SourceColumn, from: string): string {
    const literal = isNumeric(column)
      ? from
      : (LITERALS[column.lake.type] ?? (() => protocolViolation("no cursor")))(from);
    return `${column.select} >= ${literal}`;
  }

  keyIsUnique(table: SourceTable, signal: AbortSignal): Promise<boolean> {
    return keyIsUnique(this, table as SnowflakeTable, signal);
  }

  findChanges(request: ChangeRequest): Promise<ChangeReport> {
    return findChangedRows(this, request.table as SnowflakeTable, request);
  }

  /** A table as a FROM clause names it: as of this snapshot's moment, where it can be read so. */
  from(table: SourceTableName & Pick<SnowflakeTable, "hasPast">): string {
    const name = quoteTable(this.database, table);
    return table.hasPast ? `${name} AT(TIMESTAMP => ${instantSql(this.moment)})` : name;
  }

  /** Runs a statement of the engine's own; as of this snapshot's moment only where it says so itself. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    return this.#run(signal, async () => fetchAll(await this.#send(sql, signal), format));
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #hasPast(table: SourceTableName, signal: AbortSignal): Promise<boolean> {
    const probe = `SELECT 1 FROM ${this.from({ ...table, hasPast: true })} LIMIT 0`;
    try {
      await this.fetchRows(probe, "n", signal);
      return true;
    } catch (error) {
      // A table that can't be read at all fails when it is read.
      if (error instanceof Failure && error.code === "sql_error") return false;
      throw error;
    }
  }

  #send(sql: string, signal: AbortSignal): Promise<SnowflakeResult> {
    return this.#connection.run({ sql, signal, timeoutMs: STATEMENT_MS, id: this.#id });
  }

  async #run<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toFailure(error, signal);
    }
  }
}

const toFailure = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : statementFailure(error, false);

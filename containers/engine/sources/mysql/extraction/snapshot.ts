// One consistent view of a MySQL or MariaDB server: a transaction on one connection, on which tables are read in turn.

import { Semaphore } from "../../../../program/semaphore.ts";
import { Failure } from "../../../core/failure.ts";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { connect, type Connection } from "../connection/connect.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { statementFailure } from "../connection/errors.ts";
import { protocolViolation, MysqlError } from "../connection/packets.ts";
import { ChunkBuilder } from "../../../extract/chunk-builder.ts";
import type { ChangeRequest, ChangeReport } from "../../../extract/changes/changes.ts";
import type { ReadAs, SourceColumn, SourceTableName } from "../../../extract/source-table.ts";
import { MysqlDecoder } from "./row-decoder.ts";
import type { MysqlWire } from "../connection/wire.ts";
import { describeTable, type MysqlTable } from "./describe-table.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { explainHidden, isNumeric, type ListedTable, type SourceSnapshot } from "../../snapshot.ts";
import { quoteTable } from "../sql-text.ts";
import { findChangedRanges } from "./find-changes.ts";
import { listTables } from "./tables.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";

/** For a statement of the engine's own; digests of a large range take minutes. */
const STATEMENT_MS = 900_000;

export class MysqlSnapshot implements SourceSnapshot {
  readonly consistency = "All tables are read in one transaction, from its snapshot of the InnoDB tables.";
  /** Its snapshot can't be shared. */
  readonly readersMax = 1;

  readonly #connection: Connection;
  /** It does one thing at a time. */
  readonly #connectionUse = new Semaphore(1);

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(credentials: DatabaseCredentials, signal: AbortSignal): Promise<MysqlSnapshot> {
    const snapshot = new MysqlSnapshot(await connect(credentials, signal));
    try {
      for (const statement of OPENING) await snapshot.fetchRows(statement, "", signal);
      return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<MysqlTable> {
    return describeTable((sql, format) => this.fetchRows(sql, format, signal), table, readAs);
  }

  read({ table, columns, where, signal, emptyColumns, take }: ReadRequest): Promise<ReadReport> {
    return this.#useConnection(signal, async () => {
      const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, decoder.oddFloats));
      const decoder = new MysqlDecoder(columns, builder);
      const from = `${quoteTable(table)}${where === undefined ? "" : ` WHERE ${where}`}`;
      const sql = `SELECT ${columns.map(({ select }) => select).join(", ")} FROM ${from}`;
      const { hasRows } = await this.#wire.query(sql, signal, {
        row: (bytes, from, to) => decoder.take(bytes, from, to),
        stop: this.#stop,
      });
      if (!hasRows) protocolViolation("a table has no rows to tell, not even none");
      await builder.flush();
      const notes = columns.flatMap(({ name }, i) =>
        decoder.invalidDates[i]
          ? [`Column ${name} holds ${decoder.invalidDates[i]} zero or impossible dates, which are NULL in the lake.`]
          : [],
      );
      return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes };
    });
  }

  listTables(signal: AbortSignal): Promise<ListedTable[]> {
    return listTables((sql, format) => this.fetchRows(sql, format, signal));
  }

  /** The server shows no account what it may not read. */
  explainMissing(paths: readonly string[], wereSynced: ReadonlySet<string>): Promise<Map<string, string>> {
    return explainHidden(paths, wereSynced, { place: "source", reader: "account" });
  }

  isFrom(column: SourceColumn, from: string): string {
    return `${column.select} >= ${isNumeric(column) ? from : quoteLiteral(from.replace(/\+00$/, ""))}`;
  }

  findChanges(request: ChangeRequest): Promise<ChangeReport> {
    return findChangedRanges(this, request.table as MysqlTable, request);
  }

  /** Runs a statement of the engine's own in this snapshot. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    const tooLate = AbortSignal.timeout(STATEMENT_MS);
    return this.#useConnection(signal, async () => {
      try {
        return await this.#wire.fetchRows(sql, format, AbortSignal.any([signal, tooLate]), this.#stop);
      } catch (error) {
        throw tooLate.aborted
          ? new Failure("deadline_exceeded", `The database did not answer within ${STATEMENT_MS / 1000} s.`, {
              cause: error,
            })
          : error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#connection.close().catch(() => undefined);
  }

  get #wire(): MysqlWire {
    return this.#connection.wire;
  }

  readonly #stop = (): Promise<void> => this.#connection.interrupt();

  async #useConnection<T>(signal: AbortSignal, use: () => Promise<T>): Promise<T> {
    try {
      return await this.#connectionUse.run(use, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof MysqlError && TRANSIENT_ERRORS.has(error.errno))
        throw new Failure("busy", `The database could not go on: ${error.message}. Try again.`, { cause: error });
      throw statementFailure(error, false);
    }
  }
}

/**
 * Locks waited for too long, deadlocks, a table that was altered or truncated since the snapshot, or is gone, or a
 * column of it.
 */
const TRANSIENT_ERRORS = new Set([1205, 1213, 1412, 1146, 1054]);

/**
 * The session is opened much as in `connector.ts`, but with leave to take long, for an account's time limits are meant
 * for people, and to compare keys with an invalid date.
 */
const OPENING = [
  `SET SESSION time_zone = '+00:00',
    SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES',
    SESSION net_write_timeout = 3600,
    SESSION wait_timeout = 86400,
    SESSION lock_wait_timeout = 300
    /*M!100100 , SESSION max_statement_time = 0 */
    /*!50708 , SESSION max_execution_time = 0 */`,
  "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
  "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
];

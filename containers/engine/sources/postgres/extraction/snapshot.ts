// One snapshot of a PostgreSQL database, exported to the readers of a run, or, on a standby, read by one session in
// turn.

import { Failure } from "../../../core/failure.ts";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import type { ChangeRequest, ChangeReport } from "../../../extract/changes/changes.ts";
import { isNumeric, type ListedTable, type SourceSnapshot } from "../../snapshot.ts";
import type { ReadAs, SourceColumn, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { readRows, SLOW_BYTES_PER_SECOND, type ScanTable } from "./copy/read-rows.ts";
import { checkStorage, toChanged } from "./check-storage.ts";
import { SessionPool, type SessionUse } from "./session-pool.ts";
import { PostgresSession } from "./session.ts";
import { describeTable, type PostgresTable } from "./describe-table.ts";
import { quoteLiteral } from "../sql-text.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";
import { Semaphore } from "../../../../program/semaphore.ts";
import { findWritten, insertedSince, watermarkOf, type PostgresWatermark } from "./changed-rows.ts";
import { readPosition, type SnapshotPosition } from "./position.ts";
import { isUnableToSum, sumKeys } from "./sum-keys.ts";
import { explainMissing, listTables } from "./tables.ts";

/** Nothing comes of a sum before its end, and a run may last as long. */
const SUM_MS = 24 * 60 * 60_000;

/** Four sessions read a table at the most. */
const HELPERS_MAX = 3;

type OpenedSnapshot = {
  credentials: DatabaseCredentials;
  /** The name of its sessions in the server's list of activity. */
  name: string;
  /** The session whose transaction holds the snapshot. */
  holder: PostgresSession;
  exported: string | undefined;
  sessions: SessionPool;
  position: SnapshotPosition;
  slowBytesPerSecond: number;
};

export class PostgresSnapshot implements SourceSnapshot {
  readonly consistency: string;
  readonly readersMax: number;
  readonly position: SnapshotPosition;

  readonly #credentials: DatabaseCredentials;
  readonly #name: string;
  #holder: PostgresSession;
  /**
   * Undefined on a standby: what it exports may lack transactions that run, which readers would then take for failed,
   * and mark as such for all.
   */
  readonly #exported: string | undefined;
  readonly #holderUse = new Semaphore(1);
  readonly #sessions: SessionPool;
  readonly #slowBytesPerSecond: number;
  #isHolderLost = false;

  private constructor(opened: OpenedSnapshot) {
    const { credentials, name, holder, exported, sessions, position, slowBytesPerSecond } = opened;
    this.#sessions = sessions;
    this.#slowBytesPerSecond = slowBytesPerSecond;
    this.#credentials = credentials;
    this.#name = name;
    this.#holder = holder;
    this.#exported = exported;
    this.position = position;
    this.readersMax = exported === undefined ? 1 : 4;
    this.consistency =
      exported === undefined
        ? "The source is a standby: its tables are read in one transaction, one after another, " +
          "and what has to be read again in a later one."
        : "All tables are read from one snapshot of the database.";
  }

  /**
   * `name` is how the server's list of activity calls the readers. Vacuum keeps what this snapshot sees until it is
   * closed. A table that comes at fewer than `slowBytesPerSecond` is read by several sessions.
   */
  static async open(
    credentials: DatabaseCredentials,
    name: string,
    signal: AbortSignal,
    slowBytesPerSecond = SLOW_BYTES_PER_SECOND,
  ): Promise<PostgresSnapshot> {
    const open = (opening: AbortSignal) => PostgresSession.open(credentials, name, opening);
    const holder = await open(signal);
    const sessions = new SessionPool(open, HELPERS_MAX);
    try {
      await holder.fetchRows(BEGIN + SETTINGS, "", signal);
      const [[exported] = []] = await holder.fetchRows(
        "SELECT CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_export_snapshot() END",
        "T",
        signal,
      );
      // Its handshake and login take longer than what the holder still asks, and than the list of tables.
      if (exported != null) sessions.openAhead(signal);
      const position = await readPosition(holder, signal);
      return new PostgresSnapshot({
        credentials,
        name,
        holder,
        exported: exported ?? undefined,
        sessions,
        position,
        slowBytesPerSecond,
      });
    } catch (error) {
      await Promise.all([holder.close().catch(() => undefined), sessions.close()]);
      throw error;
    }
  }

  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<PostgresTable> {
    return this.#borrow(signal, (session) =>
      describeTable((sql, format) => session.fetchRows(sql, format, signal), table, readAs),
    );
  }

  read(request: ReadRequest): Promise<ReadReport> {
    const table = request.table as PostgresTable;
    const scan: ScanTable = (signal, as, use) => this.#scan({ table, signal, as }, use);
    return readRows({ request, scan, sessions: this.#sessions, slowBytesPerSecond: this.#slowBytesPerSecond });
  }

  listTables(signal: AbortSignal): Promise<ListedTable[]> {
    return listTables((sql, format) => this.fetchRows(sql, format, signal));
  }

  explainMissing(
    paths: readonly string[],
    wereSynced: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    return explainMissing((sql, format) => this.fetchRows(sql, format, signal), paths, wereSynced);
  }

  isFrom(column: SourceColumn, from: string): string {
    const value = isNumeric(column) ? `${from}::numeric` : `${quoteLiteral(from)}::pg_catalog.${column.lake.type}`;
    return `${column.select} >= ${value}`;
  }

  findChanges(request: ChangeRequest): Promise<ChangeReport> {
    const scanned = { position: this.position, isLasting: this.#exported !== undefined };
    const table = request.table as PostgresTable;
    return findWritten(scanned, table, request, (oldest) => this.#sumKeys(table, oldest, request));
  }

  async #sumKeys(table: PostgresTable, oldest: bigint, { signal, onProgress }: ChangeRequest) {
    onProgress(0);
    try {
      return await this.#scan({ table, signal, as: "reader" }, (session) =>
        sumKeys((sql, format) => session.fetchRows(sql, format, signal, SUM_MS), table, oldest),
      );
    } catch (error) {
      if (isUnableToSum(error)) return undefined;
      throw error;
    }
  }

  readonly late = {
    mark: (table: SourceTable): object | null => watermarkOf(this, table as PostgresTable) ?? null,
    insertedSince: (mark: object, table: SourceTable) =>
      insertedSince(mark as PostgresWatermark, this, table as PostgresTable),
  };

  /** Runs a statement of the engine's own in this snapshot. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal, deadlineMs?: number): Promise<TextRow[]> {
    return this.#borrow(signal, (session) => session.fetchRows(sql, format, signal, deadlineMs));
  }

  async close(): Promise<void> {
    await Promise.all([this.#holder.close().catch(() => undefined), this.#sessions.close()]);
  }

  /** Runs `use`, which reads the table's rows, with a session that has locked it. */
  #scan<T>(
    { table, signal, as }: { table: PostgresTable; signal: AbortSignal; as: SessionUse },
    use: (session: PostgresSession, pages: number) => Promise<T>,
  ): Promise<T> {
    const scanning = this.#borrow(
      signal,
      async (session) => {
        const pages = await checkStorage(session, table, signal);
        // The transaction of a standby's only session goes on, and with it what is set for ranges.
        return use(session, this.#exported === undefined ? 0 : pages);
      },
      as,
    );
    return scanning.catch((error: unknown) => {
      throw toChanged(error, table);
    });
  }

  /**
   * Runs `use` with a session in a transaction on the snapshot. The transaction ends with its use, and with it the
   * locks it took: they would keep whoever wants to alter a table waiting. A session that failed may hold half a
   * statement: closing it cancels that.
   */
  async #borrow<T>(
    signal: AbortSignal,
    use: (session: PostgresSession) => Promise<T>,
    as: SessionUse = "reader",
  ): Promise<T> {
    const exported = this.#exported;
    if (exported === undefined) return this.#holderUse.run(() => this.#useHolder(signal, use), signal);
    const session = await this.#sessions.take(signal, as);
    try {
      await this.#begin(session, exported, signal);
      const result = await use(session);
      await session.fetchRows("COMMIT", "", signal);
      this.#sessions.giveBack(session);
      return result;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /**
   * A session that failed is replaced by one with a later snapshot. The position stays that of the first: what came
   * since is read twice.
   */
  async #useHolder<T>(signal: AbortSignal, use: (session: PostgresSession) => Promise<T>): Promise<T> {
    try {
      if (this.#isHolderLost) {
        this.#holder = await PostgresSession.open(this.#credentials, this.#name, signal);
        await this.#holder.fetchRows(BEGIN + SETTINGS, "", signal);
        this.#isHolderLost = false;
      }
      return await use(this.#holder);
    } catch (error) {
      this.#isHolderLost = true;
      await this.#holder.close();
      throw error;
    }
  }

  async #begin(session: PostgresSession, exported: string, signal: AbortSignal): Promise<void> {
    try {
      await session.fetchRows(`${BEGIN} SET TRANSACTION SNAPSHOT ${quoteLiteral(exported)}; ${SETTINGS}`, "", signal);
    } catch (error) {
      if (signal.aborted || this.#holder.idle) throw error;
      throw new Failure("connection_failed", "The connection that holds the snapshot of the database was lost.", {
        reason: "other",
        cause: error,
      });
    }
  }
}

const BEGIN = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;";

/**
 * These settings decide how values print, where they travel as text, and give leave to take long: a role's time limits
 * are meant for people. Waiting for a lock has an end. On Linux servers from version 14 on, the server notices within
 * seconds when this process is gone.
 */
const SETTINGS = `
  SET LOCAL default_transaction_read_only = on;
  SET LOCAL client_encoding = 'UTF8';
  SET LOCAL standard_conforming_strings = on;
  SET LOCAL datestyle = 'ISO';
  SET LOCAL intervalstyle = 'iso_8601';
  SET LOCAL timezone = 'UTC';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 3;
  SET LOCAL xmlbinary = 'base64';
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = '300s';
  SELECT pg_catalog.set_config(name, CASE name WHEN 'transaction_timeout' THEN '0' ELSE '5000' END, true)
  FROM pg_catalog.pg_settings
  WHERE name = 'transaction_timeout'
    OR (name = 'client_connection_check_interval' AND setting = '0' AND pg_catalog.version() ~ 'linux');`;

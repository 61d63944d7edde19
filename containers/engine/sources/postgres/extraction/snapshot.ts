// One snapshot of a PostgreSQL database, exported to the readers of a run, or, on a standby, read by one session in
// turn.

import { Failure } from "../../../core/failure.ts";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { ServerError } from "../connection/errors.ts";
import type { ChangeRequest, FoundChanges } from "../../../extract/changes/changes.ts";
import { isNumeric, type ListedTable, type SourceSnapshot } from "../../snapshot.ts";
import type { ReadAs, SourceColumn, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { readRows, type Helpers, type ScanTable } from "./copy/read-rows.ts";
import { PostgresSession } from "./session.ts";
import { changedMeanwhile, describeTable, type PostgresTable } from "./describe-table.ts";
import { quoteLiteral, quoteTable } from "../sql-text.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";
import { Semaphore } from "../../../../program/semaphore.ts";
import { findWritten, insertedSince, watermarkOf, type PostgresWatermark } from "./changed-rows.ts";
import { readPosition, type SnapshotPosition } from "./position.ts";
import { isUnableToSum, sumKeys } from "./sum-keys.ts";
import { explainMissing, listTables } from "./tables.ts";

/** Nothing comes of a sum before its end, and a run may last as long. */
const SUM_MS = 24 * 60 * 60_000;

/** Sessions that read ranges of tables beside those that read tables. More of them gained nothing. */
const HELPERS_MAX = 3;

type OpenedSnapshot = {
  credentials: DatabaseCredentials;
  /** The name of its sessions in the server's list of activity. */
  name: string;
  /** The session whose transaction holds the snapshot. */
  holder: PostgresSession;
  exported: string | undefined;
  /** The first reader's session, which is being opened; none on a standby. */
  readers: Promise<PostgresSession>[];
  position: SnapshotPosition;
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
  readonly #helpers: Helpers;
  #isHolderLost = false;
  /** A session that could not be opened is among them until somebody wants it. */
  readonly #idle: Promise<PostgresSession>[];

  private constructor({ credentials, name, holder, exported, readers, position }: OpenedSnapshot) {
    this.#idle = readers;
    this.#credentials = credentials;
    this.#name = name;
    this.#holder = holder;
    this.#exported = exported;
    this.position = position;
    this.readersMax = exported === undefined ? 1 : 4;
    this.#helpers = { free: exported === undefined ? 0 : HELPERS_MAX };
    this.consistency =
      exported === undefined
        ? "The source is a standby: its tables are read in one transaction, one after another, " +
          "and what has to be read again in a later one."
        : "All tables are read from one snapshot of the database.";
  }

  /**
   * `name` is how the server's list of activity calls the readers. Vacuum keeps what this snapshot sees until it is
   * closed.
   */
  static async open(credentials: DatabaseCredentials, name: string, signal: AbortSignal): Promise<PostgresSnapshot> {
    const holder = await PostgresSession.open(credentials, name, signal);
    const readers: Promise<PostgresSession>[] = [];
    try {
      await holder.fetchRows(BEGIN + SETTINGS, "", signal);
      const [[exported] = []] = await holder.fetchRows(
        "SELECT CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_export_snapshot() END",
        "T",
        signal,
      );
      // Its handshake and login take longer than what the holder still asks, and than the list of tables.
      if (exported != null) readers.push(PostgresSession.open(credentials, name, signal));
      for (const reader of readers) reader.catch(() => undefined);
      const position = await readPosition(holder, signal);
      return new PostgresSnapshot({ credentials, name, holder, exported: exported ?? undefined, readers, position });
    } catch (error) {
      await closeAll([Promise.resolve(holder), ...readers]);
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
    const scan: ScanTable = (signal, use) => this.#scan(table, signal, use);
    return readRows(request, scan, this.#helpers);
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

  findChanges(request: ChangeRequest): Promise<FoundChanges> {
    const scanned = { position: this.position, isLasting: this.#exported !== undefined };
    const table = request.table as PostgresTable;
    return findWritten(scanned, table, request, (oldest) => this.#sumKeys(table, oldest, request));
  }

  async #sumKeys(table: PostgresTable, oldest: bigint, { signal, onProgress }: ChangeRequest) {
    onProgress(0);
    try {
      return await this.#scan(table, signal, (session) =>
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
    await closeAll([Promise.resolve(this.#holder), ...this.#idle.splice(0)]);
  }

  /** Runs `use`, which reads the table's rows, with a session that has locked it. */
  #scan<T>(
    table: PostgresTable,
    signal: AbortSignal,
    use: (session: PostgresSession, pages: number) => Promise<T>,
  ): Promise<T> {
    const scanning = this.#borrow(signal, async (session) => use(session, await checkStorage(session, table, signal)));
    return scanning.catch((error: unknown) => {
      throw toChanged(error, table);
    });
  }

  /**
   * Runs `use` with a session in a transaction on the snapshot. The transaction ends with its use, and with it the
   * locks it took: they would keep whoever wants to alter a table waiting. A session that failed may hold half a
   * statement: closing it cancels that.
   */
  async #borrow<T>(signal: AbortSignal, use: (session: PostgresSession) => Promise<T>): Promise<T> {
    const exported = this.#exported;
    if (exported === undefined) return this.#holderUse.run(() => this.#useHolder(signal, use), signal);
    const session = await (this.#idle.pop() ?? PostgresSession.open(this.#credentials, this.#name, signal));
    try {
      await this.#begin(session, exported, signal);
      const result = await use(session);
      await session.fetchRows("COMMIT", "", signal);
      this.#idle.push(Promise.resolve(session));
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

async function closeAll(sessions: readonly Promise<PostgresSession>[]): Promise<void> {
  await Promise.all(sessions.map((opening) => opening.then((session) => session.close()).catch(() => undefined)));
}

/**
 * Locks the table against changes of its form and its name, as reading it does, and sees whether the name still means
 * the table that was described, for rows are read by it, and whether its rows still lie where the snapshot saw them: a
 * table that was truncated or rewritten since would look empty to the snapshot. Returns how many pages it may be read
 * by ranges of; 0 where by none.
 */
async function checkStorage(session: PostgresSession, table: PostgresTable, signal: AbortSignal): Promise<number> {
  const [[isRenamed, moved, pages] = []] = await session.fetchRows(
    `SELECT FROM ${quoteTable(table)} LIMIT 0;
    SELECT pg_catalog.to_regclass(${quoteLiteral(quoteTable(table))})::pg_catalog.oid IS DISTINCT FROM ${table.oid},
      (SELECT count(*) FROM pg_catalog.pg_class
        WHERE oid = ANY (ARRAY[${table.storage.join(", ")}]::pg_catalog.oid[]) AND relkind IN ('r', 'm')
          AND relfilenode IS DISTINCT FROM pg_catalog.pg_relation_filenode(oid)),
      ${pagesOf(table)}`,
    "tnN",
    signal,
  );
  if (isRenamed !== "f") throw changedMeanwhile(table);
  if (moved !== "0")
    throw new Failure(
      "busy",
      `Table ${table.schema}.${table.name} was truncated or rewritten after this run began; try again.`,
    );
  return Number(pages ?? 0);
}

/** Scans by ranges of pages came with version 14, and are for tables of PostgreSQL's own storage that lie in one. */
const pagesOf = ({ oid, storage, untrackedReason }: PostgresTable): string =>
  storage.length === 1 && untrackedReason === undefined
    ? `CASE WHEN pg_catalog.current_setting('server_version_num')::int >= 140000
        THEN pg_catalog.pg_relation_size(${oid}) / pg_catalog.current_setting('block_size')::int END`
    : "NULL";

/** No such table, no such column. */
const GONE = ["42P01", "42703"];

/** The table is not as the snapshot described it any more; a later snapshot sees it as it is. */
function toChanged(error: unknown, table: SourceTableName): unknown {
  const cause = error instanceof Failure ? error.cause : undefined;
  return cause instanceof ServerError && GONE.includes(cause.code) ? changedMeanwhile(table, cause) : error;
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

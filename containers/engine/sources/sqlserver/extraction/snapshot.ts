// One view of a SQL Server database for a sync: a transaction with snapshot isolation on one connection, on which
// tables are read in turn; where the database keeps no snapshots, each table as it is when it is read.

import type { NameFolding } from "../../../../../kernel/text/name-folding.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import type { ChangeRequest, ChangeReport } from "../../../extract/changes/changes.ts";
import { ChunkBuilder } from "../../../extract/chunk-builder.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";
import type { ReadAs, SourceColumn, SourceTableName } from "../../../extract/source-table.ts";
import { TextRows } from "../../../extract/text-cells.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { explainHidden, isNumeric, type ListedTable, type SourceSnapshot } from "../../snapshot.ts";
import { beginReading } from "../connection/session.ts";
import { protocolViolation } from "../connection/tokens.ts";
import type { TdsWire } from "../connection/wire.ts";
import { typedNameFolding } from "../name-folding.ts";
import { createRowPacker, type RowPacker } from "../rows/row-packer.ts";
import { quoteTable } from "../sql-text.ts";
import { ROW } from "./changed-rows.ts";
import { describeTable, type SqlServerTable } from "./describe-table.ts";
import { findSqlServerChanges } from "./find-changes.ts";
import { readPosition, type SnapshotPosition } from "./position.ts";
import { ReadingSession, type Place } from "./session.ts";
import { listTables } from "./tables.ts";

/** How long a reader waits for a lock of somebody who writes, where there are no snapshots. */
const LOCK_MS = 300_000;
/** From 2019 on there are collations of UTF-8. The numbers of Azure's services say something else. */
const VERSION_QUERY = `SELECT
  CASE WHEN COLLATIONPROPERTY('Latin1_General_100_BIN2_UTF8', 'CodePage') = 65001 THEN 1 ELSE 0 END AS utf8`;
const TURN_ON = "ALTER DATABASE … SET ALLOW_SNAPSHOT_ISOLATION ON changes that.";

/** The facts that are read as the snapshot is opened. */
type Opened = { position: SnapshotPosition; isOneMoment: boolean; hasUtf8: boolean; folding: NameFolding };

export class SqlServerSnapshot implements SourceSnapshot {
  readonly consistency: string;
  /** Its snapshot can't be shared. */
  readonly readersMax = 1;
  readonly position: SnapshotPosition;
  readonly isOneMoment: boolean;
  readonly hasUtf8: boolean;
  readonly folding: NameFolding;

  readonly #session: ReadingSession;
  /** For tables kept in memory, which a session with snapshot isolation may not touch. */
  readonly #besides: ReadingSession;

  private constructor(place: Place, session: ReadingSession, opened: Opened) {
    this.#session = session;
    this.#besides = new ReadingSession(place, beginWithoutSnapshot);
    this.position = opened.position;
    this.isOneMoment = opened.isOneMoment;
    this.hasUtf8 = opened.hasUtf8;
    this.folding = opened.folding;
    this.consistency = consistencyOf(opened);
  }

  static async open(place: Place, signal: AbortSignal): Promise<SqlServerSnapshot> {
    let opened: Opened | undefined;
    const session = new ReadingSession(place, async (wire, until) => {
      const fetchRows = (sql: string, format: RowFormat) => wire.fetchRows(sql, format, until);
      // A session that was lost is replaced by one with a later snapshot. The position stays that of the first: what
      // came since is read twice.
      const first = opened ?? {
        position: await readPosition(fetchRows),
        hasUtf8: (await fetchRows(VERSION_QUERY, "n"))[0]?.[0] === "1",
        folding: await typedNameFolding(fetchRows),
      };
      const isOneMoment = (await beginReading(wire, LOCK_MS, until)) === "snapshot";
      opened ??= { ...first, isOneMoment };
    });
    try {
      await session.run(() => Promise.resolve(), signal);
      return new SqlServerSnapshot(place, session, opened!);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<SqlServerTable> {
    return describeTable((sql, format) => this.fetchRows(sql, format, signal), table, readAs);
  }

  read({ table, columns, where, signal, emptyColumns, take }: ReadRequest): Promise<ReadReport> {
    const { isInMemory } = table as SqlServerTable;
    const from = `${quoteTable(table)} AS ${ROW}${isInMemory ? " WITH (SNAPSHOT)" : ""}`;
    const sql = `SELECT ${columns.map(({ select }) => select).join(", ")} FROM ${from}${where === undefined ? "" : ` WHERE ${where}`}`;
    return (isInMemory ? this.#besides : this.#session).run(async (wire) => {
      const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, rows.oddFloats));
      const rows = new TextRows(columns, builder);
      let packer: RowPacker | undefined;
      const { hasRows, isWhole } = await wire.query({ sql }, signal, {
        columns: (definitions) => void (packer = createRowPacker(definitions)),
        row: (memory, at, scanned) => rows.addPacked(packer!.pack(memory, at, scanned)),
      });
      if (!hasRows || !isWhole) protocolViolation("a table has no rows to tell, not even none");
      await builder.flush();
      return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes: [] };
    }, signal);
  }

  listTables(signal: AbortSignal): Promise<ListedTable[]> {
    return listTables((sql, format) => this.fetchRows(sql, format, signal));
  }

  /** The server shows no account what it may not read. */
  explainMissing(paths: readonly string[], wereSynced: ReadonlySet<string>): Promise<Map<string, string>> {
    return explainHidden(paths, wereSynced, { place: "source", reader: "account" });
  }

  isFrom(column: SourceColumn, from: string): string {
    return `${column.select} >= ${isNumeric(column) ? from : instant(column, from)}`;
  }

  findChanges(request: ChangeRequest): Promise<ChangeReport> {
    return findSqlServerChanges(this, request);
  }

  /** Runs a statement of the engine's own in this snapshot. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    return this.#session.fetchRows(sql, format, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#session.close(), this.#besides.close()]);
  }
}

const beginWithoutSnapshot = async (wire: TdsWire, signal: AbortSignal): Promise<void> => {
  await wire.fetchRows(`SET TEXTSIZE 2147483647; SET LOCK_TIMEOUT ${LOCK_MS};`, "", signal);
};

/** A date or time of DuckDB's words; an instant's is in UTC. */
function instant({ lake: { type } }: SourceColumn, from: string): string {
  if (type === "date") return `CONVERT(date, ${quoteLiteral(from)}, 23)`;
  return type === "timestamptz"
    ? `CONVERT(datetimeoffset(6), ${quoteLiteral(from.replace(/\+00$/, " +00:00"))}, 121)`
    : `CONVERT(datetime2(6), ${quoteLiteral(from)}, 121)`;
}

function consistencyOf({ isOneMoment, position }: Opened): string {
  if (isOneMoment) return "All tables are read from one snapshot of the database.";
  return position.hasStatementSnapshots
    ? `The database keeps no snapshots for transactions: each table is read as of a moment of its own. ${TURN_ON}`
    : "The database keeps no snapshots: each table is read while others write to it, and a row whose place in it " +
        `changes meanwhile may be missed, or read twice, until the next run. ${TURN_ON}`;
}

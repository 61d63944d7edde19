// A source snapshot's position says where it stands in a database's history; later runs hold their marks against it.

import type { RowFormat, TextRow } from "../../row-collector.ts";
import { SqlServerError } from "../connection/tokens.ts";

export type SnapshotPosition = {
  /** The database and the line of its history; null where changes can't be told by marks at all. */
  database: string | null;
  /**
   * The version of change tracking: every transaction of this version or an earlier one is in the snapshot; null
   * without it.
   */
  version: string | null;
  /** Every row with a smaller rowversion is in the snapshot: hexadecimal digits. */
  rowversion: string | null;
  /** Whether each statement sees one moment, where there are no snapshots. */
  hasStatementSnapshots: boolean;
};

type Fetch = (sql: string, format: RowFormat) => Promise<TextRow[]>;

/**
 * To be asked before the snapshot is there: what is committed by then it will hold, and what is not has a later version
 * and a rowversion that is not smaller. A copy that can't be written, as other replicas are, may lack what its counters
 * count.
 */
const QUERY = `
  SELECT CONVERT(nvarchar(40), d.create_date, 126) AS created, CHANGE_TRACKING_CURRENT_VERSION() AS version,
    CONVERT(varchar(16), MIN_ACTIVE_ROWVERSION(), 2) AS row_version,
    CASE WHEN d.is_read_committed_snapshot_on = 1 THEN 1 ELSE 0 END AS statement_snapshots,
    CASE WHEN DATABASEPROPERTYEX(DB_NAME(), 'Updateability') = 'READ_WRITE' THEN 1 ELSE 0 END AS writable
  FROM sys.databases d WHERE d.database_id = DB_ID()`;

/** Another one once the database was restored. Some services have no such view, and restore to new databases only. */
const FORK_QUERY = `
  SELECT CONVERT(nvarchar(36), r.recovery_fork_guid) AS fork
  FROM sys.database_recovery_status r WHERE r.database_id = DB_ID()`;

const HEX = /^[0-9A-F]{16}$/;

export async function readPosition(fetchRows: Fetch): Promise<SnapshotPosition> {
  const [[created, version, rowversion, statementSnapshots, writable] = []] = await fetchRows(QUERY, "TNTnn");
  const hasStatementSnapshots = statementSnapshots === "1";
  if (created == null || writable !== "1")
    return { database: null, version: null, rowversion: null, hasStatementSnapshots };
  return {
    database: JSON.stringify([created, await readFork(fetchRows)]),
    version: version ?? null,
    rowversion: rowversion != null && HEX.test(rowversion) ? rowversion : null,
    hasStatementSnapshots,
  };
}

async function readFork(fetchRows: Fetch): Promise<string | null> {
  try {
    const [[fork] = []] = await fetchRows(FORK_QUERY, "T");
    return fork ?? null;
  } catch (error) {
    if (error instanceof SqlServerError) return null;
    throw error;
  }
}

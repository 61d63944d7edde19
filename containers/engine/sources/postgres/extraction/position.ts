// A source snapshot's position says where it stands among the transactions of its server, and which server that is.

import { protocolViolation } from "../connection/messages.ts";
import type { PostgresSession } from "./session.ts";

/** Where a snapshot stands in the history of one cluster. */
export type SnapshotPosition = {
  /**
   * The cluster and the line of its history this server follows; null where the role may not know, and changes
   * can't be recognized.
   */
  systemIdentifier: string | null;
  timeline: string | null;
  database: string;
  /** Where the log had come to: a server that lies behind it has been set back. */
  lsn: string | null;
  /**
   * The oldest transaction that was running, by its 64-bit number: everything before it is in the snapshot, or never
   * will be.
   */
  oldestRunning: string;
  /** The first transaction number not given out yet. */
  next: string;
};

export async function readPosition(session: PostgresSession, signal: AbortSignal): Promise<SnapshotPosition> {
  const [[database, oldestRunning, next, mayIdentify, isStandby] = protocolViolation("it does not tell its moment")] =
    await session.fetchRows(
      `SELECT (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()),
        pg_catalog.txid_snapshot_xmin(snapshot), pg_catalog.txid_snapshot_xmax(snapshot),
        pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
          AND pg_catalog.has_function_privilege('pg_catalog.pg_control_checkpoint()', 'EXECUTE'),
        pg_catalog.pg_is_in_recovery()
      FROM pg_catalog.txid_current_snapshot() AS snapshot`,
      "nnntt",
      signal,
    );
  const unknown = { systemIdentifier: null, timeline: null, lsn: null };
  const identity = mayIdentify === "t" ? await readIdentity(session, isStandby === "t", signal) : unknown;
  return { ...identity, database: database!, oldestRunning: oldestRunning!, next: next! };
}

/** Servers that are PostgreSQL in name only may lack these functions. */
async function readIdentity(
  session: PostgresSession,
  isStandby: boolean,
  signal: AbortSignal,
): Promise<Pick<SnapshotPosition, "systemIdentifier" | "timeline" | "lsn">> {
  const timelineAndLsn = isStandby
    ? `(SELECT timeline_id::text FROM pg_catalog.pg_control_checkpoint()),
        pg_catalog.pg_last_wal_replay_lsn() - '0/0'::pg_lsn`
    : `substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8),
        pg_catalog.pg_current_wal_lsn() - '0/0'::pg_lsn`;
  await session.fetchRows("SAVEPOINT identity", "", signal);
  try {
    const [[systemIdentifier = null, timeline = null, lsn = null] = []] = await session.fetchRows(
      `SELECT (SELECT system_identifier FROM pg_catalog.pg_control_system()), ${timelineAndLsn}`,
      "NTN",
      signal,
    );
    return { systemIdentifier, timeline: timeline && String(Number.parseInt(timeline, isStandby ? 10 : 16)), lsn };
  } catch (error) {
    if (!session.idle) throw error;
    await session.fetchRows("ROLLBACK TO SAVEPOINT identity", "", signal);
    return { systemIdentifier: null, timeline: null, lsn: null };
  }
}

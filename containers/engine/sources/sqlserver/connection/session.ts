// What a session is set to before the engine reads in it.

import type { TdsWire } from "./wire.ts";

/** What the gate's lexer and the engine's own SQL assume, whatever the server, database and login start with. */
const SETTINGS = `
  SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER, XACT_ABORT ON;
  SET NUMERIC_ROUNDABORT, IMPLICIT_TRANSACTIONS, NOCOUNT, CURSOR_CLOSE_ON_COMMIT OFF;
  SET LANGUAGE us_english; SET DATEFORMAT mdy; SET DATEFIRST 7; SET TEXTSIZE 2147483647; SET ROWCOUNT 0;
  SET DEADLOCK_PRIORITY LOW;`;

const SNAPSHOTS_ON = "1";
const LOCK_TIMEOUT_MS_MAX = 2_147_483_647;

export type Isolation = "snapshot" | "read committed";

/**
 * Begins a transaction, which nobody commits: it ends with the connection, or is rolled back. It reads one snapshot
 * where the database keeps versions for that, and else what is committed, behind the locks of those who write.
 */
export async function beginReading(wire: TdsWire, lockTimeoutMs: number, signal: AbortSignal): Promise<Isolation> {
  const timeoutMs = Math.min(LOCK_TIMEOUT_MS_MAX, Math.max(1, Math.round(lockTimeoutMs)));
  await wire.fetchRows(`${SETTINGS} SET LOCK_TIMEOUT ${timeoutMs};`, "", signal);
  const [[state] = [null]] = await wire.fetchRows(
    "SELECT CAST(snapshot_isolation_state AS int) FROM sys.databases WHERE database_id = DB_ID()",
    "n",
    signal,
  );
  const isolation = state === SNAPSHOTS_ON ? "snapshot" : "read committed";
  await wire.fetchRows(`SET TRANSACTION ISOLATION LEVEL ${isolation.toUpperCase()}; BEGIN TRANSACTION;`, "", signal);
  return isolation;
}

// The settings of a session before the engine reads in it.

import type { TdsWire } from "./wire.ts";

/**
 * The gate's lexer and the engine's own SQL assume these settings, whatever the server, database and login start with.
 */
const SETTINGS = [
  "ANSI_NULLS ON",
  "ANSI_PADDING ON",
  "ANSI_WARNINGS ON",
  "ARITHABORT ON",
  "CONCAT_NULL_YIELDS_NULL ON",
  "QUOTED_IDENTIFIER ON",
  "XACT_ABORT ON",
  "NUMERIC_ROUNDABORT OFF",
  "IMPLICIT_TRANSACTIONS OFF",
  "CURSOR_CLOSE_ON_COMMIT OFF",
  // The server then says how many rows it sent, and the wire counts them.
  "NOCOUNT OFF",
  "ROWCOUNT 0",
  "TEXTSIZE 2147483647",
  "LANGUAGE us_english",
  "DATEFORMAT mdy",
  "DATEFIRST 7",
  "DEADLOCK_PRIORITY LOW",
];

const SNAPSHOTS_ON = "1";
const LOCK_TIMEOUT_MS_MAX = 2_147_483_647;

export type Isolation = "snapshot" | "read committed";

/**
 * Begins a transaction, which nobody commits: it ends with the connection, or is rolled back. It reads one snapshot
 * where the database keeps versions for that, and else what is committed, behind the locks of those who write.
 */
export async function beginReading(wire: TdsWire, lockTimeoutMs: number, signal: AbortSignal): Promise<Isolation> {
  const timeoutMs = Math.min(LOCK_TIMEOUT_MS_MAX, Math.max(1, Math.round(lockTimeoutMs)));
  const settings = [...SETTINGS, `LOCK_TIMEOUT ${timeoutMs}`];
  await wire.fetchRows(settings.map((setting) => `SET ${setting};`).join(" "), "", signal);
  const [[state] = [null]] = await wire.fetchRows(
    "SELECT CAST(snapshot_isolation_state AS int) FROM sys.databases WHERE name = DB_NAME()",
    "n",
    signal,
  );
  const isolation = state === SNAPSHOTS_ON ? "snapshot" : "read committed";
  await begin(wire, isolation, signal);
  return isolation;
}

/**
 * Begins anew without a snapshot. The server lets no transaction of SNAPSHOT isolation touch memory-optimised tables
 * (error 41332); in one of READ COMMITTED they are read by the hint WITH (SNAPSHOT), or where the database has
 * MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT on.
 */
export async function beginWithoutSnapshot(wire: TdsWire, signal: AbortSignal): Promise<void> {
  // The error may have ended the transaction, or left it open.
  await wire.fetchRows("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;", "", signal);
  await begin(wire, "read committed", signal);
}

const begin = (wire: TdsWire, isolation: Isolation, signal: AbortSignal): Promise<unknown> =>
  wire.fetchRows(`SET TRANSACTION ISOLATION LEVEL ${isolation.toUpperCase()}; BEGIN TRANSACTION;`, "", signal);

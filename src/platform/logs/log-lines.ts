// The lines of a team's log, in SQLite: appended by stream, read by number or filtered, trimmed oldest first.

import { LOG_LIMITS } from "./limits.ts";

export const LOG_LEVELS = ["info", "warning", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * `attempt` is the try of the run that said it, `atMs` when it did; now, where that is not said. `source` is who said
 * it: `platform`, which it is where that is not said, `engine`, or a doc's dataset by its key.
 */
export type LogLine = { level: LogLevel; message: string; attempt: number; atMs?: number; source?: string };
/** `offset` counts a stream's lines from 0 and never changes, whatever is trimmed before it. */
export type LogEntry = Omit<LogLine, "atMs" | "source"> & { offset: number; at: string };
/** `total` counts all lines the stream has had. */
export type LogPage = { lines: LogEntry[]; total: number };

/** Which of a stream's lines: all of them, where nothing is said. */
export type LogFilter = {
  attempt?: number | undefined;
  levels?: readonly LogLevel[] | undefined;
  sources?: readonly string[] | undefined;
};
/** `from`: lines of this number and behind it. `offset`: so many of those that fit are passed over. */
export type LogQuery = LogFilter & {
  from?: number | undefined;
  offset?: number | undefined;
  limit: number;
  /** Oldest first, unless this is false. */
  ascending?: boolean | undefined;
};
export type SourcedLogEntry = LogEntry & { source: string };
/**
 * `total` counts those kept lines that fit, whatever page is asked for. `next` is from which number on a reader who
 * follows the stream, oldest first, goes on.
 */
export type SourcedLogPage = { lines: SourcedLogEntry[]; total: number; next: number };

/** So many of the oldest lines are looked at in one go: more than one append adds, so that trimming keeps up. */
const TRIM_LINES = 2_000;
/** Trimming takes the oldest line first, so a line cannot claim to be much older than its neighbours. */
const LATE_MS_MAX = 600_000;
const FULL = "This log is full; further lines are dropped.";

export function createTables(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    level TEXT NOT NULL, attempt INTEGER NOT NULL, message TEXT NOT NULL, bytes INTEGER NOT NULL)`);
  sql.exec("CREATE UNIQUE INDEX IF NOT EXISTS lines_stream ON lines (stream, seq)");
  // The source of lines that were kept before this column existed is unknown.
  if (sql.exec("SELECT 1 FROM pragma_table_info('lines') WHERE name = 'source'").toArray().length === 0)
    sql.exec("ALTER TABLE lines ADD COLUMN source TEXT NOT NULL DEFAULT 'unknown'");
  // A stream's own row outlives its lines for as long as it may still be written to, so that offsets never start again.
  sql.exec(
    "CREATE TABLE IF NOT EXISTS streams (name TEXT PRIMARY KEY, next_seq INTEGER NOT NULL, " +
      "bytes INTEGER NOT NULL, last_at_ms INTEGER NOT NULL)",
  );
  sql.exec("CREATE INDEX IF NOT EXISTS streams_age ON streams (last_at_ms)");
  sql.exec("CREATE TABLE IF NOT EXISTS totals (id INTEGER PRIMARY KEY CHECK (id = 0), bytes INTEGER NOT NULL)");
  sql.exec("INSERT OR IGNORE INTO totals VALUES (0, 0)");
}

/** Lines past the stream's bound are dropped, and the last line kept says so. */
export function appendLines(sql: SqlStorage, stream: string, lines: LogLine[], nowMs: number): void {
  let { nextSeq, bytes } = readStream(sql, stream);
  let added = 0;
  for (const { level, message, attempt, atMs = nowMs, source = "platform" } of lines) {
    if (bytes > LOG_LIMITS.streamBytesMax) break;
    const text = message.slice(0, LOG_LIMITS.lineCharactersMax);
    const size = new TextEncoder().encode(text).byteLength;
    const isLast = bytes + size > LOG_LIMITS.streamBytesMax;
    const said = isLast ? { level: "warning", text: FULL } : { level, text };
    sql.exec(
      "INSERT INTO lines (stream, seq, at_ms, level, attempt, message, bytes, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      stream,
      nextSeq++,
      Math.min(nowMs, Math.max(atMs, nowMs - LATE_MS_MAX)),
      said.level,
      attempt,
      said.text,
      size,
      source,
    );
    bytes += size;
    added += size;
  }
  sql.exec(
    `INSERT INTO streams VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name)
      DO UPDATE SET next_seq = ?2, bytes = ?3, last_at_ms = ?4`,
    stream,
    nextSeq,
    bytes,
    nowMs,
  );
  sql.exec("UPDATE totals SET bytes = bytes + ?", added);
}

type LineRow = { offset: number; atMs: number; level: LogLevel; attempt: number; message: string };

const entryOf = <Row extends LineRow>({ atMs, ...line }: Row) => ({ ...line, at: new Date(atMs).toISOString() });

/** From the first line at or behind `offset` that is still kept. */
export function readLines(sql: SqlStorage, stream: string, offset: number, limit: number): LogPage {
  const rows = sql
    .exec<LineRow>(
      `SELECT seq AS offset, at_ms AS atMs, level, attempt, message FROM lines WHERE stream = ? AND seq >= ?
        ORDER BY seq LIMIT ?`,
      stream,
      offset,
      limit,
    )
    .toArray();
  return { lines: rows.map(entryOf), total: readStream(sql, stream).nextSeq };
}

/** A page of the lines that fit, from either end. */
export function queryLines(sql: SqlStorage, stream: string, query: LogQuery): SourcedLogPage {
  const { attempt, levels, sources, from = 0, offset = 0, limit, ascending = true } = query;
  const fits = `stream = ?1 AND seq >= ?2 AND (?3 IS NULL OR attempt = ?3)
    AND (?4 IS NULL OR level IN (SELECT value FROM json_each(?4)))
    AND (?5 IS NULL OR source IN (SELECT value FROM json_each(?5)))`;
  const listed = (items: readonly string[] | undefined) => (items ? JSON.stringify(items) : null);
  const parameters = [stream, from, attempt ?? null, listed(levels), listed(sources)];
  const rows = sql
    .exec<LineRow & { source: string }>(
      `SELECT seq AS offset, at_ms AS atMs, level, attempt, message, source FROM lines WHERE ${fits}
        ORDER BY seq ${ascending ? "ASC" : "DESC"} LIMIT ?6 OFFSET ?7`,
      ...parameters,
      limit,
      offset,
    )
    .toArray();
  const { total } = sql
    .exec<{ total: number }>(`SELECT count(*) AS total FROM lines WHERE ${fits}`, ...parameters)
    .one();
  const { nextSeq } = readStream(sql, stream);
  const last = rows.at(-1);
  return { lines: rows.map(entryOf), total, next: last && rows.length === limit ? last.offset + 1 : nextSeq };
}

/** Takes away a bounded number of lines that are too old, or too many bytes; says whether more may be due. */
export function trimLines(sql: SqlStorage, nowMs: number): boolean {
  const cutoffMs = nowMs - LOG_LIMITS.keptMs;
  const aged = remove(
    sql,
    "SELECT id FROM (SELECT id, at_ms FROM lines ORDER BY id LIMIT ?) WHERE at_ms < ?",
    TRIM_LINES,
    cutoffMs,
  );
  sql.exec("DELETE FROM streams WHERE last_at_ms < ?", cutoffMs);
  const { bytes } = sql.exec<{ bytes: number }>("SELECT bytes FROM totals").one();
  const crowded = bytes > LOG_LIMITS.bytesMax ? remove(sql, "SELECT id FROM lines ORDER BY id LIMIT ?", TRIM_LINES) : 0;
  return aged === TRIM_LINES || crowded === TRIM_LINES;
}

export const hasLines = (sql: SqlStorage): boolean => sql.exec("SELECT 1 FROM lines LIMIT 1").toArray().length > 0;

function remove(sql: SqlStorage, chosen: string, ...parameters: number[]): number {
  const removed = sql
    .exec<{ bytes: number }>(`DELETE FROM lines WHERE id IN (${chosen}) RETURNING bytes`, ...parameters)
    .toArray();
  sql.exec(
    "UPDATE totals SET bytes = bytes - ?",
    removed.reduce((sum, line) => sum + line.bytes, 0),
  );
  return removed.length;
}

function readStream(sql: SqlStorage, stream: string): { nextSeq: number; bytes: number } {
  const found = sql
    .exec<{ nextSeq: number; bytes: number }>("SELECT next_seq AS nextSeq, bytes FROM streams WHERE name = ?", stream)
    .toArray()[0];
  return found ?? { nextSeq: 0, bytes: 0 };
}

// A team's meter keeps in its own SQLite sums that are to be passed on, and the month's use.

import { addSummary, type DurationSummary } from "../../core/events/duration-summary.ts";
import { BUFFERED_EVENT_TYPES, minuteOf, type BufferedEventType } from "../../core/events/event-types.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import { monthOf } from "../../core/teams/plans.ts";
import { QUERIES_RUN, type EventSum, type MeterReport, type Reservation, type Reserved } from "./report.ts";

/** What is passed on in one go, under a number of its own. It stays as it is until it has arrived. */
export type MeterBatch = { teamId: string; sequence: number; events: EventSum[]; keyUses: Record<string, number> };

export function createTables(sql: SqlStorage): void {
  const summary = "type TEXT NOT NULL, minute INTEGER NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (type, minute)";
  sql.exec(`CREATE TABLE IF NOT EXISTS sums (${summary})`);
  sql.exec("CREATE TABLE IF NOT EXISTS key_uses (key_id TEXT PRIMARY KEY, used_at_ms INTEGER NOT NULL)");
  sql.exec(
    "CREATE TABLE IF NOT EXISTS sources (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, at_ms INTEGER NOT NULL)",
  );
  sql.exec("CREATE TABLE IF NOT EXISTS batch (id INTEGER PRIMARY KEY CHECK (id = 0), content TEXT NOT NULL)");
  sql.exec("CREATE TABLE IF NOT EXISTS team (id TEXT PRIMARY KEY, last_sequence INTEGER NOT NULL)");
  sql.exec(
    "CREATE TABLE IF NOT EXISTS months (month TEXT, what TEXT, used INTEGER NOT NULL, PRIMARY KEY (month, what))",
  );
}

/** False for a report that was added before. */
export function addReport(sql: SqlStorage, report: MeterReport, nowMs: number): boolean {
  const { teamId, source, sequence, events, keyUses } = report;
  const [known] = sql.exec<{ sequence: number }>("SELECT sequence FROM sources WHERE id = ?", source).toArray();
  if (known && known.sequence >= sequence) return false;
  sql.exec("INSERT OR REPLACE INTO sources VALUES (?, ?, ?)", source, sequence, nowMs);
  sql.exec("INSERT OR IGNORE INTO team VALUES (?, ?)", teamId, nowMs);
  for (const event of events.filter(({ type }) => isCounted(type))) {
    addSum(sql, event, nowMs);
    if (event.type === "query") addUse(sql, monthOf(new Date(nowMs)), QUERIES_RUN, event.count);
  }
  for (const [keyId, atMs] of Object.entries(keyUses))
    sql.exec(
      "INSERT INTO key_uses VALUES (?1, ?2) ON CONFLICT (key_id) DO UPDATE SET used_at_ms = max(used_at_ms, ?2)",
      keyId,
      Math.min(atMs, nowMs),
    );
  return true;
}

function addUse(sql: SqlStorage, month: string, what: string, amount: number): void {
  sql.exec("INSERT INTO months VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET used = used + ?3", month, what, amount);
  sql.exec("DELETE FROM months WHERE month < (SELECT max(month) FROM months WHERE month < ?)", month);
}

const isCounted = (type: string): boolean => (BUFFERED_EVENT_TYPES as readonly string[]).includes(type);

/** An isolate whose clock is ahead does not count in the future. */
function addSum(sql: SqlStorage, { type, minute: stated, ...added }: EventSum, nowMs: number): void {
  const minute = Math.min(stated, minuteOf(nowMs));
  const [row] = sql.exec<SumRow>("SELECT summary FROM sums WHERE type = ? AND minute = ?", type, minute).toArray();
  const summary = row ? (JSON.parse(row.summary) as DurationSummary) : undefined;
  if (summary) addSummary(summary, added);
  sql.exec("INSERT OR REPLACE INTO sums VALUES (?, ?, ?)", type, minute, JSON.stringify(summary ?? added));
}

type SumRow = { type: BufferedEventType; minute: number; summary: string };

/**
 * The batch that has not arrived yet, or a new one of what there is; undefined where there is nothing. A number is
 * never used twice, also where the object begins anew: the first is the time.
 */
export function takeBatch(sql: SqlStorage, nowMs: number): MeterBatch | undefined {
  const [kept] = sql.exec<{ content: string }>("SELECT content FROM batch").toArray();
  if (kept) return JSON.parse(kept.content) as MeterBatch;
  const events = takeSums(sql);
  const keyUses = takeKeyUses(sql);
  if (events.length === 0 && Object.keys(keyUses).length === 0) return undefined;
  const team = sql.exec<{ id: string; sequence: number }>(
    "UPDATE team SET last_sequence = max(last_sequence + 1, ?) RETURNING id, last_sequence AS sequence",
    nowMs,
  );
  const { id: teamId, sequence } = team.one();
  const batch: MeterBatch = { teamId, sequence, events, keyUses };
  sql.exec("INSERT INTO batch VALUES (0, ?)", JSON.stringify(batch));
  return batch;
}

function takeSums(sql: SqlStorage): EventSum[] {
  const rows = sql
    .exec<SumRow>("SELECT type, minute, summary FROM sums ORDER BY minute LIMIT ?", EVENT_LIMITS.meterBatchRowsMax)
    .toArray();
  for (const { type, minute } of rows) sql.exec("DELETE FROM sums WHERE type = ? AND minute = ?", type, minute);
  return rows.map(({ type, minute, summary }) => ({ type, minute, ...(JSON.parse(summary) as DurationSummary) }));
}

function takeKeyUses(sql: SqlStorage): Record<string, number> {
  const rows = sql
    .exec<{ key_id: string; used_at_ms: number }>("SELECT * FROM key_uses LIMIT ?", EVENT_LIMITS.meterBatchRowsMax)
    .toArray();
  for (const { key_id: keyId } of rows) sql.exec("DELETE FROM key_uses WHERE key_id = ?", keyId);
  return Object.fromEntries(rows.map((row) => [row.key_id, row.used_at_ms]));
}

export function dropBatch(sql: SqlStorage): void {
  sql.exec("DELETE FROM batch");
}

/** What is too old for any window, and isolates that have not been heard of for so long that they are gone. */
export function forgetOld(sql: SqlStorage, nowMs: number): void {
  sql.exec("DELETE FROM sums WHERE minute < ?", minuteOf(nowMs - EVENT_LIMITS.statisticsKeptMs));
  sql.exec("DELETE FROM sources WHERE at_ms < ?", nowMs - EVENT_LIMITS.meterSourceKeptMs);
}

/** Grants as much as is left, never more. Earlier months but the last are forgotten. */
export function reserveOf(sql: SqlStorage, { what, month, amount, limit }: Reservation): Reserved {
  const before = usedOf(sql, month)[what] ?? 0;
  const granted = Math.max(0, Math.min(amount, limit - before));
  addUse(sql, month, what, granted);
  return { granted, used: before + granted };
}

/** By name, what was granted in a month. */
export const usedOf = (sql: SqlStorage, month: string): Record<string, number> =>
  Object.fromEntries(
    sql
      .exec<{ what: string; used: number }>("SELECT what, used FROM months WHERE month = ?", month)
      .toArray()
      .map(({ what, used }) => [what, used]),
  );

import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { addDuration, emptySummary } from "../../../../src/core/events/duration-summary.ts";
import { minuteOf, type BufferedEventType } from "../../../../src/core/events/event-types.ts";
import { newId } from "../../../../src/core/ids.ts";
import { MeterObject } from "../../../../src/platform/meter/meter-object.ts";
import type { EventSum, MeterReport } from "../../../../src/platform/meter/report.ts";
import { newTeam } from "../../../support/unit/team.ts";

const openMeter = (teamId: string) => env.METER.getByName(teamId);
type Meter = ReturnType<typeof openMeter>;

const sumOf = (type: BufferedEventType, minute: number, durations: number[]): EventSum => {
  const summary = emptySummary();
  for (const durationMs of durations) addDuration(summary, durationMs);
  return { type, minute, ...summary };
};

const reportOf = (teamId: string, report: Partial<MeterReport> = {}): MeterReport => ({
  teamId,
  source: newId(),
  sequence: 1,
  events: [],
  keyUses: {},
  requests: {},
  ...report,
});

const rollupsOf = async (teamId: string, span = 1) =>
  (
    await env.DB.prepare(
      "select type, start_minute minute, count, sum_ms, min_ms, max_ms, histogram from event_rollups where team_id = ? and span_minutes = ? order by type, start_minute",
    )
      .bind(teamId, span)
      .all<{ type: string; minute: number; count: number; sum_ms: number; histogram: string }>()
  ).results;

const NOW = minuteOf(Date.now());
/** A minute that begins ten of them. */
const TEN = NOW - 30 - (NOW % 10);

/** The storage of an object that dies, and begins anew. */
const restart = (meter: Meter): Promise<void> =>
  runInDurableObject(meter, (_, state) => state.abort()).catch(() => undefined);

describe("a team's meter", () => {
  it("passes on what isolates report, by the minute and by ten", async () => {
    const { id } = await newTeam();
    const meter = openMeter(id);
    await meter.add(reportOf(id, { events: [sumOf("query", TEN, [10, 20]), sumOf("api_request", TEN, [0])] }));
    await meter.add(reportOf(id, { events: [sumOf("query", TEN, [5]), sumOf("query", TEN + 9, [1_000])] }));
    await runDurableObjectAlarm(meter);
    expect(await rollupsOf(id)).toMatchObject([
      { type: "api_request", minute: TEN, count: 1, sum_ms: 0, min_ms: 0, max_ms: 0, histogram: '{"0":1}' },
      { type: "query", minute: TEN, count: 3, sum_ms: 35, min_ms: 5, max_ms: 20 },
      { type: "query", minute: TEN + 9, count: 1, sum_ms: 1_000 },
    ]);
    expect(await rollupsOf(id, 10)).toMatchObject([
      { type: "api_request", minute: TEN, count: 1 },
      { type: "query", minute: TEN, count: 4, sum_ms: 1_035, min_ms: 5, max_ms: 1_000 },
    ]);
  });

  it("counts a report that comes again once, also after it has died", async () => {
    const { id } = await newTeam();
    const meter = openMeter(id);
    const report = reportOf(id, { events: [sumOf("query", TEN, [7])] });
    await meter.add(report);
    await meter.add(report);
    await restart(meter);
    await openMeter(id).add(report);
    await runDurableObjectAlarm(openMeter(id));
    await openMeter(id).add(report);
    await runDurableObjectAlarm(openMeter(id));
    expect(await rollupsOf(id)).toMatchObject([{ count: 1, sum_ms: 7 }]);
    await openMeter(id).add({ ...report, sequence: 2 });
    await runDurableObjectAlarm(openMeter(id));
    expect(await rollupsOf(id)).toMatchObject([{ count: 2, sum_ms: 14 }]);
  });

  it("counts a batch once that D1 has taken and the meter has not heard of, and loses none of what came since", async () => {
    const { id } = await newTeam();
    const meter = openMeter(id);
    await meter.add(reportOf(id, { events: [sumOf("query", TEN, [7])] }));
    await runInDurableObject(meter, async (_, state) => {
      await new MeterObject(state as DurableObjectState<{}>, { ...env, DB: SILENT_DATABASE }).alarm();
      expect(state.storage.sql.exec("SELECT * FROM batch").toArray()).toHaveLength(1);
    });
    await restart(meter);
    expect(await rollupsOf(id)).toMatchObject([{ count: 1 }]);
    await openMeter(id).add(reportOf(id, { events: [sumOf("query", TEN, [9])] }));
    await runDurableObjectAlarm(openMeter(id));
    await runDurableObjectAlarm(openMeter(id));
    expect(await rollupsOf(id)).toMatchObject([{ count: 2, sum_ms: 16 }]);
    expect((await rollupsOf(id, 10))[0]).toMatchObject({ count: 2, sum_ms: 16 });
  });

  it("keeps what D1 does not take, in bounded space, and passes it on when it is back", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { id } = await newTeam();
    const meter = openMeter(id);
    await runInDurableObject(meter, async (_, state) => {
      const object = new MeterObject(state as DurableObjectState<{}>, { ...env, DB: ABSENT_DATABASE });
      for (let minute = 0; minute < 60; minute++) {
        for (let isolate = 0; isolate < 3; isolate++)
          await object.add(reportOf(id, { events: [sumOf("api_request", TEN - minute, [1, 2])] }));
        await object.alarm();
        expect(await state.storage.getAlarm()).not.toBeNull();
      }
      expect(state.storage.sql.exec("SELECT * FROM sums").toArray().length).toBeLessThanOrEqual(60);
      expect(state.storage.sql.exec("SELECT * FROM batch").toArray()).toHaveLength(1);
    });
    vi.restoreAllMocks();
    await runDurableObjectAlarm(openMeter(id));
    const rows = await rollupsOf(id);
    expect(rows).toHaveLength(60);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(360);
  });

  it("counts nothing in the future, and nothing of a kind that it does not take", async () => {
    const { id } = await newTeam();
    const meter = openMeter(id);
    const events = [sumOf("query", NOW + 600, [1]), sumOf("sync_run" as BufferedEventType, NOW, [1])];
    await meter.add(reportOf(id, { events }));
    await runDurableObjectAlarm(meter);
    const [row, ...others] = await rollupsOf(id);
    expect(others).toEqual([]);
    expect(row!.type).toBe("query");
    expect(row!.minute).toBeLessThanOrEqual(minuteOf(Date.now()));
  });

  it("leaves nothing of a team that is gone, also where a report comes late", async () => {
    const id = newId();
    const meter = openMeter(id);
    await meter.add(reportOf(id, { events: [sumOf("query", NOW, [1])] }));
    await runDurableObjectAlarm(meter);
    await runInDurableObject(meter, async (_, { storage }) => {
      expect(await storage.getAlarm()).toBeNull();
      expect(
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      ).toEqual([]);
    });
    expect(await rollupsOf(id)).toEqual([]);
  });

  it("keeps nothing and wakes for nothing before it is told something, nor after it has passed that on", async () => {
    const { id } = await newTeam();
    const meter = openMeter(id);
    await runInDurableObject(meter, async (_, { storage }) => {
      expect(
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      ).toEqual([]);
    });
    await meter.add(reportOf(id, { events: [sumOf("query", NOW, [1])] }));
    await runDurableObjectAlarm(meter);
    await runInDurableObject(meter, async (_, { storage }) => expect(await storage.getAlarm()).toBeNull());
  });

  it("says when a key was used last, of its own team alone", async () => {
    const [{ id, admin }, other] = [await newTeam(), await newTeam()];
    const keysOf = async (userId: string) =>
      (await env.DB.prepare("select id from api_keys where user_id = ?").bind(userId).first<string>("id"))!;
    const [own, foreign] = [await keysOf(admin.id), await keysOf(other.admin.id)];
    const at = Date.now() - 5_000;
    await openMeter(id).add(reportOf(id, { keyUses: { [own]: at, [foreign]: at, [newId()]: at } }));
    await openMeter(id).add(reportOf(id, { keyUses: { [own]: at - 1_000 } }));
    await runDurableObjectAlarm(openMeter(id));
    const uses = await env.DB.prepare("select key_id, team_id, used_at from key_uses where key_id in (?, ?)")
      .bind(own, foreign)
      .all();
    expect(uses.results).toEqual([{ key_id: own, team_id: id, used_at: new Date(at).toISOString() }]);
  });

  it("tells isolates of each other's requests this minute", async () => {
    const meter = openMeter(newId());
    const now = Date.now();
    const report = (requests: Record<string, number>) => reportOf("t", { requests });
    await meter.add(report({ a: 3, b: 1 }), now);
    expect(await meter.add(report({ a: 2 }), now)).toEqual({ minute: minuteOf(now), team: 6, keys: { a: 5 } });
    const repeated = report({ a: 1 });
    await meter.add(repeated, now);
    expect((await meter.add(repeated, now)).team).toBe(7);
    expect(await meter.add(report({ a: 1 }), now + 60_000)).toMatchObject({ team: 1, keys: { a: 1 } });
  });

  it("grants a month's bound exactly, however many ask at once", async () => {
    const meter = openMeter(newId());
    const ask = (amount: number, month = "2026-11") => meter.reserve({ what: "queries", month, amount, limit: 1_000 });
    expect(await ask(500)).toEqual({ granted: 500, used: 500 });
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask(1)));
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(500);
    expect(await ask(100)).toEqual({ granted: 0, used: 1_000 });
    expect(await ask(1, "2026-12")).toEqual({ granted: 1, used: 1 });
    expect(await meter.used("2026-11")).toEqual({ queries: 1_000 });
    await ask(1, "2027-01");
    expect(await meter.used("2026-11")).toEqual({});
    expect(await meter.used("2026-12")).toEqual({ queries: 1 });
  });
});

const ABSENT_DATABASE = {
  prepare: () => ({ bind: () => ({}) }),
  batch: () => Promise.reject(new Error("D1 is away")),
} as unknown as D1Database;

/** Commits, and its answer is lost. */
const SILENT_DATABASE = {
  prepare: (text: string) => env.DB.prepare(text),
  async batch(statements: D1PreparedStatement[]) {
    await env.DB.batch(statements);
    throw new Error("D1's answer was lost");
  },
} as unknown as D1Database;

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addDuration, emptySummary, PERCENTILE_ERROR } from "../../../../src/core/events/duration-summary.ts";
import { EVENT_TYPES, minuteOf, type EventType } from "../../../../src/core/events/event-types.ts";
import { newId } from "../../../../src/core/ids.ts";
import { getEventStatistics } from "../../../../src/features/statistics/get.ts";
import { sweepStatistics } from "../../../../src/features/statistics/sweep.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { addEventRollups, countEvents, type EventRollup } from "../../../../src/platform/db/count-events.ts";
import { sql } from "drizzle-orm";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { randomOf } from "../../../support/unit/random.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

const STATISTICS = "/v4/admin/statistics";
const db = openDb(env.DB);
let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});

type Query = Record<string, string | number | string[]>;
const get = (path: string, query: Query, key: string | undefined = operator.admin.key) => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [String(value)]).map((each) => [name, each]),
  );
  return call("GET", `${STATISTICS}${path}?${new URLSearchParams(parameters)}`, { key });
};

type Event = { type: EventType; atMs: number; durationMs: number };

async function addEvents(teamId: string, events: Event[]): Promise<void> {
  const rollups = new Map<string, EventRollup>();
  for (const { type, atMs, durationMs } of events) {
    const name = `${type} ${minuteOf(atMs)}`;
    const rollup = rollups.get(name) ?? { type, minute: minuteOf(atMs), ...emptySummary() };
    addDuration(rollup, durationMs);
    rollups.set(name, rollup);
  }
  await addEventRollups(db, teamId, [...rollups.values()], sql`true`);
}

refusesStrangers("listEventStatistics", (key) => call("GET", `${STATISTICS}?types=query&teamIds=a`, { key }), {
  right: "platform:operate",
});
refusesStrangers("getEventStatistics", (key) => call("GET", `${STATISTICS}/query`, { key }), {
  right: "platform:operate",
});

describe("listEventStatistics", () => {
  it("refuses what is out of bounds, and other kinds", async () => {
    const good = { types: ["query"], teamIds: ["a"] };
    const bad: [Query, string][] = [
      [{ teamIds: ["a"] }, "/query/types"],
      [{ types: ["query"] }, "/query/teamIds"],
      [{ ...good, types: ["query", "login"] }, "/query/types/1"],
      [{ ...good, teamIds: Array.from({ length: 51 }, String) }, "/query/teamIds"],
      [{ ...good, types: Array.from({ length: 9 }, () => "query") }, "/query/types"],
      [{ ...good, bucketMinutes: 0 }, "/query/bucketMinutes"],
      [{ ...good, bucketMinutes: 61 }, "/query/bucketMinutes"],
      [{ ...good, windowHours: 169 }, "/query/windowHours"],
      [{ ...good, windowHours: 1.5 }, "/query/windowHours"],
      [{ ...good, other: 1 }, "/query/other"],
    ];
    for (const [query, pointer] of bad) {
      const { status, body } = await get("", query);
      expect([pointer, status]).toEqual([pointer, 422]);
      expect(body.error.flaws.map((flaw: { pointer: string }) => flaw.pointer)).toContain(pointer);
    }
  });

  it("says of a list whether it lacks what it needs or has too much", async () => {
    const messageOf = async (teamIds: string[]) =>
      (await get("", { types: ["query"], teamIds })).body.error.flaws[0].message as string;
    expect(await messageOf([])).toBe("Send at least one.");
    expect(await messageOf(Array.from({ length: 51 }, String))).toBe("Send at most 50.");
  });

  it("streams with the headers that every answer carries", async () => {
    const { headers } = await get("", { types: ["query"], teamIds: ["a"] });
    expect(headers.get("ratelimit-policy")).toContain("w=60");
  });

  it("shows every bucket of the window, empty ones and unknown teams too", async () => {
    const teamIds = [newId(), "nobody's"];
    const { status, body } = await get("", { types: [...EVENT_TYPES], teamIds });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ bucket_minutes: 10, buckets: 145, percentile_error: 0.05, truncated: false });
    const names = body.data.series.map((series: { type: string; team_id: string }) => [series.type, series.team_id]);
    expect(names).toEqual(EVENT_TYPES.flatMap((type) => teamIds.map((id) => [type, id])));
    for (const series of body.data.series) {
      expect(series.count).toEqual(Array.from({ length: 145 }, () => 0));
      expect(series.p99_ms).toEqual(Array.from({ length: 145 }, () => null));
    }
  });

  it.each([1, 7, 10, 11, 30, 59, 60])(
    "counts every event in its bucket of %i minutes, with exact means and percentiles within their error",
    async (bucketMinutes) => {
      const { id } = await newTeam();
      const random = randomOf(bucketMinutes);
      const windowHours = 5;
      const endMs = (Math.floor(Date.now() / 60_000 / bucketMinutes) + 1) * bucketMinutes * 60_000;
      const buckets = Math.ceil((windowHours * 60) / bucketMinutes) + 1;
      const startMs = endMs - buckets * bucketMinutes * 60_000;
      const events = Array.from({ length: 400 }, () => ({
        type: "query" as const,
        atMs: startMs + Math.floor(random() * (endMs - startMs)),
        durationMs: Math.round(Math.exp(random() * 18) - 1),
      }));
      // One that ends just before the window, and one of another kind.
      const others = [
        { type: "query" as const, atMs: startMs - 1, durationMs: 1e6 },
        { type: "sync_run" as const, atMs: startMs, durationMs: 1e6 },
      ];
      await addEvents(id, [...events, ...others]);

      const { body } = await get("", { types: ["query"], teamIds: [id], bucketMinutes, windowHours });
      expect(body.data).toMatchObject({
        starts_at: new Date(startMs).toISOString(),
        ends_at: new Date(endMs).toISOString(),
        buckets,
      });
      const [series] = body.data.series;
      const inBuckets = Map.groupBy(events, ({ atMs }) => Math.floor((atMs - startMs) / 60_000 / bucketMinutes));
      for (let bucket = 0; bucket < buckets; bucket++) {
        const durations = (inBuckets.get(bucket) ?? []).map(({ durationMs }) => durationMs).sort((a, b) => a - b);
        const shown = Object.keys(series).filter((name) => Array.isArray(series[name]));
        const [count, average, min, max, ...percentiles] = shown.map((name) => series[name][bucket]);
        expect(count).toBe(durations.length);
        if (count === 0) expect([average, min, max, ...percentiles]).toEqual(Array(6).fill(null));
        else {
          expect(average).toBe(durations.reduce((sum, ms) => sum + ms, 0) / count);
          expect([min, max]).toEqual([durations[0], durations.at(-1)]);
          for (const [index, q] of [0.5, 0.95, 0.99].entries()) {
            const exact = durations[Math.ceil(q * count) - 1]!;
            expect(Math.abs(percentiles[index] - exact)).toBeLessThanOrEqual(exact * PERCENTILE_ERROR);
          }
        }
      }
    },
  );

  it("takes what cannot be a duration for none, in isolates and in D1", async () => {
    const { id } = await newTeam();
    const now = Date.now();
    const odd = [Number.NaN, -5, Number.POSITIVE_INFINITY, 0.4];
    await addEvents(
      id,
      odd.map((durationMs) => ({ type: "query", atMs: now, durationMs })),
    );
    const durations = sql`select null ms union all select -5 union all select 0.4 union all select 2.6`;
    await countEvents(db, { teamId: id, type: "query", endedAt: new Date(now) }, durations);
    const { body } = await get("", { types: ["query"], teamIds: [id], bucketMinutes: 60, windowHours: 2 });
    const [{ count, max_ms: max, average_ms: average, p50_ms: p50 }] = body.data.series;
    const at = count.findIndex((each: number) => each > 0);
    expect([count[at], max[at], average[at], p50[at]]).toEqual([8, 3, 3 / 8, 0]);
  });

  it("puts durations into the same buckets in D1 as in isolates", async () => {
    const [one, other] = [await newTeam(), await newTeam()];
    const durations = Array.from({ length: 3_000 }, (_, index) => Math.round(1.0074 ** index));
    const now = new Date();
    await addEvents(
      one.id,
      durations.map((durationMs) => ({ type: "query", atMs: now.getTime(), durationMs })),
    );
    const rows = sql`select value ms from json_each(${JSON.stringify(durations)})`;
    await countEvents(db, { teamId: other.id, type: "query", endedAt: now }, rows);
    const select =
      "select count, sum_ms, min_ms, max_ms, histogram from event_rollups where team_id = ? and span_minutes = 1";
    const rollupOf = async ({ id }: TestTeam) => {
      const row = (await env.DB.prepare(select).bind(id).first<{ histogram: string }>())!;
      return { ...row, histogram: JSON.parse(row.histogram) };
    };
    expect(await rollupOf(one)).toEqual(await rollupOf(other));
  });
});

describe("getEventStatistics", () => {
  it("shows the teams that have such events in the window, by id, or the one that is asked for", async () => {
    const teams = [await newTeam(), await newTeam(), await newTeam()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const now = Date.now();
    const event = { type: "lake_maintenance" as const, atMs: now, durationMs: 7 };
    await addEvents(teams[0]!.id, [event]);
    await addEvents(teams[1]!.id, [
      { ...event, type: "query" },
      { ...event, atMs: now - 3 * 3_600_000 },
    ]);
    await addEvents(teams[2]!.id, [event, event]);
    const seriesOf = async (query: Query) => (await get("/lake_maintenance", query)).body.data;
    const all = await seriesOf({ windowHours: 1 });
    const ids = all.series.map(({ team_id: id }: { team_id: string }) => id);
    expect(ids).toEqual([teams[0]!.id, teams[2]!.id]);
    expect(all.truncated).toBe(false);
    expect((await seriesOf({ windowHours: 5 })).series).toHaveLength(3);
    const [own, ...rest] = (await seriesOf({ teamId: teams[2]!.id })).series;
    expect([own.team_id, own.count.at(-1) + own.count.at(-2), rest]).toEqual([teams[2]!.id, 2, []]);
    expect((await seriesOf({ teamId: "nobody's" })).series).toMatchObject([{ team_id: "nobody's" }]);
  });

  it("is 422 for another kind", async () => {
    const { status, body } = await get("/login", {});
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/path/type"]);
  });

  it("ends at so many buckets, and says that there are more teams", async () => {
    // By the minute for a week, an answer has room for 400 teams.
    const at = new Date();
    const rows = Array.from({ length: 401 }, () => newId());
    await env.DB.prepare(
      "insert into teams (id, name, plan, created_at, updated_at) select value, 't', 'free', '', '' from json_each(?)",
    )
      .bind(JSON.stringify(rows))
      .run();
    for (const id of rows) await countEvents(db, { teamId: id, type: "drive_upload", endedAt: at }, sql`select 1 ms`);
    const scope = { ...scopeOf(newId(), newId(), true), now: at };
    const shownOf = async (windowHours: number) => {
      const query = { bucketMinutes: 1, windowHours };
      const text = await new Response(
        await getEventStatistics({ db, scope }, "drive_upload", query, () => ({})),
      ).text();
      return [text.match(/"team_id"/g)!.length, /"truncated":true/.test(text)];
    };
    expect(await shownOf(168)).toEqual([400, true]);
    expect(await shownOf(24)).toEqual([401, false]);
  });
});

describe("sweepStatistics", () => {
  it("forgets what no window reaches, and nothing else", async () => {
    const { id } = await newTeam();
    const now = Date.now();
    const edge = { type: "query" as const, atMs: now - 169 * 3_600_000, durationMs: 1 };
    await addEvents(id, [edge, { ...edge, atMs: now - 9 * 86_400_000 }]);

    expect((await sweepStatistics({ db }, new Date(now))).forgotten).toBe(2);
    const left = env.DB.prepare("select count(*) n from event_rollups where team_id = ?").bind(id);
    expect(await left.first("n")).toBe(2);
  });
});

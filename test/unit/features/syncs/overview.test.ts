import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { SCHEDULE_LIMITS } from "../../../../src/core/schedule/limits.ts";
import { overdueBy, successDueBy } from "../../../../src/core/schedule/staleness.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newSyncTeam, type SyncTeam } from "../../../support/unit/sync-team.ts";

refusesStrangers("listSyncs", (key) => call("GET", "/v1/api/syncs", { key }), { right: "integrations:read" });

const HOUR_MS = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Configured five hours ago, so that an hourly one can be overdue; its first run is left out. */
async function newSync(setUp: SyncTeam, schema: string): Promise<string> {
  const { id }: { id: string } = (await setUp.configure({ dest_schema: schema, tables: ["public.items"] })).body
    .sync_config;
  await env.DB.batch([
    env.DB.prepare("DELETE FROM sync_runs WHERE sync_id = ?").bind(id),
    env.DB.prepare("UPDATE syncs SET updated_at = ?2 WHERE id = ?1").bind(id, ago(5 * HOUR_MS)),
  ]);
  return id;
}

type RunRow = { state: string; endedAt?: string | null; error?: string; onlyTables?: string };
async function addRun(syncId: string, { state, endedAt = null, error, onlyTables }: RunRow): Promise<void> {
  await env.DB.prepare(
    `insert into sync_runs (id, team_id, sync_id, source_id, lake_id, dest_schema, cause, is_full, only_tables, state, attempt, refusals, due_at,
       deadline_at, error, rows_read, rows_written, rows_deleted, bytes_written, revision, started_at, ended_at, created_at, updated_at)
     select ?1, team_id, id, source_id, lake_id, dest_schema, 'schedule', 0, ?2, ?3, 1, 0, ?4, ?4, ?5, 0, 0, 0, 0, 1, ?6, ?7, ?4, ?4
     from syncs where id = ?8`,
  )
    .bind(
      newId(),
      onlyTables ?? null,
      state,
      ago(0),
      error ?? null,
      endedAt && new Date(Date.parse(endedAt) - 60_000).toISOString(),
      endedAt,
      syncId,
    )
    .run();
}

const list = async ({ team }: SyncTeam, query = "") =>
  (await call("GET", `/v1/api/syncs${query}`, { key: team.member.key })).body;

describe("listSyncs", () => {
  it("grades each sync, and says in words what is wrong", async () => {
    const setUp = await newSyncTeam();
    const ids: Record<string, string> = {};
    for (const name of ["fine", "failing", "stale", "fresh", "paused", "partial"])
      ids[name] = await newSync(setUp, name);
    const of = (name: string): string => ids[name]!;
    await addRun(of("fine"), { state: "failed", endedAt: ago(HOUR_MS), error: "no" });
    await addRun(of("fine"), { state: "succeeded", endedAt: ago(HOUR_MS / 2) });
    await addRun(of("failing"), { state: "succeeded", endedAt: ago(HOUR_MS) });
    await addRun(of("failing"), { state: "failed", endedAt: ago(60_000), error: "The password is not accepted." });
    await addRun(of("failing"), { state: "cancelled", endedAt: ago(1_000) });
    await addRun(of("stale"), { state: "succeeded", endedAt: ago(4 * HOUR_MS) });
    await addRun(of("fresh"), { state: "running" });
    await addRun(of("paused"), { state: "succeeded", endedAt: ago(4 * HOUR_MS) });
    await addRun(of("partial"), { state: "succeeded", endedAt: ago(60_000), onlyTables: '["public.items"]' });
    await env.DB.prepare("UPDATE syncs SET status = 'paused', next_run_at = NULL WHERE id = ?")
      .bind(of("paused"))
      .run();

    const { data, total } = await list(setUp);
    const shown = Object.fromEntries(
      (data as { dest_schema: string }[]).map(({ dest_schema: schema, ...sync }) => [schema, sync]),
    );
    expect(total).toBe(6);
    expect(shown).toMatchObject({
      fine: { health: "ok", problem: null, source_name: "shop", last_run: { status: "SUCCESS" } },
      failing: {
        health: "failing",
        problem: expect.stringContaining("The password is not accepted.") as string,
        last_run: { state: "cancelled" },
      },
      stale: {
        health: "stale",
        problem: expect.stringMatching(/should have succeeded by .* Its last success ended at/) as string,
      },
      fresh: { health: "never_ran", last_success_at: null, age_seconds: null, due_by: null },
      paused: { health: "paused", status: "paused", next_run_at: null, due_by: null },
      // Some of its tables are not the sync: it has not succeeded in five hours.
      partial: { health: "stale", last_success_at: null },
    });
    expect(shown["fine"]).toMatchObject({ next_run_at: expect.any(String) as string, cron: null, schedule: "hourly" });
    const { age_seconds: age } = shown["stale"] as unknown as { age_seconds: number };
    expect(Math.abs(age - (4 * 3_600 + 60))).toBeLessThan(60);

    const schemas = async (query: string) =>
      (await list(setUp, query)).data.map(({ dest_schema: schema }: { dest_schema: string }) => schema);
    expect(await schemas("?health=stale")).toEqual(["stale", "partial"]);
    expect(await schemas("?status=paused")).toEqual(["paused"]);
    expect(await schemas("?limit=2&offset=1")).toEqual(["failing", "stale"]);
    expect(await schemas(`?integration_id=${setUp.sourceId}&health=ok`)).toEqual(["fine"]);
    expect(await schemas(`?integration_id=${crypto.randomUUID()}`)).toEqual([]);
    expect((await call("GET", "/v1/api/syncs?health=bad", { key: setUp.team.member.key })).status).toBe(422);
  });

  it("shows no other team's syncs, and none that were deleted", async () => {
    const [ours, theirs] = [await newSyncTeam(), await newSyncTeam()];
    await newSync(theirs, "theirs");
    const id = await newSync(ours, "ours");
    expect((await list(ours)).data).toMatchObject([{ id }]);
    expect((await ours.api("DELETE", "/sync")).status).toBe(204);
    expect(await list(ours)).toMatchObject({ data: [], total: 0 });
    expect((await list(theirs, `?integration_id=${ours.sourceId}`)).data).toEqual([]);
  });

  it("looks at each sync's runs by an index", async () => {
    const conditions = {
      sync_runs_succeeded: "r.state = 'succeeded' and r.only_tables is null order by r.ended_at",
      sync_runs_failed: "r.state = 'failed' order by r.ended_at",
      sync_runs_sync: "true order by r.id",
    };
    for (const [index, condition] of Object.entries(conditions)) {
      const { results } = await env.DB.prepare(
        `explain query plan select id from sync_runs r where r.sync_id = ?1 and ${condition} desc limit 1`,
      )
        .bind("x")
        .all<{ detail: string }>();
      expect(results.map(({ detail }) => detail).join()).toContain(index);
      expect(results.map(({ detail }) => detail).join()).not.toContain("TEMP B-TREE");
    }
  });
});

describe("successDueBy", () => {
  const every = (ms: number) => (after: Date) => new Date((Math.floor(after.getTime() / ms) + 1) * ms);
  it.each([
    ["five minutes", 300_000, SCHEDULE_LIMITS.staleSlackMsMin],
    ["an hour", HOUR_MS, HOUR_MS],
    ["a day", 24 * HOUR_MS, SCHEDULE_LIMITS.staleSlackMsMax],
  ])("gives work of every %s the time of one turn, within bounds", (_, periodMs, slackMs) => {
    const since = new Date(Date.parse("2026-11-22T00:00:00Z") + 1);
    expect(successDueBy(every(periodMs), since).getTime()).toBe(since.getTime() - 1 + periodMs + slackMs);
  });

  it("is past for overdueBy exactly when it is past", () => {
    const since = new Date("2026-11-22T00:10:00Z");
    for (const periodMs of [300_000, HOUR_MS, 24 * HOUR_MS])
      for (let minutes = 0; minutes < 60 * 50; minutes += 5) {
        const [dueBy, now] = [successDueBy(every(periodMs), since), new Date(since.getTime() + minutes * 60_000)];
        expect(overdueBy(every(periodMs), since, now)).toEqual(dueBy <= now ? dueBy : null);
      }
  });
});

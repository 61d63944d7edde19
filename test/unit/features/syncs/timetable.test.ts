import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { startDueSyncs } from "../../../../src/features/syncs/runs/start-due.ts";
import { flawsOfTimetable, nextRunOf } from "../../../../src/features/syncs/timetable.ts";
import { newSyncTeam } from "../../../support/unit/sync-team.ts";
import { newWorld } from "../../../support/unit/work-model/sync-world.ts";

/** A Sunday. */
const NOW = new Date("2026-11-22T12:00:00Z");
const messages = (cron?: string, timezone?: string) =>
  flawsOfTimetable({ cron, timezone }, NOW).map(({ pointer, message }) => `${pointer} ${message}`);

describe("flawsOfTimetable", () => {
  it("wants both fields, or neither", () => {
    expect(messages()).toEqual([]);
    expect(messages("0 6 * * *", "Europe/Berlin")).toEqual([]);
    expect(messages(undefined, "UTC")).toEqual([expect.stringMatching(/^\/timezone .*`cron`, which is missing/)]);
    expect(messages("0 6 * * *")).toEqual([expect.stringMatching(/^\/timezone .*is missing/)]);
  });

  it.each([
    ["0 0 31 2 *", "UTC", /^\/cron .*never fires/],
    ["every day", "UTC", /^\/cron /],
    ["* * * * * *", "UTC", /^\/cron /],
    ["0 6 * * *", "+02:00", /^\/timezone /],
    ["0 6 * * *", "Mars/Olympus", /^\/timezone /],
  ])("says why %s in %s is refused", (cron, timezone, why) => {
    expect(messages(cron, timezone)).toEqual([expect.stringMatching(why)]);
  });

  it.each([
    ["*/5 * * * *", true],
    ["*/4 * * * *", false],
    ["0,4 3 1 1 *", false],
    ["2,58 * * * *", false],
    ["2,58 3,5 * * *", true],
    ["59 23,0 * * *", true],
    ["0,59 0,23 * * *", false],
    ["0 2,3 * * *", true],
    ["0,2 12 * * 0", false],
  ])("takes %s: %s, for times are five minutes apart at least", (cron, isTaken) => {
    expect(messages(cron, "America/New_York").length === 0).toBe(isTaken);
  });
});

describe("a sync with a cron expression", () => {
  beforeEach(async () => void (await env.DB.prepare("UPDATE syncs SET next_run_at = NULL").run()));

  it("is due by it, shows it, and keeps it through a pause", async () => {
    const { configure, api } = await newSyncTeam();
    const answer = await configure({ cron: "30 6 * * 1-5", timezone: "Europe/Berlin" });
    const shown = { schedule: "hourly", cron: "30 6 * * 1-5", timezone: "Europe/Berlin" };
    expect(answer.body.sync_config).toMatchObject(shown);
    const berlin = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" });
    const next: string = answer.body.sync_config.next_run_at;
    expect(berlin.format(new Date(next))).toBe("06:30");
    expect((await api("PATCH", "/sync", { status: "paused" })).body.sync_config).toMatchObject({
      ...shown,
      next_run_at: null,
    });
    expect((await api("PATCH", "/sync", { status: "active" })).body.sync_config).toMatchObject({
      ...shown,
      next_run_at: next,
    });
    expect((await configure()).body.sync_config).toMatchObject({ schedule: "hourly", cron: null, timezone: null });
  });

  it("is refused with the reason, and nothing is stored", async () => {
    const { configure, api } = await newSyncTeam();
    expect(await configure({ cron: "0 0 31 2 *", timezone: "UTC" })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/cron", message: expect.stringContaining("never fires") as string }] } },
    });
    expect((await configure({ timezone: "UTC" })).body.error.flaws).toMatchObject([{ pointer: "/timezone" }]);
    expect((await api("GET", "/sync")).status).toBe(404);
  });

  it("moves on to its next time as a tick claims it, and runs once for what was missed", async () => {
    const world = await newWorld();
    world.nowMs = Date.parse("2100-01-04T05:30:00Z");
    const sync = await world.addSync({ cron: "30 6 * * *", timezone: "Europe/Berlin" });
    const dueAt = nextRunOf(sync, new Date("2100-01-01T12:00:00Z")).toISOString();
    expect(dueAt).toBe("2100-01-02T05:30:00.000Z");
    await env.DB.prepare("UPDATE syncs SET next_run_at = ? WHERE id = ?").bind(dueAt, sync.id).run();
    expect(await startDueSyncs(world.deps, world.now())).toEqual({ syncRunsStarted: 1 });
    expect(await startDueSyncs(world.deps, world.now())).toEqual({ syncRunsStarted: 0 });
    const row = await env.DB.prepare("SELECT next_run_at FROM syncs WHERE id = ?").bind(sync.id).first();
    expect(row).toEqual({ next_run_at: "2100-01-05T05:30:00.000Z" });
  });

  it("goes on at its own minute where its zone is no longer known", () => {
    const id = crypto.randomUUID();
    const timed = { id, schedule: "daily", cron: "0 6 * * *", timezone: "Mars/Olympus" } as const;
    expect(nextRunOf(timed, NOW)).toEqual(nextRunOf({ ...timed, cron: null, timezone: null }, NOW));
  });
});

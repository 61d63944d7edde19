// What the clock costs each minute: as much with many teams as with none, while nothing is due.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ALERT_PAGE, COLLECTION, DRIVE_MEASURE, TICK } from "../../../scripts/scale/counts.ts";
import { openClients } from "../../../src/clients/clients.ts";
import { CRONS } from "../../../src/crons.ts";
import { sweepAlerts } from "../../../src/features/alerts/episodes/sweep.ts";
import { ALERT_LIMITS } from "../../../src/features/alerts/limits.ts";
import { setAlertWebhook } from "../../../src/features/alerts/webhook/set.ts";
import { sweepDriveMeasures } from "../../../src/features/drive/measure/sweep.ts";
import { collectLakeObjects } from "../../../src/features/lakes/collect-objects.ts";
import { createJob, newAutomationTeam } from "../../support/unit/automations.ts";
import { ANOTHER_ID, copyRow } from "../../support/unit/costs/copies.ts";
import { countBindings } from "../../support/unit/costs/counted-bindings.ts";
import { runDocCounted } from "../../support/unit/costs/doc-run.ts";
import { runSyncCounted } from "../../support/unit/costs/sync-run.ts";
import { call } from "../../support/unit/http.ts";
import { newTeam, scopeOf } from "../../support/unit/team.ts";
import { LOSSY_QUEUE } from "../../support/unit/work-model/lossy-queue.ts";
import { newWorld } from "../../support/unit/work-model/sync-world.ts";

const counted = countBindings({ WAKE_UPS: LOSSY_QUEUE, ALERT_WAKE_UPS: LOSSY_QUEUE, CLEANUP_WAKE_UPS: LOSSY_QUEUE });
const clients = openClients(counted.bindings);
beforeAll(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));

async function tick() {
  counted.take();
  await CRONS["* * * * *"]!(clients, new Date());
  return counted.take();
}

describe("a minute's tick with nothing due", () => {
  it("reads the same rows however many teams, syncs, jobs and ended runs there are", async () => {
    // The sweep of messages begins at a team.
    await newTeam();
    await tick();
    expect(await tick()).toEqual(TICK.idle);
    for (let teams = 0; teams < 5; teams++) {
      const team = await newAutomationTeam();
      await (await newWorld({ teamId: team.id, userId: team.admin.id })).addSync();
      await createJob(team, { schedule: { cron: "0 3 1 1 *", timezone: "UTC" } });
    }
    await runSyncCounted();
    await runDocCounted();
    for (const table of ["sync_runs", "automation_runs"])
      await copyRow(table, 100, { id: ANOTHER_ID, scheduled_for: "NULL" });
    for (const table of ["doc_runs", "audit_events"]) await copyRow(table, 100, { id: ANOTHER_ID });
    await copyRow("api_keys", 100, { id: ANOTHER_ID, suffix_hash: ANOTHER_ID });
    // What has come due by all this is done by the first.
    await tick();
    expect(await tick()).toEqual(TICK.idle);
  });
});

describe("a look of alerts", () => {
  it("takes so many statements and rows for teams that are looked through together", async () => {
    const sweep = async () => {
      counted.take();
      await sweepAlerts(clients, new Date());
      return counted.take();
    };
    const none = await sweep();
    for (let teams = 0; teams < ALERT_LIMITS.alertTeamsPerPageMax; teams++) {
      const team = await newAutomationTeam();
      await (await newWorld({ teamId: team.id, userId: team.admin.id })).addSync();
      await createJob(team, { schedule: { cron: "0 3 1 1 *", timezone: "UTC" } });
      const scope = scopeOf(team.id, team.admin.id, false);
      await setAlertWebhook({ ...clients, scope }, { url: "https://alerts.example.com/fjord" });
    }
    await sweep();
    const page = await sweep();
    for (const of of ["statements", "rowsRead", "rowsWritten"] as const) page[of] -= none[of];
    expect(page).toEqual(ALERT_PAGE);
  });
});

describe("the daily round of a lake", () => {
  it("lists its objects, and asks its catalog about them", async () => {
    const team = await newTeam();
    const lake = env.DB.prepare("SELECT id FROM integrations WHERE team_id = ?").bind(team.id);
    const id = (await lake.first<string>("id"))!;
    for (let at = 0; at < 10; at++) await env.BUCKET.put(`${team.id}/lake/${id}/main/t/job-${at}.parquet`, "x");
    const collect = () => collectLakeObjects(clients, { teamId: team.id, id });
    await collect();
    counted.take();
    await collect();
    expect(counted.take()).toEqual(COLLECTION);
  });
});

describe("a look at a drive", () => {
  it("lists its objects", async () => {
    const team = await newTeam();
    await env.BUCKET.put(`${team.id}/drive/notes.txt`, "hello");
    await call("POST", "/v3/drive/upload-url", { key: team.member.key, body: { path: "a.bin" } });
    await env.DB.prepare("UPDATE drive_measures SET due_at = '2000-01-01T00:00:00.000Z' WHERE team_id = ?")
      .bind(team.id)
      .run();
    counted.take();
    expect(await sweepDriveMeasures(clients, new Date())).toEqual({ drivesMeasured: 1 });
    expect(counted.take()).toEqual(DRIVE_MEASURE);
  });
});

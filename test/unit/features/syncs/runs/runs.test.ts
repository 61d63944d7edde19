import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { SyncProgress } from "../../../../../kernel/jobs/progress.ts";
import { leaseOf } from "../../../../../src/features/syncs/sync.ts";
import type { Run } from "../../../../../src/features/syncs/runs/run.ts";
import { SYNC_WORK } from "../../../../../src/features/syncs/runs/step/sync-work.ts";
import { stepRun } from "../../../../../src/features/work-model/step-run.ts";
import { saveStep } from "../../../../../src/features/work-model/store.ts";
import { findRun } from "../../../../../src/features/syncs/runs/store.ts";
import { openDb } from "../../../../../src/platform/db/client.ts";
import { openLog } from "../../../../../src/platform/logs/log.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { callWith } from "../../../../support/unit/call-with.ts";
import { call } from "../../../../support/unit/http.ts";
import { newSyncTeam, type SyncTeam } from "../../../../support/unit/sync-team.ts";
import { openClients } from "../../../../../src/clients/clients.ts";

const anyId = () => `/v1/api/integrations/${crypto.randomUUID()}/syncs`;
refusesStrangers("listSyncRuns", (key) => call("GET", anyId(), { key }), { right: "integrations:read" });
refusesStrangers("runSync", (key) => call("POST", `${anyId()}/run`, { key, body: {} }), {
  right: "integrations:write",
});
refusesStrangers("getSyncRun", (key) => call("GET", `${anyId()}/${crypto.randomUUID()}`, { key }), {
  right: "integrations:read",
});
refusesStrangers("listSyncRunLogs", (key) => call("GET", `${anyId()}/${crypto.randomUUID()}/logs`, { key }), {
  right: "integrations:read",
});
refusesStrangers("cancelSyncRun", (key) => call("POST", `${anyId()}/${crypto.randomUUID()}/cancel`, { key }), {
  right: "integrations:write",
});

const endRun = (id: string, state: string, error: string | null = null) =>
  env.DB.prepare("UPDATE sync_runs SET state = ?, error = ?, ended_at = updated_at WHERE id = ?")
    .bind(state, error, id)
    .run();

/** Runs of these states, oldest first. */
/** Saves the end of a run as a step records it. */
const saveEnd = (run: Run, state: "succeeded" | "failed", progress: SyncProgress) =>
  saveStep(openDb(env.DB), SYNC_WORK.runs.table, run, {
    next: { ...run, state },
    now: new Date(),
    columns: SYNC_WORK.runs.progressColumns(progress),
  });

async function history({ api }: SyncTeam, states: string[], firstId: string): Promise<string[]> {
  const ids = [firstId];
  for (const [index, state] of states.entries()) {
    if (index > 0) ids.push((await api("POST", "/syncs/run")).body.run_id);
    if (state !== "queued") await endRun(ids[index]!, state, state === "failed" ? "The table is gone." : null);
  }
  return ids;
}

describe("listSyncRuns", () => {
  it("tells runs newest first, each with both of its ids, and FAILED of one that was cancelled", async () => {
    const team = await newSyncTeam();
    const { run_id: firstId, sync_config: sync } = (await team.configure()).body;
    const ids = await history(team, ["succeeded", "failed", "cancelled", "queued"], firstId);
    const { status, body } = await team.api("GET", "/syncs", undefined, team.team.member.key);
    expect({ status, ids: body.data.map(({ id }: { id: string }) => id) }).toEqual({
      status: 200,
      ids: ids.toReversed(),
    });
    expect(body.data.map(({ status: shown }: { status: string }) => shown)).toEqual([
      "STARTED",
      "FAILED",
      "FAILED",
      "SUCCESS",
    ]);
    expect(body.data[2]).toMatchObject({
      id: ids[1],
      run_id: ids[1],
      dag_name: `sync_${sync.id}`,
      src_integration_id: team.sourceId,
      dst_integration_id: team.lakeId,
      details: { reason: "The table is gone.", dest_schema: "shop", cause: "manual", ended_at: expect.any(String) },
    });
    expect(body.data[1].details).toMatchObject({ state: "cancelled", reason: "The run was cancelled." });
  });

  it("pages, filters and turns round as asked, within its bounds", async () => {
    const team = await newSyncTeam();
    const ids = await history(
      team,
      ["succeeded", "failed", "succeeded", "queued"],
      (await team.configure()).body.run_id,
    );
    const list = async (query: string): Promise<string[]> =>
      (await team.api("GET", `/syncs?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await list("limit=2")).toEqual([ids[3], ids[2]]);
    expect(await list("limit=2&offset=3")).toEqual([ids[0]]);
    expect(await list("desc=false&limit=1")).toEqual([ids[0]]);
    expect(await list("status=SUCCESS")).toEqual([ids[2], ids[0]]);
    expect(await list("status=FAILED")).toEqual([ids[1]]);
    expect(await list("status=STARTED")).toEqual([ids[3]]);
    for (const query of ["limit=0", "limit=101", "offset=-1", "desc=yes", "status=started", "more=1"])
      expect((await team.api("GET", `/syncs?${query}`)).status).toBe(422);
  });

  it("tells of a run that succeeded what it left as it was, and of one that failed how much it did", async () => {
    const { api, configure, team } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    const table = {
      source: "public.gone",
      dest: "shop.gone",
      phase: "skipped" as const,
      rowsRead: 0,
      rowsWritten: 0,
      rowsDeleted: 0,
      bytesWritten: 0,
      method: "kept",
      notes: ["public.gone is gone."],
      warnings: [{ code: "table_skipped" as const, text: "public.gone is gone." }],
      error: null,
    };
    const appended = {
      ...table,
      source: "public.log",
      phase: "done" as const,
      warnings: [{ code: "rows_not_written" as const, text: "2 of the 5 rows read were not written." }],
    };
    const sums = {
      tables: 5_000,
      done: 4_997,
      failed: 2,
      skipped: 1,
      rowsRead: 70,
      rowsWritten: 60,
      rowsDeleted: 5,
      bytesWritten: 4,
      rowsEstimated: 90,
    };
    const run = (await findRun(openDb(env.DB), team.id, runId))!;
    await saveEnd(run, "succeeded", { tables: [table, appended], notes: ["old.* brought no table."], sums });
    const details = {
      tables_total: 5_000,
      tables_done: 4_997,
      tables_failed: 2,
      tables_skipped: 1,
      rows_read: 70,
      rows_estimated: 90,
      warnings: [
        "old.* brought no table.",
        "public.gone is gone.",
        "public.log: 2 of the 5 rows read were not written.",
      ],
      warning_codes: ["star_without_tables", "table_skipped", "rows_not_written"],
    };
    expect((await api("GET", "/syncs")).body.data[0]).toMatchObject({ status: "SUCCESS", details });
    const cut = expect.stringContaining("Of its 5000 tables 2 are shown");
    expect((await api("GET", `/syncs/${runId}`)).body.run).toMatchObject({
      details: { ...details, warnings: [...details.warnings, cut] },
      tables: [{ phase: "skipped", rows_estimated: null, rows_compared: 0 }, { phase: "done" }],
    });
  });

  it("counts the tables of a run that has ended by what is kept of them, where no summary was kept", async () => {
    const { api, configure, team } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    const table = {
      source: "public.a",
      dest: "shop.a",
      rowsRead: 1,
      rowsWritten: 1,
      rowsDeleted: 0,
      bytesWritten: 1,
      method: "merge",
      notes: [],
      error: null,
    };
    const run = (await findRun(openDb(env.DB), team.id, runId))!;
    const tables = [
      { ...table, phase: "done" as const },
      { ...table, phase: "failed" as const },
    ];
    await saveEnd(run, "failed", { tables });
    await env.DB.prepare("UPDATE sync_runs SET summary = NULL WHERE id = ?").bind(runId).run();
    const ended = (await api("GET", `/syncs/${runId}`)).body.run;
    expect(ended).toMatchObject({
      details: { tables_total: 2, tables_done: 1, tables_failed: 1, rows_read: 2 },
      tables: [{ phase: "done" }, { phase: "failed" }],
    });
  });

  it("tells nothing of another team's, and no other integration's", async () => {
    const [ours, theirs] = [await newSyncTeam(), await newSyncTeam()];
    const { run_id: runId } = (await theirs.configure()).body;
    expect((await ours.api("GET", "/syncs")).body.data).toEqual([]);
    for (const path of [`/syncs/${runId}`, `/syncs/${runId}/logs`, "/syncs/x"])
      expect((await ours.api("GET", path)).status).toBe(404);
    expect((await ours.api("POST", `/syncs/${runId}/cancel`)).status).toBe(404);
  });
});

describe("a deleted integration", () => {
  it("has its runs told, and each says what was deleted", async () => {
    const { team, sourceId, api, configure, base, bindings } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    expect((await callWith(bindings, "DELETE", base, { key: team.admin.key })).status).toBe(204);
    await stepRun(SYNC_WORK, openClients({ ...env, ...bindings } as Env), { teamId: team.id, id: runId });
    const reported = {
      id: runId,
      status: "FAILED",
      details: { state: "cancelled", reason: `The integration shop (${sourceId}), which it reads, was deleted.` },
    };
    expect(await api("GET", "/syncs")).toMatchObject({ status: 200, body: { data: [reported] } });
    expect(await api("GET", `/syncs/${runId}`)).toMatchObject({ status: 200, body: { run: reported } });
    expect(await api("GET", `/syncs/${runId}/logs`)).toMatchObject({
      status: 200,
      body: { data: [{ message: reported.details.reason }] },
    });
    expect(await api("GET", "/sync")).toMatchObject({
      status: 404,
      body: { message: `Integration ${sourceId} was not found.` },
    });
    const other = await newSyncTeam();
    for (const path of ["/syncs", `/syncs/${runId}`])
      expect((await callWith(bindings, "GET", base + path, { key: other.team.admin.key })).status).toBe(404);
  });
});

describe("runSync", () => {
  it("starts a run, also of a paused sync, and answers the one in progress to who asks again", async () => {
    const { api, configure, wakeUps } = await newSyncTeam();
    const { run_id: firstId } = (await configure()).body;
    await endRun(firstId, "succeeded");
    await api("PATCH", "/sync", { status: "paused" });
    const answers = await Promise.all([
      api("POST", "/syncs/run"),
      api("POST", "/syncs/run", {}),
      api("POST", "/syncs/run", { full: false }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const ids = new Set(answers.map(({ body }) => body.run_id));
    expect(ids.size).toBe(1);
    expect(ids.has(firstId)).toBe(false);
    expect(wakeUps.map(({ id }) => id)).toEqual([firstId, ...ids]);
  });

  it("reads everything, or only some tables, where asked", async () => {
    const { api, configure } = await newSyncTeam();
    await endRun((await configure({ tables: ["public.orders", "public.items"] })).body.run_id, "succeeded");
    const { run_id: runId } = (await api("POST", "/syncs/run", { full: true, tables: ["public.items"] })).body;
    expect((await api("GET", `/syncs/${runId}`)).body.run.details).toMatchObject({
      full: true,
      tables: ["public.items"],
      cause: "manual",
    });
  });

  it("queues what the run in progress does not bring, drops nothing of it, and takes ten that wait", async () => {
    const { api, configure } = await newSyncTeam();
    const { run_id: firstId } = (await configure({ tables: ["public.orders", "public.items"] })).body;
    await env.DB.prepare("UPDATE sync_runs SET state = 'running', attempt = 1, started_at = created_at WHERE id = ?")
      .bind(firstId)
      .run();
    const ask = async (body: Record<string, unknown>) =>
      (await api("POST", "/syncs/run", body)).body as { run_id: string; waits_for: string | null };
    const items = await ask({ tables: ["public.items"] });
    const full = await ask({ full: true });
    expect([items.waits_for, full.waits_for]).toEqual([firstId, items.run_id]);
    expect((await api("GET", `/syncs/${items.run_id}`)).body.run.details).toMatchObject({
      state: "queued",
      full: false,
      tables: ["public.items"],
      reason: `It waits for run ${firstId} of this sync to end.`,
    });
    expect((await api("GET", `/syncs/${full.run_id}`)).body.run.details).toMatchObject({
      state: "queued",
      full: true,
      tables: null,
    });
    expect(await ask({})).toMatchObject({ run_id: firstId, waits_for: null });
    expect([await ask({ tables: ["public.items"] }), await ask({ full: true, tables: ["public.orders"] })]).toEqual([
      items,
      full,
    ]);

    const insert =
      "INSERT INTO sync_runs SELECT ?, team_id, sync_id, source_id, lake_id, dest_schema, cause, scheduled_for, is_full, ?, 'queued', attempt, refusals, job_id, fence, due_at, claimed_until, cancel_requested_at, cancel_reason, deadline_at, error, progress, rows_read, rows_written, rows_deleted, bytes_written, revision, started_at, ended_at, created_at, updated_at, absences, summary, breaks, NULL, NULL FROM sync_runs WHERE id = ?";
    for (let more = 0; more < 8; more++)
      await env.DB.prepare(insert)
        .bind(crypto.randomUUID(), JSON.stringify(["public.orders"]), items.run_id)
        .run();
    await env.DB.prepare("UPDATE sync_runs SET ended_at = created_at WHERE id = ?").bind(full.run_id).run();
    await ask({ full: true, tables: ["public.items"] });
    expect(await api("POST", "/syncs/run", { full: true, tables: ["public.orders"] })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("11 runs that have not ended") },
    });
  });

  it("queues each of those who ask at once for something else, once", async () => {
    const { api, configure } = await newSyncTeam();
    const { run_id: firstId } = (await configure({ tables: ["public.orders", "public.items"] })).body;
    await env.DB.prepare("UPDATE sync_runs SET state = 'running', attempt = 1, started_at = created_at WHERE id = ?")
      .bind(firstId)
      .run();
    const bodies = [
      { full: true, tables: ["public.orders"] },
      { tables: ["public.items"] },
      { full: true, tables: ["public.orders"] },
      { tables: ["public.items"] },
    ];
    const ids = (await Promise.all(bodies.map((body) => api("POST", "/syncs/run", body)))).map(
      ({ body }) => body.run_id as string,
    );
    expect([ids[0], ids[1], new Set([firstId, ...ids]).size]).toEqual([ids[2], ids[3], 3]);
  });

  it("refuses tables that are not the sync's, and a sync that is not there", async () => {
    const { api, configure } = await newSyncTeam();
    expect((await api("POST", "/syncs/run")).status).toBe(404);
    await configure({ tables: ["sales.*"] });
    expect(await api("POST", "/syncs/run", { tables: ["sales.people", "public.items"] })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/tables/1" }] } },
    });
    expect(await api("POST", "/syncs/run", { tables: ["sales.*"] })).toMatchObject({ status: 422 });
    expect((await api("POST", "/syncs/run", { tables: ["sales.people"] })).status).toBe(202);
  });
});

describe("getSyncRun", () => {
  const progress = (rowsRead: number): SyncProgress => ({
    tables: [
      {
        source: "public.orders",
        dest: "shop.orders",
        phase: "reading",
        rowsRead,
        rowsWritten: 2,
        rowsDeleted: 1,
        bytesWritten: 100,
        method: "merge",
        notes: ["A column was added."],
        error: null,
      },
    ],
  });

  it("tells each table as the job under way tells it, and at the end as it was", async () => {
    const { api, configure, catalog, team } = await newSyncTeam();
    const { run_id: runId, sync_config: sync } = (await configure()).body;
    expect((await api("GET", `/syncs/${runId}`)).body.run.tables).toEqual([]);

    const lease = await catalog.acquireLease(leaseOf(sync.id), "job", 60_000);
    const fence = lease.ok ? lease.value.fence : 0;
    await catalog.keepProgress(leaseOf(sync.id), fence, progress(7));
    await env.DB.prepare(
      "UPDATE sync_runs SET state = 'running', attempt = 1, job_id = 'job', fence = ?, due_at = '2000-01-01T00:00:00.000Z' WHERE id = ?",
    )
      .bind(fence, runId)
      .run();
    const live = (await api("GET", `/syncs/${runId}`, undefined, team.member.key)).body.run;
    expect(live).toMatchObject({
      details: { state: "running", rows_read: 7, rows_written: 2, rows_deleted: 1, bytes_written: 100 },
      tables: [
        {
          source: "public.orders",
          table: "shop.orders",
          phase: "reading",
          rows_read: 7,
          rows_written: 2,
          rows_deleted: 1,
          bytes_written: 100,
          method: "merge",
          notes: ["A column was added."],
          error: null,
        },
      ],
    });

    await catalog.keepOutcome(leaseOf(sync.id), fence, {
      outcome: "succeeded",
      error: null,
      retryable: false,
      progress: progress(9),
    });
    await stepRun(SYNC_WORK, openClients(env), { teamId: team.id, id: runId });
    await catalog.acquireLease(leaseOf(sync.id), "next", 60_000);
    const ended = (await api("GET", `/syncs/${runId}`)).body.run;
    expect(ended).toMatchObject({
      status: "SUCCESS",
      details: { rows_read: 9, ended_at: expect.any(String) },
      tables: [{ rows_read: 9 }],
    });
    expect((await api("GET", "/syncs")).body.data[0].details.rows_read).toBe(9);
  });
});

describe("listSyncRunLogs", () => {
  it("reads a run's lines by offset, over all its attempts", async () => {
    const { api, configure, team } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    await openLog(env, team.id).append(
      runId,
      ["one", "two", "three"].map((message, index) => ({ level: "info" as const, message, attempt: index + 1 })),
    );
    const page = await api("GET", `/syncs/${runId}/logs?offset=1&limit=1`, undefined, team.member.key);
    expect(page.body).toMatchObject({
      success: true,
      total: 3,
      offset: 1,
      limit: 1,
      data: [{ offset: 1, level: "info", attempt: 2, message: "two" }],
    });
    expect(
      (await api("GET", `/syncs/${runId}/logs`)).body.data.map(({ message }: { message: string }) => message),
    ).toEqual(["one", "two", "three"]);
    expect((await api("GET", `/syncs/${runId}/logs?limit=1001`)).status).toBe(422);
  });
});

describe("cancelSyncRun", () => {
  it("is asked for once, says who asked, and is refused of a run that has ended", async () => {
    const { api, configure, wakeUps, team, bindings } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    wakeUps.length = 0;
    expect((await api("POST", `/syncs/${runId}/cancel`)).status).toBe(202);
    expect((await api("POST", `/syncs/${runId}/cancel`)).status).toBe(202);
    expect(wakeUps.map(({ id }) => id)).toEqual([runId]);
    expect(await stepRun(SYNC_WORK, openClients({ ...env, ...bindings } as Env), { teamId: team.id, id: runId })).toBe(
      "end",
    );
    expect((await api("GET", `/syncs/${runId}`)).body.run).toMatchObject({
      status: "FAILED",
      details: { state: "cancelled", reason: expect.stringMatching(/^Cancelled by Ada/) },
    });
    expect(await api("POST", `/syncs/${runId}/cancel`)).toMatchObject({
      status: 409,
      body: { error: { code: "resource_conflict" } },
    });
  });
});

describe("a run", () => {
  it("is taken up by the queue by itself, and started in the engine", async () => {
    const { configure, api, team, base } = await newSyncTeam();
    await endRun((await configure()).body.run_id, "succeeded");
    // With the Worker's own queue and engine, unlike everything above.
    const { body } = await call("POST", `${base}/syncs/run`, { key: team.admin.key });
    let details = { attempt: 0 };
    for (let look = 0; look < 600 && details.attempt === 0; look++) {
      await scheduler.wait(100);
      details = (await api("GET", `/syncs/${body.run_id}`)).body.run.details;
    }
    expect(details).toMatchObject({ attempt: 1 });
    await api("POST", `/syncs/${body.run_id}/cancel`);
  });
});

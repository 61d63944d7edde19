// What operators see of the platform's work, over runs of syncs in the real database.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../../src/core/ids.ts";
import { noteTick } from "../../../src/features/operations/note-tick.ts";
import { openClients } from "../../../src/clients/clients.ts";
import { QUEUES } from "../../../src/queues.ts";
import { refusesStrangers } from "../../support/unit/access.ts";
import { call } from "../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../support/unit/team.ts";
import { newWorld } from "../../support/unit/work-model/sync-world.ts";

let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});
beforeEach(() => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});

const work = async (query: string) =>
  (await call("GET", `/v4/admin/work?${query}`, { key: operator.admin.key })).body.data;
const health = async () => (await call("GET", "/v4/admin/health", { key: operator.admin.key })).body.data;

describe("listWork", () => {
  refusesStrangers("listWork", (key) => call("GET", "/v4/admin/work", { key }), { right: "platform:operate" });

  it("shows what runs, waits and failed, with its reason and place, by kind, state and team", async () => {
    const world = await newWorld();
    const sync = await world.addSync();
    const running = await world.run(sync);
    await world.step(running);
    const waiting = await world.run(sync, { isFull: true });
    const failed = await world.run(await world.addSync());
    const at = new Date().toISOString();
    await env.DB.prepare("update sync_runs set state = 'failed', error = 'It broke.', ended_at = ? where id = ?")
      .bind(at, failed.id)
      .run();
    const all = await work(`teamId=${world.teamId}`);
    expect(all.total).toBe(3);
    const of = (id: string) => all.items.find((item: { id: string }) => item.id === id);
    expect(of(failed.id)).toMatchObject({ kind: "sync", state: "failed", error: "It broke.", waitingFor: null });
    expect(of(running.id)).toMatchObject({ state: "running", attempt: 1, subjectId: sync.id });
    const waitingFor = { code: "other_run", runId: running.id };
    expect(of(waiting.id)).toMatchObject({ state: "queued", place: 1, waitingFor, teamId: world.teamId });
    const ids = async (query: string) =>
      (await work(`teamId=${world.teamId}&${query}`)).items.map(({ id }: { id: string }) => id);
    expect(await ids("state=queued")).toEqual([waiting.id]);
    expect(await ids("kind=job&kind=doc")).toEqual([]);
    expect(await ids("state=running&state=failed&kind=sync&limit=1")).toHaveLength(1);
  });

  it("shows asynchronous queries, alerts and removals, and not what failed at a source", async () => {
    const { id: teamId } = await newTeam();
    const now = new Date().toISOString();
    const insert = async (table: string, row: Record<string, unknown>) => {
      const names = Object.keys(row);
      const sql = `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
      await env.DB.prepare(sql)
        .bind(...Object.values(row))
        .run();
    };
    const query = async (more: Record<string, unknown>) => {
      const id = newId();
      await insert("async_queries", {
        ...{ team_id: teamId, id, user_id: newId(), integration_id: "lake", asked_by: "sql", format: "json" },
        ...{ created_at: now, deadline_at: now, is_repeated: 0, ...more },
      });
      return id;
    };
    const problem = (code: string) => JSON.stringify({ code, detail: `It is ${code}.` });
    const queued = await query({});
    const running = await query({ accepted_at: now });
    const unknown = await query({ ended_at: now, problem: problem("write_outcome_unknown") });
    await query({ ended_at: now, problem: problem("query_failed") });
    await query({ ended_at: now, problem: problem("query_cancelled") });
    await query({ ended_at: now, bytes: 1 });
    const alert = newId();
    await insert("alert_deliveries", {
      ...{ id: alert, team_id: teamId, type: "sync.failed", payload: "{}", state: "pending", attempts: 2, due_at: now },
      ...{ error: "No answer came.", revision: 0, created_at: now, subject_id: "sync" },
    });
    const lake = newId();
    await insert("lake_removals", { lake_id: lake, team_id: teamId, created_at: now, next_try_at: now });
    const { items } = await work(`teamId=${teamId}&limit=250`);
    const listed = items.map(({ kind, id, state, subjectId, error }: Record<string, unknown>) =>
      [kind, id, state, subjectId, error].join(" "),
    );
    expect(listed.sort()).toEqual(
      [
        `query ${queued} queued lake `,
        `query ${running} running lake `,
        `query ${unknown} failed lake It is write_outcome_unknown.`,
        `alert ${alert} queued sync No answer came.`,
        `removal ${lake} running ${lake} `,
      ].sort(),
    );
  });
});

describe("getPlatformHealth", () => {
  refusesStrangers("getPlatformHealth", (key) => call("GET", "/v4/admin/health", { key }), {
    right: "platform:operate",
  });

  it("tells when the clock last ticked, and a tick that comes late logs the gap", async () => {
    const clients = openClients(env);
    const last = new Date(Date.now() - 600_000);
    await noteTick(clients, last);
    expect((await health()).clock).toMatchObject({ lastTickAt: last.toISOString() });
    expect((await health()).clock.ageSeconds).toBeGreaterThanOrEqual(600);
    const now = new Date();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(await noteTick(clients, now)).toEqual({ minutesAway: 10 });
    const line = JSON.stringify({ event: "platform_away", from: last.toISOString(), to: now.toISOString() });
    expect(warn).toHaveBeenCalledWith(line);
    expect(await noteTick(clients, new Date(now.getTime() + 60_000))).toEqual({ minutesAway: 0 });
  });

  it("tells what is due and not taken, and counts dead letters", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await env.DB.prepare("update sync_runs set due_at = '2020-01-01T00:00:00.000Z' where id = ?").bind(run.id).run();
    const body = { kind: "lake_removal", version: 1, teamId: world.teamId, id: world.lakeId };
    const message = { id: "m", body, attempts: 1, ack: () => undefined, retry: () => undefined };
    await QUEUES["fjord-nudges-dead"]!(openClients(env), message as unknown as Message);
    const { queues, deadLetters, alerts } = await health();
    const syncs = queues.find(({ kind }: { kind: string }) => kind === "sync_run");
    expect(syncs).toMatchObject({ oldestDueAt: "2020-01-01T00:00:00.000Z" });
    expect(syncs.ageSeconds).toBeGreaterThan(0);
    expect(deadLetters).toMatchObject([{ kind: "lake_removal", count: 1 }]);
    expect(alerts).toMatchObject({ pending: expect.any(Number), failedLastDay: expect.any(Number) });
  });
});

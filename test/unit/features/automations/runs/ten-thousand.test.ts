// Ten thousand jobs of two hundred teams that fall due in one tick, through the Worker's own entry points: the queue as
// the runtime runs it, the database without the way to it, sandboxes that take orders. The consumer dies twice.

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import worker from "../../../../../src/index.ts";
import { openDb } from "../../../../../src/platform/db/client.ts";
import { createJob, newDoc } from "../../../../support/unit/automations.ts";
import { withNearDatabase } from "../../../../support/unit/runtime/near-database.ts";
import { QueueRuntime } from "../../../../support/unit/runtime/queue-runtime.ts";
import { StartSandbox } from "../../../../support/unit/runtime/start-sandbox.ts";
import { newTeam } from "../../../../support/unit/team.ts";

const TEAMS = 200;
const JOBS = 10_000;
const BATCHES_AT_ONCE = 4;
const MINUTE_MS = 60_000;
const MINUTES_MAX = 30;
/** Questions to the database after which isolates die: in the middle of some steps. */
const LIVES = [40_000, 100_000];
/** Ends a test that is stuck: it takes minutes, and several times as many beside other work. */
const STUCK_MS = 20 * MINUTE_MS;

beforeEach(() => {
  // Every broken step is logged, and each tick.
  for (const level of ["log", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => void vi.useRealTimers());

it("are each run once, though two ticks come at once and the consumer dies twice", { timeout: STUCK_MS }, async () => {
  const seed = await newSeed();
  await withNearDatabase(async (database) => {
    const dueAt = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    await plantJobs(database, seed, new Date(dueAt).toISOString());
    vi.useFakeTimers({ toFake: ["Date"], now: dueAt });

    const sandbox = new StartSandbox(openDb(database));
    const queue = new QueueRuntime(Date.now, { DB: database, LOGS: SILENT_LOGS, ...sandbox.bindings }, LIVES);
    const rows = async (sql: string) => (await database.prepare(sql).all<Record<string, unknown>>()).results;
    const tick = () =>
      worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() } as ScheduledController, queue.env);

    await Promise.all([tick(), tick()]);
    const begun = await rows("SELECT count(*) AS runs, count(DISTINCT automation_id) AS jobs FROM automation_runs");
    expect(begun).toEqual([{ runs: JOBS, jobs: JOBS }]);
    for (let minute = 0; minute < MINUTES_MAX; minute++) {
      const end = dueAt + (minute + 1) * MINUTE_MS;
      for (let at = queue.nextAtMs(); at !== undefined && at < end; at = queue.nextAtMs()) {
        vi.setSystemTime(Math.max(Date.now(), at));
        await queue.drain(BATCHES_AT_ONCE);
        await sandbox.work();
      }
      if ((await rows("SELECT 1 FROM automation_runs WHERE ended_at IS NULL LIMIT 1")).length === 0) break;
      vi.setSystemTime(end);
      await tick();
    }

    expect(queue.deaths).toBe(LIVES.length);
    const runs =
      "SELECT state, count(*) AS runs, count(DISTINCT automation_id) AS jobs FROM automation_runs GROUP BY 1";
    expect(await rows(runs)).toEqual([{ state: "succeeded", runs: JOBS, jobs: JOBS }]);
    const attempts = "SELECT state, count(*) AS attempts, count(DISTINCT run_id) AS runs FROM attempts GROUP BY 1";
    expect(await rows(attempts)).toEqual([{ state: "succeeded", attempts: JOBS, runs: JOBS }]);
    // Besides, there are those whose order died with the consumer: they never began.
    const docRuns = "SELECT state, count(*) AS runs FROM doc_runs WHERE started_at IS NOT NULL GROUP BY 1";
    expect(await rows(docRuns)).toEqual([{ state: "succeeded", runs: JOBS }]);
    // What counts is what their code did.
    expect([...sandbox.ran.values()].filter((times) => times > 1)).toEqual([]);
    expect(sandbox.ran.size).toBe(JOBS);
  });
});

/** What runs say on their way is none of this test's business, and goes far. */
const SILENT_LOGS = {
  idFromName: (name: string) => name,
  get: () => ({ append: async () => undefined }),
} as unknown as Env["LOGS"];

type Row = Record<string, unknown>;
type Seed = { table: string; rows: Row[] }[];

/** All rows of a team with a doc and a job of it, as the API made them. */
async function newSeed(): Promise<Seed> {
  const team = await newTeam();
  const docId = await newDoc(team, { main: { engine: "python", code: "result = 1" } });
  const schedule = { cron: "30 6 * * *", timezone: "Europe/Berlin" };
  await createJob({ ...team, docId, lakeId: "" }, { schedule });
  const of = async (table: string, column: string) => ({
    table,
    rows: (await env.DB.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).bind(team.id).all<Row>()).results,
  });
  const tables = ["users", "docs", "doc_versions", "automation_jobs"];
  return Promise.all([of("teams", "id"), ...tables.map((table) => of(table, "team_id"))]);
}

/** The seed's like for every team, under ids of its own, with as many jobs as make up ten thousand. */
async function plantJobs(database: D1Database, seed: Seed, dueAt: string): Promise<void> {
  for (let team = 0; team < TEAMS; team++) {
    for (const { table, rows } of seed) {
      for (const row of rows) {
        const own = Object.entries(row).map(([name, value]) => [name, isId(value) ? idOf(value, team) : value]);
        if (table !== "automation_jobs") await insert(database, table, Object.fromEntries(own));
        else
          for (let job = 0; job < JOBS / TEAMS; job++) {
            const like = { ...Object.fromEntries(own), next_run_at: dueAt } as Row;
            await insert(database, table, { ...like, id: idOf(String(like.id), team, job) });
          }
      }
    }
  }
}

const isId = (value: unknown): value is string => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(String(value));
/** Derives an id for a team and a job: one id always becomes the same one of each team. */
const idOf = (id: string, team: number, job = 0): string => `${id.slice(0, 24)}${hex(team)}${hex(job)}${id.slice(32)}`;
const hex = (n: number): string => n.toString(16).padStart(4, "0");

async function insert(database: D1Database, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const places = names.map(() => "?").join(", ");
  await database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`)
    .bind(...Object.values(row))
    .run();
}

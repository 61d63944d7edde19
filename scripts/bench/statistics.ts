// How long statistics take, and what memory: of 50 teams and 8 kinds of event that happen every minute.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EVENT_TYPES } from "../../src/core/events/event-types.ts";
import { startDeployment, type Deployment, type Stops } from "./http/deployment.ts";
import { cpuMs, fixed, machineLoad, memoryMb, percentile, printTable, say, timed } from "./support/measure.ts";

const TEAMS = 50;
const ROUNDS = 20;
const AIM_MS = 300;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** What one minute of one kind looks like: 60 durations in a dozen buckets. */
const HISTOGRAM = JSON.stringify(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [60 + 3 * index, 5])));
/** How long the reader of the largest answer stands still, with most of it still to come. */
const PAUSE_MS = 5_000;

export async function benchStatistics(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-statistics-"));
  const stops: Stops = [() => rm(folder, { recursive: true, force: true })];
  try {
    const deployment = await startDeployment(folder, stops);
    const teamIds = fill(deployment.database);
    await benchDefault(deployment, teamIds);
    await benchLargest(deployment, teamIds);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** All kinds for a day and a bit, one of them for the week, each minute with events. */
function fill(file: string): string[] {
  const teamIds = Array.from({ length: TEAMS }, () => crypto.randomUUID());
  const database = new DatabaseSync(file);
  const now = Math.floor(Date.now() / 60_000);
  const team = database.prepare(
    "INSERT INTO teams (id, name, plan, created_at, updated_at) VALUES (?, 't', 'free', '', '')",
  );
  const rollups =
    database.prepare(`WITH RECURSIVE minutes (minute) AS (SELECT ?3 UNION ALL SELECT minute + ?4 FROM minutes
      WHERE minute + ?4 <= ?5) INSERT INTO event_rollups SELECT ?1, ?2, ?4, minute, 60, 60000, 300, 8000, ?6 FROM minutes`);
  database.exec("BEGIN");
  for (const id of teamIds) {
    team.run(id);
    for (const type of EVENT_TYPES)
      for (const span of [1, 10]) {
        const from = now - (type === "query" ? WEEK_MINUTES : DAY_MINUTES) - 60;
        rollups.run(id, type, Math.floor(from / span) * span, span, now, HISTOGRAM);
      }
  }
  database.exec("COMMIT");
  database.close();
  return teamIds;
}

type Answer = { bytes: number; cpuMs: number };

async function ask({ program, key }: Deployment, teamIds: string[], query: string, pauseMs = 0): Promise<Answer> {
  const names = [...EVENT_TYPES.map((type) => `types=${type}`), ...teamIds.map((id) => `teamIds=${id}`)].join("&");
  const before = (await cpuMs(program.pid)) ?? Number.NaN;
  const response = await fetch(`http://127.0.0.1:${program.port}/v4/admin/statistics?${names}${query}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (!response.ok || !response.body) throw new Error(`Statistics answered ${response.status}.`);
  let bytes = 0;
  for await (const chunk of response.body) {
    if (bytes === 0 && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    bytes += chunk.byteLength;
  }
  return { bytes, cpuMs: ((await cpuMs(program.pid)) ?? Number.NaN) - before };
}

async function benchDefault(deployment: Deployment, teamIds: string[]): Promise<void> {
  const rows: string[][] = [];
  let reached = Number.NaN;
  for (const [label, query] of [
    ["24 h by 10 min (default)", ""],
    ["168 h by 60 min", "&windowHours=168&bucketMinutes=60"],
    ["24 h by 7 min", "&bucketMinutes=7"],
  ] as const) {
    const times: number[] = [];
    let last: Answer = { bytes: 0, cpuMs: 0 };
    await ask(deployment, teamIds, query);
    for (let round = 0; round < ROUNDS; round++)
      times.push(await timed(async () => (last = await ask(deployment, teamIds, query))));
    if (query === "") reached = percentile(times, 0.95);
    rows.push([
      label,
      fixed(percentile(times, 0.5), 0),
      fixed(percentile(times, 0.95), 0),
      fixed(last.cpuMs, 0),
      fixed(last.bytes / 1e6, 1),
    ]);
  }
  printTable(
    `Statistics of ${TEAMS} teams and ${EVENT_TYPES.length} kinds, events in every minute: ${ROUNDS} rounds`,
    ["", "p50 ms", "p95 ms", "Worker CPU ms", "MB"],
    rows,
  );
  say(`Aim: the default within ${AIM_MS} ms. ${reached <= AIM_MS ? "Reached." : "Missed."} Load ${machineLoad()}.`);
}

/** Every minute of a week; the reader takes its time. */
async function benchLargest(deployment: Deployment, teamIds: string[]): Promise<void> {
  const before = await memoryMb(deployment.program.pid);
  let answer: Answer = { bytes: 0, cpuMs: 0 };
  const took = await timed(async () => {
    answer = await ask(deployment, teamIds, "&windowHours=168&bucketMinutes=1", PAUSE_MS);
  });
  const after = await memoryMb(deployment.program.pid);
  printTable(
    `The largest answer: ${TEAMS * EVENT_TYPES.length * WEEK_MINUTES} buckets, its reader stands still for ${PAUSE_MS} ms`,
    ["s", "Worker CPU s", "MB", "memory before, MB", "its peak, MB"],
    [
      [
        fixed(took / 1e3),
        fixed(answer.cpuMs / 1e3),
        fixed(answer.bytes / 1e6, 0),
        fixed(before?.now ?? Number.NaN, 0),
        fixed(after?.peak ?? Number.NaN, 0),
      ],
    ],
  );
}

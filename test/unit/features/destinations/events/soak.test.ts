// Many events of many runs through the Worker's own entry points, to a receiver that fails and while the Worker dies:
// none is lost, and those of a run arrive in their order. `SOAK_EVENTS=100000` of the environment makes it more.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MESSAGE_LIMITS } from "../../../../../src/features/messages/limits.ts";
import worker from "../../../../../src/index.ts";
import { openDb } from "../../../../../src/platform/db/client.ts";
import { recordOutboundEvent } from "../../../../../src/platform/db/record-outbound-event.ts";
import { newEventsDestination } from "../../../../support/unit/messages/events.ts";
import { withNearDatabase } from "../../../../support/unit/runtime/near-database.ts";
import { QueueRuntime } from "../../../../support/unit/runtime/queue-runtime.ts";
import { newTeam } from "../../../../support/unit/team.ts";

const EVENTS = Number(env.SOAK_EVENTS);
const EVENTS_PER_RUN = 4;
const RUNS = EVENTS / EVENTS_PER_RUN;
const BATCHES_AT_ONCE = 4;
const MINUTE_MS = 60_000;
const MINUTES_MAX = 10_000;
const STUCK_MS = 60 * MINUTE_MS;
/** Questions to the database after which isolates die: in the middle of attempts. */
const LIVES = [EVENTS / 2 + 1, EVENTS, 2 * EVENTS + 3, 3 * EVENTS + 1];

beforeEach(() => {
  for (const level of ["log", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("all arrive, those of a run in their order, though the receiver fails and the Worker dies", {
  timeout: STUCK_MS,
}, async () => {
  const team = await newTeam();
  const hook = await newEventsDestination(team);
  const receiver = newReceiver();
  vi.spyOn(globalThis, "fetch").mockImplementation((_, init) => receiver.take(init as RequestInit));
  await withNearDatabase(async (database) => {
    for (const [table, id] of [
      ["teams", team.id],
      ["destinations", hook.destinationId],
    ] as const)
      await copyRow(database, table, id);
    const startMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    vi.useFakeTimers({ toFake: ["Date"], now: startMs });
    await plantEvents(database, team.id);

    const queue = new QueueRuntime(Date.now, { DB: database }, LIVES);
    const count = async (where: string) =>
      (await database.prepare(`select count(*) as n from outgoing_messages where ${where}`).all<{ n: number }>())
        .results[0]!.n;
    expect(await count("channel = 'events'")).toBe(EVENTS);
    for (let minute = 0; minute < MINUTES_MAX; minute++) {
      await worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() } as ScheduledController, queue.env);
      const end = startMs + (minute + 1) * MINUTE_MS;
      for (let at = queue.nextAtMs(); at !== undefined && at < end; at = queue.nextAtMs()) {
        vi.setSystemTime(Math.max(Date.now(), at));
        await queue.drain(BATCHES_AT_ONCE);
      }
      if ((await count("ended_at is null")) === 0) break;
      vi.setSystemTime(end);
    }

    expect(queue.deaths).toBe(LIVES.length);
    expect(await count("state <> 'sent'")).toBe(0);
    expect(receiver.taken.size).toBe(RUNS);
    const arrived = [...receiver.taken.values()];
    // A repeat of what has arrived comes before the next of its run, so that the order has no way back.
    expect(arrived.filter((notes) => notes.some((note, at) => at > 0 && note < notes[at - 1]!))).toEqual([]);
    const whole = Array.from({ length: EVENTS_PER_RUN }, (_, note) => note);
    expect(arrived.filter((notes) => [...new Set(notes)].join() !== whole.join())).toEqual([]);
    expect(receiver.underWayMost).toBeLessThanOrEqual(2 * MESSAGE_LIMITS.eventsUnderWayMax);
  });
});

/** Takes nothing at first, then most, then everything; some of what it takes it never says so of. */
function newReceiver() {
  const receiver = {
    requests: 0,
    underWay: 0,
    underWayMost: 0,
    /** By run, the events that were taken, repeats among them. */
    taken: new Map<string, number[]>(),
    async take({ body }: RequestInit): Promise<Response> {
      const request = ++receiver.requests;
      receiver.underWayMost = Math.max(receiver.underWayMost, ++receiver.underWay);
      try {
        await scheduler.wait(0);
        const isDown = request <= EVENTS / 4;
        if (isDown || (request <= 2 * EVENTS && request % 7 === 0)) return new Response("Down", { status: 503 });
        const { run_id: run, note } = JSON.parse(String(body)).data as { run_id: string; note: number };
        const notes = receiver.taken.get(run) ?? [];
        receiver.taken.set(run, [...notes, note]);
        if (request <= 2 * EVENTS && request % 11 === 0) throw new Error("The connection broke.");
        return new Response(null, { status: 204 });
      } finally {
        receiver.underWay--;
      }
    },
  };
  return receiver;
}

/** Events of all runs in turns, as runs go on beside each other. */
async function plantEvents(database: D1Database, teamId: string): Promise<void> {
  const db = openDb(database);
  for (let note = 0; note < EVENTS_PER_RUN; note++)
    for (let run = 0; run < RUNS; run++) {
      const data = sql`${JSON.stringify({ run_id: `run ${run}`, note })}`;
      const event = { teamId, type: "doc_run.ended" as const, orderKey: `run ${run}`, data, at: new Date() };
      await db.batch([recordOutboundEvent(db, { ...event, when: sql`true` })]);
    }
}

async function copyRow(database: D1Database, table: string, id: string): Promise<void> {
  const row = (await env.DB.prepare(`select * from ${table} where id = ?`).bind(id).first())!;
  const names = Object.keys(row);
  await database
    .prepare(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
    .bind(...Object.values(row))
    .run();
}

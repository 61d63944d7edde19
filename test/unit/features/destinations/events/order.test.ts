// Events of one run go out one after the other, whatever becomes of them.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { MESSAGE_LIMITS } from "../../../../../src/features/messages/limits.ts";
import { selectDueMessages } from "../../../../../src/features/messages/due/store.ts";
import { recordOutboundEvent } from "../../../../../src/platform/db/record-outbound-event.ts";
import { call } from "../../../../support/unit/http.ts";
import { newEventsDestination } from "../../../../support/unit/messages/events.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

let team: TestTeam;
beforeEach(async () => {
  team = await newTeam();
});

const statesOf = (log: { state: string; is_held: boolean }[]) =>
  log.map(({ state, is_held }) => (is_held ? `${state}, held` : state));

describe("an outbound event", () => {
  it("is verified by a library of somebody else's", async () => {
    const hook = await newEventsDestination(team);
    const [id] = await hook.emit("run", "a");
    await hook.attempt(id!);
    const [received] = await hook.received();
    const verified = new Webhook(hook.secret).verify(received!.body, received!.headers);
    expect(verified).toMatchObject({ type: "doc_run.ended", data: { note: "a" } });
    expect(received!.headers["webhook-id"]).toBe(id);
    const forged = received!.body.replace('"a"', '"b"');
    expect(() => new Webhook(hook.secret).verify(forged, received!.headers)).toThrow();
  });

  it("is verified by the secret before and the new one until the old one's time is over", async () => {
    const hook = await newEventsDestination(team);
    const { data } = (await call("POST", `${hook.path}/secret`, { key: team.admin.key })).body;
    const [both, later] = await hook.emit("run", 1, 2);
    await hook.attempt(both!);
    hook.nowMs = Date.parse(data.previous_secret_until) + 1_000;
    await hook.attempt(later!);
    const [first, second] = await hook.received();
    for (const secret of [hook.secret, data.secret])
      expect(new Webhook(secret).verify(first!.body, first!.headers)).toBeDefined();
    expect(second!.headers["webhook-signature"]!.split(" ")).toHaveLength(1);
  });

  it("is not there where the batch that it is of fails", async () => {
    const hook = await newEventsDestination(team);
    const { db } = hook.clients;
    const event = { teamId: team.id, type: "doc_run.ended" as const, orderKey: "run", data: sql`'{}'`, at: new Date() };
    const failing = db.run("insert into teams (id) values (null)") as never;
    await expect(db.batch([recordOutboundEvent(db, { ...event, when: sql`true` }), failing])).rejects.toThrow();
    expect(await hook.log()).toEqual([]);
  });

  it("goes to every destination that names its type, to no other, and to no other team's", async () => {
    const other = await newTeam();
    const [one, two, deaf, foreign] = [
      await newEventsDestination(team),
      await newEventsDestination(team, ["doc_run.ended"]),
      await newEventsDestination(team, ["quota.exceeded"]),
      await newEventsDestination(other),
    ];
    await one.emit("run", "a");
    const counts = await Promise.all([one, two, deaf, foreign].map(async (hook) => (await hook.log()).length));
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  it("waits for the earlier ones of its run, and for those of no other run", async () => {
    const hook = await newEventsDestination(team);
    const [a1, a2] = await hook.emit("run a", 1, 2);
    const [b1] = await hook.emit("run b", 1);
    await hook.failNext({ kind: "status", status: 500 });
    await hook.attempt(a1!);
    await hook.attempt(a2!);
    await hook.attempt(b1!);
    expect(await hook.bodies()).toMatchObject([{ data: { run_id: "run b" } }]);
    expect(statesOf(await hook.log())).toEqual(["pending", "pending, held", "sent"]);
    hook.nowMs = Date.now() + 3_600_000;
    await hook.attempt(a1!);
    await hook.attempt(a2!);
    expect((await hook.bodies()).map(({ data }) => [data["run_id"], data["note"]])).toEqual([
      ["run b", 1],
      ["run a", 1],
      ["run a", 2],
    ]);
  });

  it("goes on once the earlier one is given up, over three days of attempts", async () => {
    const hook = await newEventsDestination(team);
    const startMs = Date.now();
    hook.nowMs = startMs;
    const [first, second] = await hook.emit("run", 1, 2);
    const { eventRetrySeconds } = MESSAGE_LIMITS;
    await hook.failNext(...[0, ...eventRetrySeconds].map(() => ({ kind: "status" as const, status: 503 })));
    for (const _ of [0, ...eventRetrySeconds]) {
      await hook.attempt(second!);
      await hook.attempt(first!);
      const [entry] = await hook.log();
      if (entry!.next_attempt_at !== null) hook.nowMs = Date.parse(entry!.next_attempt_at);
    }
    const days = (hook.nowMs - startMs) / 86_400_000;
    expect([days > 3, days < 3.5]).toEqual([true, true]);
    expect(statesOf(await hook.log())).toEqual(["failed", "pending"]);
    await hook.attempt(second!);
    expect((await hook.bodies()).map(({ data }) => data["note"])).toEqual([2]);
  });

  it("waits as long as its receiver asks, within a day", async () => {
    const hook = await newEventsDestination(team);
    hook.nowMs = Date.now();
    const [slow] = await hook.emit("run a", 1);
    const [absurd] = await hook.emit("run b", 1);
    for (const [id, seconds] of [
      [slow, "7200"],
      [absurd, "999999999"],
    ]) {
      await hook.failNext({ kind: "status", status: 429, headers: { "retry-after": seconds! } });
      await hook.attempt(id!);
    }
    const waits = (await hook.log()).map((entry) => (Date.parse(entry.next_attempt_at!) - hook.nowMs) / 1_000);
    expect(waits).toEqual([7_200, 86_400]);
  });

  it("comes again under its id where a Worker died in the middle of an attempt, and the others wait for it", async () => {
    const hook = await newEventsDestination(team);
    hook.nowMs = Date.now();
    const [first, second] = await hook.emit("run", 1, 2);
    await env.DB.prepare("update outgoing_messages set attempts = 1, is_claimed = 1, due_at = ?2 where id = ?1")
      .bind(first, new Date(hook.nowMs + MESSAGE_LIMITS.attemptMs).toISOString())
      .run();
    await hook.attempt(first!);
    await hook.attempt(second!);
    expect(await hook.received()).toEqual([]);
    hook.nowMs += MESSAGE_LIMITS.attemptMs;
    await hook.attempt(first!);
    await hook.attempt(second!);
    expect((await hook.received()).map(({ headers }) => headers["webhook-id"])).toEqual([first, second]);
    const { items } = (await call("GET", `/v4/messages/${first}/attempts`, { key: team.admin.key })).body.data;
    expect(items).toMatchObject([
      { attempt: 2, outcome: "sent", status: 204 },
      { attempt: 1, outcome: "unknown", duration_ms: null, error: expect.stringContaining("broke off") },
    ]);
  });

  it("wakes the next as it is answered, no more than have places, and one repeat beside them while it fails", async () => {
    const hook = await newEventsDestination(team);
    const ids = (await Promise.all(Array.from({ length: 10 }, (_, run) => hook.emit(`run ${run}`, 1)))).flat();
    await hook.attempt(ids[0]!);
    expect(hook.woken).toHaveLength(MESSAGE_LIMITS.eventsUnderWayMax);
    await hook.work();
    expect(new Set((await hook.received()).map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(ids));
    expect(await hook.received()).toHaveLength(10);
  });

  it("to one destination is woken by a tick however many wait for another of the team", async () => {
    const [slow, quick] = [await newEventsDestination(team, ["quota.exceeded"]), await newEventsDestination(team)];
    await slow.patch({ event_types: ["doc_run.ended"] });
    await quick.patch({ enabled: false });
    for (let run = 0; run < 20; run++) await slow.emit(`run ${run}`, 1);
    await quick.patch({ enabled: true });
    await slow.patch({ event_types: ["quota.exceeded"] });
    const [id] = await quick.emit("run", 1);
    const due = await selectDueMessages(quick.clients.db, new Date().toISOString(), { rowsMax: 100, teamId: team.id });
    expect(due).toHaveLength(MESSAGE_LIMITS.wakeUpsPerChannelMax + 1);
    expect(due.map((message) => message.id)).toContain(id);
  });
});

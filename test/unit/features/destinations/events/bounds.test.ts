// Many events, waiting or ended, of one destination: the minute's sweep costs and delays no more for them.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { openClients } from "../../../../../src/clients/clients.ts";
import { AUDIT_LIMITS } from "../../../../../src/features/audit/limits.ts";
import { announceAccessChanges } from "../../../../../src/features/audit/announce.ts";
import { selectDueInLane, selectDueMessages } from "../../../../../src/features/messages/due/store.ts";
import { MESSAGE_LIMITS } from "../../../../../src/features/messages/limits.ts";
import { sweepMessages } from "../../../../../src/features/messages/sweep.ts";
import { selectDue } from "../../../../../src/features/operations/store.ts";
import { ANOTHER_ID } from "../../../../support/unit/costs/copies.ts";
import { countBindings } from "../../../../support/unit/costs/counted-bindings.ts";
import { call } from "../../../../support/unit/http.ts";
import { newEventsDestination } from "../../../../support/unit/messages/events.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const DAY_MS = 86_400_000;

let team: TestTeam;
let hook: Awaited<ReturnType<typeof newEventsDestination>>;
beforeEach(async () => {
  team = await newTeam();
  hook = await newEventsDestination(team);
});

async function copyOf(table: "outgoing_messages" | "audit_events", id: string, copies: number, own = {}) {
  const values: Record<string, string> = { id: ANOTHER_ID, ...own };
  const { results } = await env.DB.prepare("select name from pragma_table_info(?)").bind(table).all<{ name: string }>();
  const names = results.map(({ name }) => name);
  await env.DB.prepare(
    `insert into ${table} (${names.join(", ")}) with recursive n(i) as (select 1 union all select i + 1 from n limit ?2)
     select ${names.map((name) => values[name] ?? `one.${name}`).join(", ")}
     from (select * from ${table} where id = ?1) one, n`,
  )
    .bind(id, copies)
    .run();
}

const countOf = (destinationId: string) =>
  env.DB.prepare("select count(*) as n from outgoing_messages where channel_target = ?")
    .bind(destinationId)
    .first<number>("n");

describe("a tick", () => {
  it("forgets old events by thousands, without a look at the bucket, and no others", async () => {
    const [id] = await hook.emit("run", 1);
    const now = Date.now();
    const endedAt = new Date(now - MESSAGE_LIMITS.keptMs - 1).toISOString();
    await copyOf("outgoing_messages", id!, 3_000, { ended_at: `'${endedAt}'`, state: "'sent'" });
    const counted = countBindings();
    const clients = { ...openClients(counted.bindings), wakeUps: hook.clients.wakeUps };
    expect(await sweepMessages(clients, new Date(now))).toMatchObject({ eventsForgotten: 3_000, messagesForgotten: 0 });
    expect([await countOf(hook.destinationId), counted.take().bucket]).toEqual([1, {}]);
  });

  it("reads as many rows for a lane of thousands of due events as for one of ten", async () => {
    const counted = countBindings();
    const { db } = openClients(counted.bindings);
    const at = new Date(Date.now() + 60_000).toISOString();
    const [id] = await hook.emit("run", 1);
    await copyOf("outgoing_messages", id!, 9, { order_key: ANOTHER_ID });
    const lane = { teamId: team.id, target: hook.destinationId };
    const rowsRead = async () => {
      counted.take();
      await selectDueMessages(db, at, { rowsMax: 500 });
      await selectDueMessages(db, at, { rowsMax: 500, teamId: team.id });
      const due = await selectDueInLane(db, lane, { at, placesMax: 4, repeatsMax: 4 });
      expect(due).toHaveLength(4);
      return counted.take().rowsRead;
    };
    const few = await rowsRead();
    await copyOf("outgoing_messages", id!, 5_000, { order_key: ANOTHER_ID });
    expect(await rowsRead()).toBe(few);
  });

  it("writes the access changes of other teams however many one team has, each team's in their order", async () => {
    const changes = async (of: TestTeam) =>
      (
        await env.DB.prepare("select id from audit_events where team_id = ? and is_unannounced = 1 order by rowid")
          .bind(of.id)
          .all<{ id: string }>()
      ).results.map(({ id }) => id);
    const change = async (of: TestTeam) => {
      const body = { name: "Eve", email: `${crypto.randomUUID()}@example.com`, role: "member" };
      await call("POST", "/v4/users", { key: of.admin.key, body });
    };
    const other = await newTeam();
    const theirs = await newEventsDestination(other);
    await change(team);
    await copyOf("audit_events", (await changes(team))[0]!, 600, { subject_id: ANOTHER_ID });
    await change(other);
    const all = await changes(team);
    await announceAccessChanges(hook.clients);
    expect(await theirs.log()).toHaveLength(1);
    const written = (await hook.log()).map(({ payload }) => payload.data["audit_event_id"]);
    expect(written).toEqual(all.slice(0, AUDIT_LIMITS.announcedPerTeamMax));
  });
});

describe("an event that waits", () => {
  const sweepAt = (ms: number) => sweepMessages(hook.clients, new Date(ms));
  const statesOf = async () => (await hook.log()).map(({ state, is_held }) => (is_held ? `${state}, held` : state));

  it("is given up after three and a half days with a reason, and the next of its run goes on", async () => {
    const startMs = Date.now() - 30 * DAY_MS;
    hook.nowMs = startMs;
    await hook.emit("run", 1, 2);
    hook.nowMs += DAY_MS;
    const [third, fourth] = await hook.emit("run", 3, 4);
    await sweepAt(startMs + 3.4 * DAY_MS);
    expect(await statesOf()).toEqual(["pending", "pending, held", "pending, held", "pending, held"]);
    hook.woken.length = 0;
    expect(await sweepAt(startMs + 3.6 * DAY_MS)).toMatchObject({ eventsGivenUp: 2 });
    expect(await statesOf()).toEqual(["failed", "failed", "pending", "pending, held"]);
    expect((await hook.log())[0]!.error).toContain("three and a half days");
    expect(hook.woken.map(({ id }) => id)).toContain(third);
    hook.nowMs = startMs + 3.6 * DAY_MS;
    await hook.attempt(third!);
    await hook.attempt(fourth!);
    expect((await hook.bodies()).map(({ data }) => data["note"])).toEqual([3, 4]);
  });

  it("is not given up while an attempt is under way, nor once it is sent again", async () => {
    hook.nowMs = Date.now() - 30 * DAY_MS;
    const [underWay, again] = [...(await hook.emit("run a", 1)), ...(await hook.emit("run b", 1))];
    await env.DB.prepare("update outgoing_messages set is_claimed = 1, attempts = 1 where id = ?").bind(underWay).run();
    const nowMs = Date.now() - 60_000;
    await sweepAt(nowMs);
    expect(await statesOf()).toEqual(["pending", "failed"]);
    await call("POST", `/v4/messages/${again}/replay`, { key: team.admin.key });
    await sweepAt(nowMs);
    expect(await statesOf()).toEqual(["pending", "pending"]);
  });

  it("is due for operators only once it is not held", async () => {
    const due = async () => {
      const all = await selectDue(hook.clients.db, new Date(Date.now() + 1_000).toISOString());
      return all.find(({ kind }) => kind === "outgoing_message")!.due;
    };
    const before = await due();
    await hook.emit("run", 1, 2, 3);
    expect((await due()) - before).toBe(1);
  });
});

// A destination of events: what it is made of, when it is disabled, and what is sent to it again.

import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { findUnreachable } from "../../../../../src/features/deliveries/check/find-unreachable.ts";
import { DESTINATION_LIMITS } from "../../../../../src/features/destinations/limits.ts";
import { MESSAGE_LIMITS } from "../../../../../src/features/messages/limits.ts";
import { call } from "../../../../support/unit/http.ts";
import { newEventsDestination } from "../../../../support/unit/messages/events.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../../support/unit/team.ts";

let team: TestTeam;
let key: string;
beforeEach(async () => {
  team = await newTeam();
  key = team.admin.key;
});

const NEW = { kind: "events", name: "Ops", url: "https://ops.example.com/fjord", event_types: ["doc_run.ended"] };
const create = (more: object = {}) => call("POST", "/v4/destinations", { key, body: { ...NEW, ...more } });

describe("a destination of events", () => {
  it("shows its types and description, and its secret once", async () => {
    const { data } = (await create({ description: "For the pager" })).body;
    expect(data).toMatchObject({
      ...{ kind: "events", host: "ops.example.com", event_types: ["doc_run.ended"], description: "For the pager" },
      ...{ enabled: true, disabled_reason: null, failing_since: null, secret: expect.stringMatching(/^whsec_/) },
    });
    const shown = (await call("GET", `/v4/destinations/${data.id}`, { key })).body.data;
    expect(JSON.stringify(shown)).not.toMatch(/whsec_|\/fjord/);
  });

  it.each([
    ["no types", { event_types: undefined }, "/event_types"],
    ["an empty list of types", { event_types: [] }, "/event_types"],
    ["a type that there is not", { event_types: ["doc_run.paused"] }, "/event_types/0"],
    ["a type twice", { event_types: ["doc_run.ended", "doc_run.ended"] }, "/event_types"],
    ["plain http", { url: "http://ops.example.com/" }, "/url"],
    ["a private address", { url: "https://10.0.0.1/" }, "/url"],
    ["a host without a public name", { url: "https://intranet/" }, "/url"],
  ])("is not made with %s", async (_, more, pointer) => {
    const { status, body } = await create(more);
    expect([status, body.error.flaws[0].pointer]).toEqual([422, pointer]);
  });

  it("is one of ten at most", async () => {
    const { eventsPerTeamMax } = DESTINATION_LIMITS;
    for (let made = 0; made < eventsPerTeamMax; made++) await create({ name: `Ops ${made}` });
    expect((await create()).body.error.code).toBe("business_quota_exceeded");
  });

  it("changes its types, and no other destination has any", async () => {
    const hook = await newEventsDestination(team, ["quota.exceeded"]);
    await hook.emit("run", 1);
    await hook.patch({ event_types: ["doc_run.ended"], description: null });
    await hook.emit("run", 2);
    expect((await hook.log()).map(({ payload }) => payload.data["note"])).toEqual([2]);
    const body = { kind: "webhook", name: "Orders", url: "https://orders.example.com/" };
    const { id } = (await call("POST", "/v4/destinations", { key, body })).body.data;
    const refused = await call("PATCH", `/v4/destinations/${id}`, { key, body: { enabled: false } });
    expect([refused.status, refused.body.error.flaws[0].pointer]).toEqual([422, "/enabled"]);
  });

  it("is no recipient of a delivery", async () => {
    const hook = await newEventsDestination(team);
    const to = [{ channel: "webhook" as const, destination_id: hook.destinationId }];
    const scope = scopeOf(team.id, team.admin.id, false);
    const [flaw] = await findUnreachable({ ...hook.clients, scope }, to);
    expect(flaw).toEqual({ pointer: "/to/0/channel", message: "The destination is of kind events." });
  });

  it("is sent a signed test at once, whatever its types", async () => {
    const hook = await newEventsDestination(team, ["quota.exceeded"]);
    const { data } = (await call("POST", `${hook.path}/test`, { key })).body;
    expect(data).toMatchObject({ outcome: "sent", error: null });
    const [received] = await hook.received();
    expect(new Webhook(hook.secret).verify(received!.body, received!.headers)).toMatchObject({
      ...{ type: "event.test", data: { destination_id: hook.destinationId } },
    });
  });

  it("is disabled by 410, with all that waits for it", async () => {
    const hook = await newEventsDestination(team);
    const [first] = await hook.emit("run", 1, 2);
    await hook.emit("another", 3);
    await hook.failNext({ kind: "status", status: 410 });
    await hook.attempt(first!);
    expect(await hook.get()).toMatchObject({ enabled: false, disabled_reason: "gone" });
    expect((await hook.log()).map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
    await hook.emit("run", 4);
    await hook.work();
    expect([(await hook.log()).length, await hook.received()]).toEqual([3, []]);
  });

  it("is disabled, and says so, once no event has arrived for days; one that arrives counts from anew", async () => {
    const hook = await newEventsDestination(team);
    const fault = { kind: "status" as const, status: 500 };
    const fail = async (at: number) => {
      hook.nowMs = at;
      const [id] = await hook.emit(crypto.randomUUID(), 1);
      await hook.failNext(fault);
      await hook.attempt(id!);
    };
    const startMs = Date.now();
    await fail(startMs);
    expect(await hook.get()).toMatchObject({ enabled: true, failing_since: new Date(startMs).toISOString() });
    await hook.attempt((await hook.emit("well", 1))[0]!);
    expect(await hook.get()).toMatchObject({ failing_since: null });
    await fail(startMs + 86_400_000);
    await fail(startMs + DESTINATION_LIMITS.failingMsMax);
    expect(await hook.get()).toMatchObject({ enabled: true });
    await fail(startMs + 86_400_000 + DESTINATION_LIMITS.failingMsMax);
    expect(await hook.get()).toMatchObject({ enabled: false, disabled_reason: "failing" });
    await hook.patch({ enabled: true });
    expect(await hook.get()).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  it("has failed since no instant at another address, and since the same at the same one", async () => {
    const hook = await newEventsDestination(team);
    const [id] = await hook.emit("run", 1);
    await hook.failNext({ kind: "status", status: 500 });
    await hook.attempt(id!);
    await hook.patch({ name: "Another name" });
    expect((await hook.get()).failing_since).not.toBeNull();
    await hook.patch({ url: "https://ops.example.com/another" });
    expect(await hook.get()).toMatchObject({ failing_since: null });
  });

  it("is disabled and enabled by hand, and gets nothing of what happens between", async () => {
    const hook = await newEventsDestination(team);
    await hook.emit("run", 1);
    await hook.patch({ enabled: false });
    expect(await hook.get()).toMatchObject({ enabled: false, disabled_reason: "requested" });
    await hook.emit("run", 2);
    await hook.patch({ enabled: true });
    await hook.emit("run", 3);
    const log = (await hook.log()).map(({ state, payload }) => [payload.data["note"], state]);
    expect(log).toEqual([
      [1, "failed"],
      [3, "pending"],
    ]);
  });

  it("ends what waits for it when it is deleted", async () => {
    const hook = await newEventsDestination(team);
    await hook.emit("run", 1, 2);
    await call("DELETE", hook.path, { key });
    expect((await hook.log()).map(({ state, error }) => [state, error])).toEqual([
      ["failed", "The destination was deleted."],
      ["failed", "The destination was deleted."],
    ]);
  });
});

describe("the log of an event", () => {
  it("has each attempt with its status, its duration and the beginning of the answer", async () => {
    const hook = await newEventsDestination(team);
    hook.nowMs = Date.now();
    const [id] = await hook.emit("run", 1);
    await hook.failNext({ kind: "status", status: 500 }, { kind: "endless" });
    await hook.attempt(id!);
    hook.nowMs += 3_600_000;
    await hook.attempt(id!);
    const { items } = (await call("GET", `/v4/messages/${id}/attempts`, { key })).body.data;
    expect(items).toMatchObject([
      { attempt: 2, outcome: "sent", status: 200, error: null },
      { attempt: 1, outcome: "failed", status: 500, error: "The host answered 500.", duration_ms: expect.any(Number) },
    ]);
    for (const { response } of items) expect(response.length).toBe(MESSAGE_LIMITS.excerptCharactersMax);
  });
});

describe("a replay", () => {
  const replay = (path: string, body: object) => call("POST", path, { key, body });
  const all = { from: "2020-01-01T00:00:00.000Z", until: "2100-01-01T00:00:00.000Z" };

  it("sends one event again under its id, once it has ended", async () => {
    const hook = await newEventsDestination(team);
    const [id] = await hook.emit("run", 1);
    expect((await call("POST", `/v4/messages/${id}/replay`, { key })).body.error.code).toBe("resource_conflict");
    await hook.attempt(id!);
    const { data } = (await call("POST", `/v4/messages/${id}/replay`, { key })).body;
    expect(data).toMatchObject({ id, state: "pending", attempts: 0, error: null });
    await hook.attempt(id!);
    expect((await hook.received()).map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
    const { items } = (await call("GET", `/v4/messages/${id}/attempts`, { key })).body.data;
    expect(items.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 1]);
  });

  it("of a time range keeps the order of each run, and begins before what waits", async () => {
    const hook = await newEventsDestination(team);
    for (const id of await hook.emit("run a", 1, 2)) await hook.attempt(id);
    const [other] = await hook.emit("run b", 1);
    await hook.attempt(other!);
    const [last] = await hook.emit("run a", 3);
    expect((await replay(`${hook.path}/replay`, all)).body.data).toEqual({ replayed: 3, next: null });
    expect((await hook.log()).map(({ is_held }) => is_held)).toEqual([false, true, false, true]);
    await hook.attempt(last!);
    for (const { id } of await hook.log()) await hook.attempt(id);
    const notes = (await hook.bodies()).slice(3).map(({ data }) => `${data["run_id"]} ${data["note"]}`);
    expect(notes).toEqual(["run a 1", "run a 2", "run b 1", "run a 3"]);
  });

  it("of a time range takes only what failed, or was created in it, where it is asked so", async () => {
    const hook = await newEventsDestination(team);
    hook.nowMs = Date.now();
    const [first, second] = [...(await hook.emit("a", 1)), ...(await hook.emit("b", 2))];
    await hook.failNext({ kind: "status", status: 410 });
    await hook.attempt(first!);
    expect((await replay(`${hook.path}/replay`, all)).body.error.code).toBe("resource_conflict");
    await hook.patch({ enabled: true });
    await hook.attempt(second!);
    const [third] = await hook.emit("c", 3);
    await hook.attempt(third!);
    const ended = await replay(`${hook.path}/replay`, { ...all, until: new Date(hook.nowMs).toISOString() });
    expect(ended.body.data.replayed).toBe(0);
    expect((await replay(`${hook.path}/replay`, { ...all, states: ["failed"] })).body.data.replayed).toBe(2);
  });

  it("of a time range goes on behind the last of the request before", async () => {
    const hook = await newEventsDestination(team);
    const { replayedMax } = MESSAGE_LIMITS;
    const ids = await hook.emit("run", ...Array.from({ length: 3 }, (_, note) => note));
    for (const id of ids) await hook.attempt(id);
    const { data } = (await replay(`${hook.path}/replay`, { ...all, after: ids[0] })).body;
    expect([data, replayedMax > 100]).toEqual([{ replayed: 2, next: null }, true]);
  });

  it("is of events alone, and of a range that is one", async () => {
    const body = { kind: "webhook", name: "Orders", url: "https://orders.example.com/" };
    const { id } = (await call("POST", "/v4/destinations", { key, body })).body.data;
    expect((await replay(`/v4/destinations/${id}/replay`, all)).status).toBe(422);
    const hook = await newEventsDestination(team);
    expect((await replay(`${hook.path}/replay`, { ...all, until: all.from })).body.error.flaws[0].pointer).toBe(
      "/until",
    );
  });
});

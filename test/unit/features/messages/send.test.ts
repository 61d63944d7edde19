// A message's way out: one attempt a wake-up, none twice, and an end whatever happens.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CHANNELS } from "../../../../src/core/messages.ts";
import { newId } from "../../../../src/core/ids.ts";
import { MESSAGE_LIMITS } from "../../../../src/features/messages/limits.ts";
import { attemptsMaxOf, contentKeyOf, planMessage, RETRY_SECONDS } from "../../../../src/features/messages/message.ts";
import { insertMessages } from "../../../../src/features/messages/store.ts";
import { deleteTeam } from "../../../../src/features/teams/delete.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { TRANSPORTS } from "../../../../src/transports.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";
import { newMessageWorld } from "./message-world.ts";

describe("sendMessage", () => {
  it("sends a message once, however many wake-up messages come, and one after the other", async () => {
    const world = await newMessageWorld();
    const message = await world.add();
    await Promise.all([world.send(message), world.send(message), world.send(message)]);
    await world.send(message);
    expect(world.sent).toHaveLength(1);
    expect(await world.look(message)).toMatchObject({
      ...{ state: "sent", attempts: 1, reference: "ref-1", error: null, isClaimed: false },
      endedAt: world.now().toISOString(),
    });
  });

  it.each(CHANNELS)("tries %s again after a failure, each time later, and then gives up", async (channel) => {
    const world = await newMessageWorld();
    const message = await world.add({ channel });
    world.answer = async () => ({ kind: "failed", error: "The server is busy." });
    for (const [index, seconds] of [0, ...RETRY_SECONDS[channel]].entries()) {
      const dueAt = Date.parse((await world.look(message)).dueAt);
      expect(dueAt - world.nowMs).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(dueAt - world.nowMs).toBeLessThanOrEqual(seconds * 1_100);
      world.nowMs = dueAt - 1;
      await world.send(message);
      expect(world.sent).toHaveLength(index);
      world.nowMs = dueAt;
      await world.send(message);
      expect(world.sent).toHaveLength(index + 1);
    }
    expect(await world.look(message)).toMatchObject({
      state: "failed",
      attempts: attemptsMaxOf({ channel }),
      error: "The server is busy.",
    });
    world.nowMs += 30 * 86_400_000;
    await world.send(message);
    expect(world.sent).toHaveLength(attemptsMaxOf({ channel }));
  });

  it("waits for as long as its channel asks, within a day", async () => {
    const world = await newMessageWorld();
    const [slow, absurd] = [await world.add(), await world.add()];
    world.answer = async ({ id }) => ({
      kind: "failed",
      error: "later",
      retryAfterMs: id === slow.id ? 3_600_000 : 1e12,
    });
    await world.send(slow);
    await world.send(absurd);
    const waits = await Promise.all([slow, absurd].map(async (each) => Date.parse((await world.look(each)).dueAt)));
    expect(waits.map((at) => at - world.nowMs)).toEqual([3_600_000, MESSAGE_LIMITS.retryAfterMsMax]);
  });

  it("ends what its channel refuses at once", async () => {
    const world = await newMessageWorld();
    const message = await world.add();
    world.answer = async () => ({ kind: "refused", error: `No such\r\nchannel${"x".repeat(2_000)}` });
    await world.send(message);
    const { state, attempts, error } = await world.look(message);
    expect([state, attempts, error!.length]).toEqual(["failed", 1, MESSAGE_LIMITS.errorCharactersMax]);
    expect(error).toMatch(/^No such channelx/);
  });

  it.each(CHANNELS)(
    "of %s never comes twice where a Worker died between claim and send, unless it may",
    async (channel) => {
      const world = await newMessageWorld();
      const message = await world.add({ channel });
      // The claim is there, and nothing more of it.
      const until = new Date(world.nowMs + MESSAGE_LIMITS.attemptMs).toISOString();
      await env.DB.prepare(
        "update outgoing_messages set attempts = 1, is_claimed = 1, revision = 1, due_at = ?2 where id = ?1",
      )
        .bind(message.id, until)
        .run();
      await world.send(message);
      expect([world.sent.length, (await world.look(message)).state]).toEqual([0, "pending"]);
      world.nowMs += MESSAGE_LIMITS.attemptMs;
      expect(await world.due()).toEqual([message.id]);
      await world.send(message);
      if (channel === "webhook" || channel === "events") {
        expect(await world.look(message)).toMatchObject({ state: "sent", attempts: 2 });
      } else {
        expect(world.sent).toHaveLength(0);
        expect(await world.look(message)).toMatchObject({
          state: "unknown",
          attempts: 1,
          error: expect.stringContaining("broke off"),
        });
        expect(await world.due()).toEqual([]);
      }
    },
  );

  it("ends one whose last attempt broke off as unknown, since it may have arrived", async () => {
    const world = await newMessageWorld();
    const message = await world.add({ channel: "webhook" });
    await env.DB.prepare("update outgoing_messages set attempts = ?2, is_claimed = 1 where id = ?1")
      .bind(message.id, attemptsMaxOf({ channel: "webhook" }))
      .run();
    await world.send(message);
    expect(world.sent).toEqual([]);
    expect(await world.look(message)).toMatchObject({
      state: "unknown",
      error: "The attempt broke off. The message may have arrived, or not.",
    });
  });

  it.each([
    ["unknown", "unknown"],
    ["failed", "failed"],
  ] as const)(
    "ends one whose last attempt is %s as %s, also where its channel would take it twice",
    async (kind, state) => {
      const world = await newMessageWorld();
      const message = await world.add({ channel: "webhook" });
      await env.DB.prepare("update outgoing_messages set attempts = ?2 where id = ?1")
        .bind(message.id, attemptsMaxOf({ channel: "webhook" }) - 1)
        .run();
      world.answer = async () => ({ kind, error: "No answer came." });
      await world.send(message);
      expect(await world.look(message)).toMatchObject({
        state,
        error: "No answer came.",
        attempts: attemptsMaxOf({ channel: "webhook" }),
      });
    },
  );

  it("takes what a transport throws, or does not know, for an outcome that nobody knows", async () => {
    const world = await newMessageWorld();
    for (const answer of [
      () => Promise.reject(new Error("secret")),
      async () => ({ kind: "unknown" as const, error: "No answer came." }),
    ]) {
      world.answer = answer;
      const [mail, webhook] = [await world.add(), await world.add({ channel: "webhook" })];
      await world.quietly(() => world.send(mail));
      await world.quietly(() => world.send(webhook));
      expect(await world.look(mail)).toMatchObject({ state: "unknown", attempts: 1 });
      expect(await world.look(webhook)).toMatchObject({ state: "pending", attempts: 1, isClaimed: false });
      expect(JSON.stringify(await world.look(mail))).not.toContain("secret");
    }
  });

  it("keeps the outcome that another step has written where its own attempt took too long", async () => {
    const world = await newMessageWorld();
    const message = await world.add();
    world.answer = async () => {
      world.nowMs += MESSAGE_LIMITS.attemptMs;
      await world.send(message);
      return { kind: "sent", reference: "late" };
    };
    await world.send(message);
    expect(world.sent).toHaveLength(1);
    expect(await world.look(message)).toMatchObject({ state: "unknown", reference: null });
  });

  it("tries again where what it says can't be read, and ends where that is gone or absurd", async () => {
    const world = await newMessageWorld();
    const [unread, gone, large] = [await world.add(), await world.add(), await world.add()];
    await env.BUCKET.delete(contentKeyOf(gone));
    await env.BUCKET.put(contentKeyOf(large), "x".repeat(MESSAGE_LIMITS.contentBytesMax + 1));
    const { bucket } = world.clients;
    world.clients.bucket = { ...bucket, read: () => Promise.reject(new Error("away")) };
    await world.quietly(() => world.send(unread));
    world.clients.bucket = bucket;
    await world.send(gone);
    await world.quietly(() => world.send(large));
    expect(await world.look(unread)).toMatchObject({ state: "pending", attempts: 1 });
    expect(await world.look(gone)).toMatchObject({ state: "failed", error: "What the message says is gone." });
    expect(await world.look(large)).toMatchObject({ state: "pending" });
    expect(world.sent).toEqual([]);
  });

  it("says on channels without a transport that they are not set up", async () => {
    const world = await newMessageWorld();
    world.transports = TRANSPORTS;
    const message = await world.add({ channel: "slack", target: "1/2" });
    await world.send(message);
    expect((await world.look(message)).state).toBe("failed");
  });

  it("does nothing for a message that is none, or another team's", async () => {
    const [world, other] = [await newMessageWorld(), await newMessageWorld()];
    const theirs = await other.add();
    await world.send({ id: newId() });
    await world.send(theirs);
    expect([world.sent, (await other.look(theirs)).attempts]).toEqual([[], 0]);
  });
});

describe("turns between messages", () => {
  it("have few of a team and channel at once, one of those that were tried before, and the rest after answers", async () => {
    const world = await newMessageWorld();
    for (let count = 0; count < 20; count++) await world.add();
    for (let count = 0; count < 20; count++) await world.add({ channel: "webhook" });
    expect(await world.due()).toHaveLength(2 * MESSAGE_LIMITS.wakeUpsPerChannelMax);
    world.answer = async () => ({ kind: "failed", error: "no" });
    const [first] = await world.due();
    world.woken.length = 0;
    await world.send({ id: first! });
    expect(world.woken.filter(({ delayMs }) => delayMs === 0)).toHaveLength(2 * MESSAGE_LIMITS.wakeUpsPerChannelMax);
    await env.DB.prepare("update outgoing_messages set attempts = 1 where team_id = ? and channel = 'email'")
      .bind(world.teamId)
      .run();
    world.nowMs += 60_000;
    expect(await world.due()).toHaveLength(1 + MESSAGE_LIMITS.wakeUpsPerChannelMax);
  });

  it("have one of each team before a second of any, also where a team's receivers give no answer", async () => {
    const [slow, quick] = [await newMessageWorld(), await newMessageWorld()];
    for (let count = 0; count < 50; count++) await slow.add({ channel: "webhook" });
    await env.DB.prepare("update outgoing_messages set attempts = 1 where team_id = ?").bind(slow.teamId).run();
    const message = await quick.add();
    slow.answer = async () => ({ kind: "unknown", error: "No answer came." });
    const [hanging] = await slow.due();
    slow.woken.length = 0;
    await slow.quietly(() => slow.send({ id: hanging! }));
    // Nothing follows what hangs but its own repeat.
    expect(slow.woken.every(({ id }) => id === hanging)).toBe(true);
    await quick.sweep();
    expect(quick.woken).toEqual([{ kind: "outgoing_message", id: message.id, teamId: quick.teamId, delayMs: 0 }]);
  });
});

describe("insertMessages", () => {
  it("is one with the batch that causes it, and adds nothing for a team that is gone", async () => {
    const world = await newMessageWorld();
    const { db } = world.clients;
    const many = Array.from({ length: 500 }, (_, index) =>
      planMessage(
        { teamId: world.teamId, channel: "email", target: `${index}@a.example`, subject: "s", runId: newId() },
        world.now(),
      ),
    );
    await expect(
      db.batch([insertMessages(db, many), db.run("insert into teams (id) values (null)") as never]),
    ).rejects.toThrow();
    const [added] = await db.batch([insertMessages(db, many)]);
    expect(added).toHaveLength(500);
    expect(await world.look(many[7]!)).toEqual(many[7]);
    await env.DB.prepare("update teams set deleted_at = '2026' where id = ?").bind(world.teamId).run();
    expect((await db.batch([insertMessages(db, [planMessage({ ...many[0]! }, world.now())])]))[0]).toEqual([]);
  });
});

describe("sweepMessages", () => {
  it("wakes what is due, and forgets old messages with their objects, no others", async () => {
    const world = await newMessageWorld();
    const [old, recent, waiting] = [await world.add(), await world.add(), await world.add()];
    for (const message of [old, recent]) await world.send(message);
    await env.BUCKET.put(`${world.teamId}/messages/${old.id}/chart.png`, "x");
    const endedAt = new Date(world.nowMs - MESSAGE_LIMITS.keptMs - 1_000).toISOString();
    await env.DB.prepare("update outgoing_messages set ended_at = ?2 where id = ?1").bind(old.id, endedAt).run();
    world.woken.length = 0;
    expect(await world.sweep()).toMatchObject({ messagesForgotten: 1 });
    expect(world.woken.map(({ id }) => id)).toEqual([waiting.id]);
    const rows = await env.DB.prepare("select id from outgoing_messages where team_id = ? order by id")
      .bind(world.teamId)
      .all();
    expect(rows.results.map(({ id }) => id)).toEqual([recent.id, waiting.id]);
    const { objects } = await env.BUCKET.list({ prefix: `${world.teamId}/messages/` });
    expect(objects.map(({ key }) => key).sort()).toEqual([recent, waiting].map(contentKeyOf).sort());
  });
});

describe("a team that is deleted", () => {
  it("sends nothing that waited", async () => {
    const [world, platform] = [await newMessageWorld(), await newTeam()];
    const message = await world.add();
    const scope = { ...scopeOf(platform.id, platform.admin.id, true), now: new Date() };
    await deleteTeam({ ...openClients(env), scope }, world.teamId);
    await world.send(message);
    expect(world.sent).toEqual([]);
  });
});

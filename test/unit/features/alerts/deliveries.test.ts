import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ALERT_LIMITS } from "../../../../src/features/alerts/limits.ts";
import { deliverAlert } from "../../../../src/features/alerts/deliveries/deliver.ts";
import { testAlertWebhook } from "../../../../src/features/alerts/deliveries/test.ts";
import { resealAlertSecrets } from "../../../../src/features/alerts/webhook/reseal.ts";
import { setAlertSecret } from "../../../../src/features/alerts/webhook/set-secret.ts";
import { setAlertWebhook } from "../../../../src/features/alerts/webhook/set.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { newAlertWorld, type AlertWorld } from "./alert-world.ts";

beforeEach(async () => void (await env.DB.prepare("UPDATE alert_webhooks SET disabled_at = updated_at").run()));

/** A world with one message that is due. */
async function newDelivery() {
  const world = await newAlertWorld();
  const sync = await world.newSync({ schedule: "weekly" });
  world.pass(1);
  await world.endSyncRun(sync, { state: "failed", error: "no" });
  await world.sweep();
  const [delivery] = await world.due();
  const deliver = () => deliverAlert(world.clients, delivery!, world.now);
  const look = async () => (await world.deliveries())[0]!;
  return { world, sync, id: delivery!.id, deliver, look };
}

/** As Standard Webhooks says it, by another implementation than ours. */
const isSignedBy = (secret: string, { request: { headers, body } }: AlertWorld["sent"][number]): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
  return headers["webhook-signature"]!.split(" ").includes(expected);
};
const signaturesOf = ({ request }: AlertWorld["sent"][number]) => request.headers["webhook-signature"]!.split(" ");

describe("deliverAlert", () => {
  it("sends a signed message once, however many wake-up messages come", async () => {
    const { world, id, deliver, look } = await newDelivery();
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();
    expect(world.sent).toHaveLength(1);
    const [{ request }] = world.sent as [AlertWorld["sent"][number]];
    expect(request.headers).toMatchObject({
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(world.nowMs / 1_000)),
    });
    expect(isSignedBy(world.secret, world.sent[0]!)).toBe(true);
    expect(signaturesOf(world.sent[0]!)).toHaveLength(1);
    expect(await look()).toMatchObject({ state: "delivered", attempts: 1, status: 204, error: null });
  });

  it("tries again for three days, each time later, under the same id, and then says that it gave up", async () => {
    const { world, id, deliver, look } = await newDelivery();
    const begunAt = world.nowMs;
    for (const [index, seconds] of [0, ...ALERT_LIMITS.alertRetrySeconds].entries()) {
      world.answer = () => (index % 2 === 0 ? { status: 500 } : { error: "The host could not be reached." });
      const dueAt = Date.parse((await look()).due_at);
      expect(dueAt - world.nowMs).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(dueAt - world.nowMs).toBeLessThanOrEqual(seconds * 1_100);
      world.nowMs = dueAt - 1;
      await deliver();
      expect(world.sent).toHaveLength(index);
      world.nowMs = dueAt;
      await deliver();
      expect(world.sent).toHaveLength(index + 1);
    }
    expect(new Set(world.sent.map(({ request }) => request.headers["webhook-id"]))).toEqual(new Set([id]));
    expect(new Set(world.sent.map(({ request }) => request.body)).size).toBe(1);
    expect(world.sent.every((sent) => isSignedBy(world.secret, sent))).toBe(true);
    expect(await look()).toMatchObject({ state: "failed", attempts: 10, error: "The host could not be reached." });
    expect(world.nowMs - begunAt).toBeGreaterThan(75 * 3_600_000);
    world.pass(100_000);
    expect(await world.due()).toEqual([]);
  });

  it("holds a later message of a subject until the earlier one is delivered, and none of another subject", async () => {
    const { world, sync } = await newDelivery();
    world.answer = () => ({ status: 503 });
    expect(await world.types()).toEqual(["sync.failed"]);
    world.pass(1);
    await world.endSyncRun(sync, { state: "succeeded" });
    const other = await world.newSync({ schedule: "weekly" });
    await world.endSyncRun(other, { state: "failed" });
    expect((await world.tick()).map(({ type, data }) => [type, data.sync_id])).toEqual([
      ["sync.failed", sync.id],
      ["sync.failed", other.id],
    ]);
    world.answer = () => ({ status: 204 });
    world.pass(10);
    const sent = await world.tick();
    expect(sent.filter(({ data }) => data.sync_id === sync.id).map(({ type }) => type)).toEqual([
      "sync.failed",
      "sync.recovered",
    ]);
  });

  it("wakes up nothing that is held, and sends it once the earlier message is given up", async () => {
    const { world, sync, id } = await newDelivery();
    const woken: string[] = [];
    world.clients.wakeUps.sendAll = async (_, all) => {
      const ours = (all as { id: string; teamId: string }[]).filter(({ teamId }) => teamId === world.teamId);
      return woken.push(...ours.map((each) => each.id));
    };
    world.answer = () => ({ status: 503 });
    await world.tick();
    const postpone = env.DB.prepare("update alert_deliveries set due_at = '2100-02-01' where id = ?").bind(id);
    const giveUp = env.DB.prepare("update alert_deliveries set ended_at = due_at where id = ?").bind(id);
    await postpone.run();
    world.pass(1);
    await world.endSyncRun(sync, { state: "succeeded" });
    woken.length = 0;
    expect(await world.types()).toEqual([]);
    expect(woken).toEqual([]);
    await giveUp.run();
    expect(await world.types()).toEqual(["sync.recovered"]);
    expect(woken).toHaveLength(1);
  });

  it("takes no redirect for an answer", async () => {
    const { world, deliver, look } = await newDelivery();
    world.answer = () => ({ status: 302 });
    await deliver();
    expect(await look()).toMatchObject({ state: "pending", status: 302, error: expect.stringContaining("redirects") });
  });

  it("makes up for a Worker that died in an attempt, and counts it", async () => {
    const { world, deliver, look } = await newDelivery();
    world.answer = () => Promise.reject(new Error("the Worker is gone"));
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await deliver();
    log.mockRestore();
    expect(await look()).toMatchObject({ state: "pending", attempts: 1, error: "The platform could not send it." });

    const died = await newDelivery();
    await env.DB.prepare("update alert_deliveries set attempts = 1, due_at = ?2, revision = 1 where id = ?1")
      .bind(died.id, new Date(died.world.nowMs + ALERT_LIMITS.alertAttemptMs).toISOString())
      .run();
    await died.deliver();
    expect(died.world.sent).toEqual([]);
    died.world.nowMs += ALERT_LIMITS.alertAttemptMs;
    await died.deliver();
    expect(await died.look()).toMatchObject({ state: "delivered", attempts: 2 });
  });

  it("ends one whose last attempt broke off", async () => {
    const { world, id, deliver, look } = await newDelivery();
    await env.DB.prepare("update alert_deliveries set attempts = 10 where id = ?").bind(id).run();
    await deliver();
    expect(world.sent).toEqual([]);
    expect(await look()).toMatchObject({ state: "failed", error: "The last attempt broke off." });
  });

  it("disables the webhook at 410, gives up what waits, and begins anew once it is set again", async () => {
    const { world, sync, deliver } = await newDelivery();
    const other = await world.newSync({ schedule: "weekly" });
    world.pass(1);
    await world.endSyncRun(other, { state: "failed" });
    await world.sweep();
    world.answer = () => ({ status: 410 });
    await deliver();
    expect(await world.deliveries()).toMatchObject([
      { state: "failed", error: expect.stringContaining("410") as string },
      { state: "failed", attempts: 0, error: expect.stringContaining("410") as string },
    ]);
    world.answer = () => ({ status: 200 });
    world.pass(1);
    await world.endSyncRun(sync, { state: "succeeded" });
    expect(await world.types()).toEqual([]);
    await setAlertWebhook({ ...world.clients, scope: world.scope() }, { url: "https://new.example.com/" });
    // What recovered meanwhile is heard of: the episode was reported, or was to be.
    expect(await world.types()).toEqual(["sync.recovered"]);
    expect(world.sent.at(-1)!.request.url).toBe("https://new.example.com/");
  });

  it("looks at the URL's rules again before it sends", async () => {
    const { world, deliver, look } = await newDelivery();
    await env.DB.prepare("update alert_webhooks set url = 'https://169.254.169.254/latest' where team_id = ?")
      .bind(world.teamId)
      .run();
    await deliver();
    expect(world.sent).toEqual([]);
    expect(await look()).toMatchObject({ state: "pending", attempts: 1, error: expect.stringContaining("no address") });
  });
});

describe("setAlertSecret", () => {
  it("signs with both secrets for a day, and then with the new one alone", async () => {
    const { world, deliver } = await newDelivery();
    const ctx = () => ({ ...world.clients, scope: world.scope() });
    const { secret, previous_secret_until: until } = await setAlertSecret(ctx());
    expect(Date.parse(until!) - world.nowMs).toBe(ALERT_LIMITS.alertSecretOverlapMs);
    await deliver();
    expect([world.secret, secret!].map((each) => isSignedBy(each, world.sent[0]!))).toEqual([true, true]);
    const { secret: third } = await setAlertSecret(ctx());
    await testAlertWebhook(ctx());
    world.nowMs += ALERT_LIMITS.alertSecretOverlapMs;
    const sync = await world.newSync({ schedule: "weekly" });
    await world.endSyncRun(sync, { state: "failed" });
    await world.tick();
    const last = world.sent.at(-1)!;
    expect(signaturesOf(last)).toHaveLength(1);
    expect([secret!, third!].map((each) => isSignedBy(each, last))).toEqual([false, true]);
  });

  it("keeps secrets sealed, and moves them to the vault's first key", async () => {
    const { world, deliver } = await newDelivery();
    const row = () => env.DB.prepare("select * from alert_webhooks where team_id = ?").bind(world.teamId).first();
    expect(JSON.stringify(await row())).not.toContain(world.secret.slice(6));
    const [old] = env.VAULT_KEYS.split(",");
    const rotated = openClients({ ...env, VAULT_KEYS: `new:${btoa("n".repeat(32))},${old}` });
    expect((await resealAlertSecrets(rotated)).alertSecretsResealed).toBeGreaterThan(0);
    expect(await resealAlertSecrets(rotated)).toEqual({ alertSecretsResealed: 0 });
    expect(await row()).toMatchObject({ vault_key_id: "new" });
    world.clients.vault = rotated.vault;
    await deliver();
    expect(isSignedBy(world.secret, world.sent[0]!)).toBe(true);
  });
});

describe("testAlertWebhook", () => {
  it("sends once, and answers what came of it", async () => {
    const world = await newAlertWorld();
    const test = () => testAlertWebhook({ ...world.clients, scope: world.scope() });
    world.nowMs = Date.now();
    expect(await test()).toMatchObject({ type: "alert.test", state: "delivered", attempts: 1, attempts_max: 1 });
    world.answer = () => ({ status: 503 });
    expect(await test()).toMatchObject({ state: "failed", status: 503, error: "The host answered 503." });
    expect(world.sent).toHaveLength(2);
    for (let sent = 2; sent < ALERT_LIMITS.alertTestsPerMinuteMax; sent += 1) await test();
    await expect(test()).rejects.toMatchObject({ code: "too_many_requests" });
    world.pass(2);
    expect(await test()).toMatchObject({ state: "failed" });
  });
});

describe("the deliveries of one team", () => {
  /** A world with so many messages that are due, and what is woken of them. */
  async function newBurst(count: number) {
    const world = await newAlertWorld();
    for (let made = 0; made < count; made++) {
      const sync = await world.newSync({ schedule: "weekly" });
      world.pass(1);
      await world.endSyncRun(sync, { state: "failed", error: "no" });
    }
    const woken: string[] = [];
    world.clients.wakeUps = {
      send: async () => true,
      async sendAll(_, all) {
        woken.push(...(all as { id: string }[]).map(({ id }) => id));
        return all.length;
      },
    };
    await world.sweep();
    const own = async () => {
      const ids = new Set((await world.deliveries()).map(({ id }) => id));
      return woken.splice(0).filter((id) => ids.has(id));
    };
    return {
      world,
      own,
      deliver: (id: string) => deliverAlert(world.clients, { teamId: world.teamId, id }, world.now),
    };
  }

  it("are woken a few at a time, the next ones by each answer", async () => {
    const { own, deliver } = await newBurst(ALERT_LIMITS.alertWakeUpsPerTeamMax + 3);
    const first = await own();
    expect(first).toHaveLength(ALERT_LIMITS.alertWakeUpsPerTeamMax);
    for (const id of first) await deliver(id);
    expect(new Set([...first, ...(await own())]).size).toBe(ALERT_LIMITS.alertWakeUpsPerTeamMax + 3);
  });

  const NO_ANSWER = { error: "No answer came within 15 s." };

  it("are each tried once, a few a tick, though the receiver gives no answer, and then repeated one a tick", async () => {
    const most = ALERT_LIMITS.alertWakeUpsPerTeamMax;
    const { world, own, deliver } = await newBurst(2 * most);
    world.answer = () => NO_ANSWER;
    const first = await own();
    for (const id of first) await deliver(id);
    expect(await own(), "no answer wakes another").toEqual([]);
    world.pass(1);
    await world.sweep();
    const second = await own();
    expect(new Set([...first, ...second]).size, "those that were not tried yet come first").toBe(2 * most);
    for (const id of second) await deliver(id);
    world.pass(1);
    await world.sweep();
    expect(await own(), "only repeats are left").toHaveLength(1);
  });

  it("go on beside one that the receiver does not answer, and leave it its turn", async () => {
    const { world, own, deliver } = await newBurst(1);
    world.answer = () => NO_ANSWER;
    const [hanging] = await own();
    await deliver(hanging!);
    const others = ALERT_LIMITS.alertWakeUpsPerTeamMax;
    for (let made = 0; made < others; made++) {
      const sync = await world.newSync({ schedule: "weekly" });
      await world.endSyncRun(sync, { state: "failed", error: "no" });
    }
    world.pass(1);
    await world.sweep();
    const woken = await own();
    expect(woken).toHaveLength(others + 1);
    expect(woken.at(-1), "its repeat comes after them").toBe(hanging);
  });
});

// What a team's alert webhook hears of deliveries that nobody gets.

import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { sweepAlerts } from "../../../../src/features/alerts/episodes/sweep.ts";
import { setAlertWebhook } from "../../../../src/features/alerts/webhook/set.ts";
import { newDeliveryWorld, type DeliveryWorld } from "../../../support/unit/deliveries/world.ts";
import { mailsTo, useUpMails } from "../../../support/unit/mail/outbox.ts";
import { scopeOf } from "../../../support/unit/team.ts";

let world: DeliveryWorld;
beforeAll(async () => {
  world = await newDeliveryWorld();
  const { id: teamId, admin } = world.team;
  await env.DB.prepare("update alert_webhooks set disabled_at = updated_at").run();
  const scope = { ...scopeOf(teamId, admin.id, false), now: new Date(Date.now() - 1_000) };
  await setAlertWebhook({ ...world.clients, scope }, { url: "https://alerts.example.com/fjord" });
});

const mailIsOut = () => useUpMails(world.team.id);
const mailWorks = () => env.DB.prepare("delete from mail_days where team_id = ?").bind(world.team.id).run();

/** The alerts that a tick makes. */
async function alerts(): Promise<string[]> {
  const select = "select payload from alert_deliveries where team_id = ? order by created_at, id";
  const read = async () => (await env.DB.prepare(select).bind(world.team.id).all<{ payload: string }>()).results;
  const before = (await read()).length;
  await sweepAlerts(world.clients, new Date(Date.now() + 120_000));
  return (await read()).slice(before).map(({ payload }) => (JSON.parse(payload) as { type: string }).type);
}

it("is told each time that nobody gets a delivery, and that it is well only once somebody has", async () => {
  const condition = { kind: "value", column: "orders", operator: ">", value: 10 };
  const jobId = await world.newJob(await world.newDelivery({ condition }));
  const run = async (orders: number) => (await world.run(jobId, { status: ["open"], orders: [orders] })).state;

  await mailIsOut();
  expect([await run(50), await alerts()]).toEqual(["failed", ["job.failed"]]);
  // The condition holds as before, and still nobody was told.
  expect([await run(50), await alerts()]).toEqual(["failed", []]);
  await mailWorks();
  expect([await run(50), await alerts()]).toEqual(["succeeded", ["job.recovered"]]);
  // Now somebody was: a run that finds it unchanged sends nothing.
  await mailIsOut();
  expect([await run(60), await alerts()]).toEqual(["succeeded", []]);
  expect([await run(5), await alerts()]).toEqual(["succeeded", []]);
  expect([await run(50), await alerts()]).toEqual(["failed", ["job.failed"]]);
});

it("tells of a change until somebody has got it, from the value before it", async () => {
  const condition = { kind: "change", column: "orders", more_than: 10 };
  const jobId = await world.newJob(await world.newDelivery({ condition }));
  const run = async (orders: number) => (await world.run(jobId, { status: ["open"], orders: [orders] })).state;
  const mails = async () => (await mailsTo(world.memberEmail)).length;

  await mailWorks();
  const before = await mails();
  expect(await run(100)).toBe("succeeded");
  await mailIsOut();
  expect([await run(50), await run(50)]).toEqual(["failed", "failed"]);
  await mailWorks();
  expect([await run(50), (await mails()) - before]).toEqual(["succeeded", 1]);
  // Somebody knows 50 now.
  expect([await run(50), await run(45), (await mails()) - before]).toEqual(["succeeded", "succeeded", 1]);
});

// The deliveries that docs say of themselves: they come, change and go with their entry.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newDeliveryWorld, type DeliveryWorld } from "../../../support/unit/deliveries/world.ts";

let world: DeliveryWorld;
beforeAll(async () => void (world = await newDeliveryWorld()));

const docWith = (automations: object[]) => ({
  version: 1,
  kind: "dashboard",
  metadata: { name: "Scores" },
  datasets: { one: { engine: "sql", sql: "SELECT 1 AS n" } },
  automations,
});
const DAILY = { id: "daily", cron: "0 7 * * *" };

const deliveries = async () => (await world.ask("GET", "/v4/deliveries")).body.data.items;
const jobs = async () => (await world.ask("GET", "/v4/automations/jobs")).body.data.items;
const save = (id: string, automations: object[]) => world.ask("PUT", `/v4/docs/${id}`, docWith(automations));

describe("a doc's entry with destinations", () => {
  it("makes a delivery of the doc, and a job that runs it", async () => {
    const to = { type: "email", to: [world.memberEmail] };
    const { body } = await world.ask("POST", "/v4/docs", docWith([{ ...DAILY, destinations: [to] }]));
    const { id: docId, warnings } = body.data;
    expect(warnings).toEqual([]);
    const [job] = await jobs();
    expect(job).toMatchObject({ resourceType: "delivery", resourceId: job.id, docAutomation: "daily", enabled: true });
    expect(await deliveries()).toMatchObject([
      { id: job.id, source: { kind: "doc", doc_id: docId }, to: [{ channel: "email", address: world.memberEmail }] },
    ]);

    await save(docId, [{ ...DAILY, datasetKeys: ["one"], destinations: [to] }]);
    expect(await deliveries()).toMatchObject([{ id: job.id, source: { dataset_keys: ["one"] } }]);
    const audited =
      "select action from audit_events where team_id = ? and subject_id = ? and kind = 'delivery' order by at";
    const { results } = await env.DB.prepare(audited).bind(world.team.id, job.id).all();
    expect(results.map(({ action }) => action)).toEqual(["delivery.create", "delivery.update"]);

    await world.ask("DELETE", `/v4/docs/${docId}`);
    expect(await jobs()).toMatchObject([{ enabled: false, pausedReason: "doc_archived" }]);
    await world.ask("POST", `/v4/docs/${docId}/restore`);
    expect(await jobs()).toMatchObject([{ enabled: true, pausedReason: null }]);

    await save(docId, [DAILY]);
    expect([await deliveries(), (await jobs())[0]]).toMatchObject([[], { id: job.id, resourceType: "doc" }]);

    await save(docId, [{ ...DAILY, destinations: [to] }]);
    expect(await deliveries()).toHaveLength(1);
    await save(docId, []);
    expect([await deliveries(), await jobs()]).toEqual([[], []]);
  });

  it("warns of each that names nobody, and runs the doc all the same", async () => {
    const destinations = [{ type: "pager", number: "1" }, { type: "email" }, { type: "slack", channelId: "C1" }];
    const { body } = await world.ask("POST", "/v4/docs", docWith([{ ...DAILY, destinations }]));
    expect(body.data.warnings.map((warning: string) => warning.split(" ")[0])).toEqual([
      "/automations/0/destinations/0",
      "/automations/0/destinations/1",
      "/automations/0/destinations/2",
    ]);
    expect([await deliveries(), await jobs()]).toMatchObject([[], [{ resourceType: "doc" }]]);
  });
});

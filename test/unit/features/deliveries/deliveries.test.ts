// Deliveries: what is taken, what a run sends and when, and what becomes of it.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { arrowOf, newDeliveryWorld, type DeliveryWorld } from "../../../support/unit/deliveries/world.ts";
import { call } from "../../../support/unit/http.ts";
import { addSlack } from "../../../support/unit/messages/channels.ts";
import { lastMailTo, mailsTo, useUpMails } from "../../../support/unit/mail/outbox.ts";

const somewhere = `/v4/deliveries/${crypto.randomUUID()}`;
const ROWS = { status: ["shipped", "=HYPERLINK(1)"], orders: [5, 3] };

let world: DeliveryWorld;
beforeAll(async () => void (world = await newDeliveryWorld()));

describe("createDelivery", () => {
  refusesStrangers("createDelivery", (key) => call("POST", "/v4/deliveries", { key, body: {} }), {
    right: "jobs:write",
  });

  it.each([
    [
      "an address that has not confirmed",
      { to: [{ channel: "email", address: "eve@elsewhere.example" }] },
      "/to/0/address",
    ],
    [
      "a destination that is not there",
      { to: [{ channel: "webhook", destination_id: crypto.randomUUID() }] },
      "/to/0/destination_id",
    ],
    [
      "a Slack integration that is not there",
      { to: [{ channel: "slack", integration_id: crypto.randomUUID(), channel_id: "C01" }] },
      "/to/0/integration_id",
    ],
    ["a query that is not there", { source: { kind: "query", query_id: crypto.randomUUID() } }, "/source/query_id"],
    ["a doc that is not there", { source: { kind: "doc", doc_id: crypto.randomUUID() } }, "/source/doc_id"],
    ["a subject of two lines", { subject: "one\r\nBcc: eve@elsewhere.example" }, "/subject"],
    [
      "attached files that no recipient's channel carries",
      { to: [{ channel: "webhook", destination_id: crypto.randomUUID() }], files: { format: "csv" } },
      "/files/by",
    ],
    ["a dataset of a query", { condition: { kind: "rows", dataset: "orders" } }, "/condition/dataset"],
  ])("refuses %s, and says where", async (_, fields, pointer) => {
    const { status, body } = await world.ask("POST", "/v4/deliveries", {
      name: "Orders",
      source: { kind: "query", query_id: await world.newQuery() },
      to: [{ channel: "email", address: world.memberEmail }],
      ...fields,
    });
    expect([status, body.error.flaws[0].pointer]).toEqual([422, pointer]);
  });

  it.each([
    ["that its doc does not have", {}, "tow", 422],
    ["that it does not send", { dataset_keys: ["one"] }, "two", 422],
    ["of its doc", {}, "two", 201],
  ])("answers for a condition over a dataset %s", async (_, fields, dataset, expected) => {
    const doc = await world.ask("POST", "/v4/docs", {
      ...{ version: 1, kind: "dashboard", metadata: { name: "Scores" } },
      datasets: { one: { engine: "sql", sql: "SELECT 1 AS n" }, two: { engine: "sql", sql: "SELECT 2 AS n" } },
    });
    const { status, body } = await world.ask("POST", "/v4/deliveries", {
      name: "Scores",
      source: { kind: "doc", doc_id: doc.body.data.id, ...fields },
      to: [{ channel: "email", address: world.memberEmail }],
      condition: { kind: "rows", dataset },
    });
    expect(status).toBe(expected);
    if (status === 422) expect(body.error.flaws).toMatchObject([{ pointer: "/condition/dataset" }]);
  });

  it("refuses parameters that the query does not have", async () => {
    const source = { kind: "query", query_id: await world.newQuery(), parameters: { country: "Norway" } };
    const to = [{ channel: "email", address: world.memberEmail }];
    const { status, body } = await world.ask("POST", "/v4/deliveries", { name: "Orders", source, to });
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/source/parameters/country"]);
  });

  it("is another team's nothing", async () => {
    const id = await world.newDelivery();
    const other = await newDeliveryWorld();
    for (const [method, body] of [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"]] as const)
      expect((await other.ask(method, `/v4/deliveries/${id}`, body)).status).toBe(404);
  });

  refusesStrangers("getDelivery", (key) => call("GET", somewhere, { key }), { right: "jobs:write" });
  refusesStrangers("updateDelivery", (key) => call("PATCH", somewhere, { key, body: { name: "x" } }), {
    right: "jobs:write",
  });
  refusesStrangers("deleteDelivery", (key) => call("DELETE", somewhere, { key }), { right: "jobs:write" });
  refusesStrangers("listDeliveries", (key) => call("GET", "/v4/deliveries", { key }), { right: "jobs:write" });
});

describe("a delivery in use", () => {
  it("keeps its query from being archived, and is kept by its job", async () => {
    const queryId = await world.newQuery();
    const id = await world.newDelivery({ source: { kind: "query", query_id: queryId } });
    const uses = (await world.ask("GET", `/v4/queries/${queryId}/uses`)).body.data.items;
    expect(uses).toEqual([{ kind: "delivery", id, name: "Orders by status", version: 1 }]);
    expect((await world.ask("DELETE", `/v4/queries/${queryId}`)).body.error.conflictsWith).toEqual([id]);

    const jobId = await world.newJob(id);
    const refused = await world.ask("DELETE", `/v4/deliveries/${id}`);
    expect([refused.status, refused.body.error.conflictsWith]).toEqual([409, [jobId]]);
    await world.ask("DELETE", `/v4/automations/jobs/${jobId}`);
    expect((await world.ask("DELETE", `/v4/deliveries/${id}`)).status).toBe(204);
    expect((await world.ask("DELETE", `/v4/queries/${queryId}`)).status).toBe(204);
  });
});

describe("a run of a delivery", () => {
  it("brings its chart as a picture, and its file, to a channel of Slack", async () => {
    const slack = await addSlack(world.team);
    const viz = { type: "bar", x: { field: "status" }, y: [{ field: "orders" }] };
    const source = { kind: "query", query_id: await world.newQuery(), viz };
    const to = [{ channel: "slack", integration_id: slack.integrationId, channel_id: "C0920MVPWFN" }];
    const id = await world.newDelivery({ source, to, files: { format: "csv" } });
    expect(await world.run(await world.newJob(id), ROWS)).toMatchObject({ state: "succeeded" });
    const received = await slack.received();
    const [picture, file] = received.filter(({ path }) => path.startsWith("/upload/")).map(({ body }) => atob(body));
    expect([picture!.slice(1, 4), file]).toEqual(["PNG", "status,orders\r\nshipped,5\r\n'=HYPERLINK(1),3\r\n"]);
    expect(JSON.parse(received.at(-1)!.body)).toMatchObject({
      files: [{ title: "chart-1.png" }, { title: "Orders by status.csv" }],
      channel_id: "C0920MVPWFN",
    });
    expect(JSON.stringify(await slack.posts())).toContain("A chart: the picture chart-1");
  });

  it("sends the rows as HTML, text and CSV, with a chart as a picture, and succeeds once they are taken", async () => {
    const viz = { type: "bar", x: { field: "status" }, y: [{ field: "orders" }] };
    const source = { kind: "query", query_id: await world.newQuery(), viz };
    const id = await world.newDelivery({ source, files: { format: "csv" }, message: "For <b>nine</b>." });
    const jobId = await world.newJob(id);
    const { id: runId } = (await world.ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).body.data;
    await world.answer(ROWS);
    await world.step(runId, 20_000);
    expect(await world.runOf(jobId, runId)).toMatchObject({ state: "running" });
    await world.sendMessages();
    await world.step(runId, 60_000);
    expect(await world.runOf(jobId, runId)).toMatchObject({ state: "succeeded", error: null });

    const mail = await lastMailTo(world.memberEmail);
    expect(mail.subject).toBe("Orders by status");
    expect(mail.html).toContain("For &lt;b&gt;nine&lt;/b&gt;.");
    const picture = mail.attachments.find(({ mimeType }) => mimeType === "image/png")!;
    expect(new Uint8Array(picture.content as ArrayBuffer).slice(1, 4)).toEqual(new TextEncoder().encode("PNG"));
    expect(mail.html).toContain(`cid:${picture.contentId!.replaceAll(/[<>]/g, "")}`);
    const csv = mail.attachments.find(({ filename }) => filename === "Orders by status.csv")!;
    expect(new TextDecoder().decode(csv.content as ArrayBuffer)).toBe(
      "status,orders\r\nshipped,5\r\n'=HYPERLINK(1),3\r\n",
    );
    expect(await world.messagesOf(id)).toMatchObject([{ state: "sent", run_id: runId, target: world.memberEmail }]);
    expect((await world.ask("GET", `/v4/deliveries/${id}`)).body.data.last_run).toMatchObject({
      run_id: runId,
      sent: true,
    });
  });

  it("hands its messages over once, however many look at its end at one time", async () => {
    const to = [world.memberEmail, await emailOfAdmin()].map((address) => ({ channel: "email", address }));
    const id = await world.newDelivery({ to });
    const jobId = await world.newJob(id);
    const { id: runId } = (await world.ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).body.data;
    await world.answer(ROWS);
    await Promise.allSettled([1, 2, 3].map((times) => world.step(runId, times * 20_000)));
    for (const lateMs of [90_000, 120_000]) await world.step(runId, lateMs);
    expect((await world.messagesOf(id)).map(({ target }: { target: string }) => target).sort()).toEqual(
      to.map(({ address }) => address).sort(),
    );
  });

  it("sends as its condition begins to hold, and again only after it did not", async () => {
    const id = await world.newDelivery({ condition: { kind: "value", column: "orders", operator: ">", value: 10 } });
    const jobId = await world.newJob(id);
    const sent: boolean[] = [];
    for (const orders of [5, 50, 60, 7, 70]) {
      expect(await world.run(jobId, { status: ["shipped"], orders: [orders] })).toMatchObject({ state: "succeeded" });
      const { last_run: last } = (await world.ask("GET", `/v4/deliveries/${id}`)).body.data;
      sent.push(last.sent);
      expect(last).toMatchObject({ value: orders, holds: orders > 10 });
    }
    expect(sent).toEqual([false, true, false, false, true]);
    expect(await world.messagesOf(id)).toHaveLength(2);
    expect((await lastMailTo(world.memberEmail)).text).toContain("orders is 70, which is > 10.");
  });

  it("fails with the recipient and the reason where a message did not arrive", async () => {
    const id = await world.newDelivery();
    const jobId = await world.newJob(id);
    await useUpMails(world.team.id);
    const run = await world.run(jobId, ROWS);
    expect(run.state).toBe("failed");
    expect(run.error).toContain(`1 of 1 messages did not arrive, or not yet. ${world.memberEmail}: A team sends`);
    await env.DB.prepare("delete from mail_days where team_id = ?").bind(world.team.id).run();
  });

  it.each([
    ["a result that is no Arrow stream", new TextEncoder().encode("no arrow"), "can't be read"],
    ["a condition's column that the result lacks", arrowOf({ other: [1] }), "no column orders"],
  ])("fails for %s, and keeps what its condition knew", async (_, bytes, reason) => {
    const id = await world.newDelivery({ condition: { kind: "value", column: "orders", operator: ">", value: 0 } });
    const jobId = await world.newJob(id);
    const { id: runId } = (await world.ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).body.data;
    await world.answer(bytes);
    await world.step(runId, 20_000);
    const run = await world.runOf(jobId, runId);
    expect([run.state, run.error]).toEqual(["failed", expect.stringContaining(reason)]);
    expect((await world.ask("GET", `/v4/deliveries/${id}`)).body.data.last_run).toBeNull();
    expect(await world.messagesOf(id)).toEqual([]);
  });

  it("takes back what is not sent when it is cancelled", async () => {
    const id = await world.newDelivery();
    const jobId = await world.newJob(id);
    const { id: runId } = (await world.ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).body.data;
    await world.answer(ROWS);
    await world.step(runId, 20_000);
    const before = (await mailsTo(world.memberEmail)).length;
    await world.ask("POST", `/v4/automations/jobs/${jobId}/runs/${runId}/cancel`);
    await world.step(runId, 60_000);
    await world.sendMessages();
    expect(await world.runOf(jobId, runId)).toMatchObject({ state: "cancelled" });
    expect(await world.messagesOf(id)).toMatchObject([{ state: "failed" }]);
    expect((await mailsTo(world.memberEmail)).length).toBe(before);
  });

  it("links a file that its address leads to, and nobody else's", async () => {
    const id = await world.newDelivery({ files: { format: "parquet", by: "link", days: 2 } });
    await world.run(await world.newJob(id), ROWS);
    const mail = await lastMailTo(world.memberEmail);
    const url = /https?:\/\/\S+\/f\/[A-Za-z0-9_-]{43}/.exec(mail.text!)![0];
    const { SELF } = await import("cloudflare:test");
    const file = await SELF.fetch(`https://fjord.test${new URL(url).pathname}`);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/vnd.apache.parquet"]);
    expect(new TextDecoder().decode((await file.bytes()).slice(0, 4))).toBe("PAR1");
  });
});

const emailOfAdmin = async (): Promise<string> =>
  (await env.DB.prepare("select email from users where id = ?").bind(world.team.admin.id).first<string>("email"))!;

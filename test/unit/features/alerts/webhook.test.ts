import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { OUTBOUND_EVENT_TYPES } from "../../../../src/core/events/outbound-event-types.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { readDocument, schemaFlaws } from "../../../support/unit/conformance.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const WEBHOOK = "/v4/alerts/webhook";
const URL_SET = { url: "https://alerts.example.com/fjord" };
const right = { right: "team:manage" } as const;
refusesStrangers("setAlertWebhook", (key) => call("PUT", WEBHOOK, { key, body: URL_SET }), right);
refusesStrangers("getAlertWebhook", (key) => call("GET", WEBHOOK, { key }), right);
refusesStrangers("deleteAlertWebhook", (key) => call("DELETE", WEBHOOK, { key }), right);
refusesStrangers("setAlertSecret", (key) => call("POST", `${WEBHOOK}/secret`, { key }), right);
refusesStrangers("testAlertWebhook", (key) => call("POST", `${WEBHOOK}/test`, { key }), right);
refusesStrangers("listAlertDeliveries", (key) => call("GET", "/v4/alerts/deliveries", { key }), right);

const audited = async (teamId: string) =>
  (
    await env.DB.prepare("select action from audit_events where team_id = ? and action like 'alert%' order by id")
      .bind(teamId)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);

describe("the alert webhook", () => {
  it("shows its secret once, keeps it for another URL, and is audited", async () => {
    const team = await newTeam();
    const { key } = team.admin;
    const put = (url: string) => call("PUT", WEBHOOK, { key, body: { url } });
    expect((await call("GET", WEBHOOK, { key })).status).toBe(404);
    const { body: set } = await put(URL_SET.url);
    expect(set.data).toMatchObject({ url: URL_SET.url, enabled: true, secret: expect.stringMatching(/^whsec_.{44}$/) });
    const { body: moved } = await put("https://other.example.com/");
    expect(moved.data).toMatchObject({ url: "https://other.example.com/", secret: null });
    const { secret: _, ...shown } = moved.data as { secret: null };
    expect((await call("GET", WEBHOOK, { key })).body.data).toEqual(shown);
    const { body: rotated } = await call("POST", `${WEBHOOK}/secret`, { key });
    expect(rotated.data.secret).toMatch(/^whsec_/);
    expect(rotated.data.secret).not.toBe(set.data.secret);
    expect((await call("DELETE", WEBHOOK, { key })).status).toBe(204);
    for (const [method, path] of [
      ["GET", WEBHOOK],
      ["DELETE", WEBHOOK],
      ["POST", `${WEBHOOK}/secret`],
      ["POST", `${WEBHOOK}/test`],
    ] as const)
      expect((await call(method, path, { key })).status).toBe(404);
    expect(await audited(team.id)).toEqual([
      "alert_webhook.set",
      "alert_webhook.set",
      "alert_secret.set",
      "alert_webhook.delete",
    ]);
  });

  it("is one, though it is set twice at once, and its secret the one that was answered", async () => {
    const team = await newTeam();
    const put = () => call("PUT", WEBHOOK, { key: team.admin.key, body: URL_SET });
    const answers = await Promise.all([put(), put(), put()]);
    const secrets = answers.flatMap(({ body }) => (body.data?.secret ? [body.data.secret as string] : []));
    expect(secrets).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const done = answers.filter(({ status }) => status === 200).length;
    expect(await audited(team.id)).toHaveLength(done);
  });

  it.each(["http://alerts.example.com", "https://10.0.0.1/", "https://user:pw@alerts.example.com/", "nonsense"])(
    "refuses %s with the reason",
    async (url) => {
      const team = await newTeam();
      const answer = await call("PUT", WEBHOOK, { key: team.admin.key, body: { url } });
      expect(answer).toMatchObject({ status: 422, body: { error: { flaws: [{ pointer: "/url" }] } } });
      expect((await call("GET", WEBHOOK, { key: team.admin.key })).status).toBe(404);
    },
  );

  it("may be this machine only where development allows it", async () => {
    const team = await newTeam();
    const put = (bindings: Partial<Env>) =>
      callWith(bindings as never, "PUT", WEBHOOK, { key: team.admin.key, body: { url: "http://127.0.0.1:1234/hook" } });
    expect((await put({ HOSTS_ALLOWED: "" })).status).toBe(422);
    expect((await put({ HOSTS_ALLOWED: "loopback" })).status).toBe(200);
  });

  it("is not another team's, nor are its deliveries", async () => {
    const [ours, theirs] = [await newTeam(), await newTeam()];
    await call("PUT", WEBHOOK, { key: theirs.admin.key, body: URL_SET });
    const row = `insert into alert_deliveries (id, team_id, type, payload, state, attempts, due_at, revision, created_at)
      values (?, ?, 'alert.test', '{}', 'pending', 0, '2999-01-01T00:00:00.000Z', 0, '2000-01-01T00:00:00.000Z')`;
    await env.DB.prepare(row).bind(crypto.randomUUID(), theirs.id).run();
    const list = async (key: string) => (await call("GET", "/v4/alerts/deliveries?state=pending", { key })).body.data;
    expect(await list(ours.admin.key)).toMatchObject({ items: [], total: 0 });
    expect(await list(theirs.admin.key)).toMatchObject({ items: [{ type: "alert.test", payload: {} }], total: 1 });
    expect((await call("DELETE", WEBHOOK, { key: ours.admin.key })).status).toBe(404);
    expect((await list(theirs.admin.key)).total).toBe(1);
    expect((await call("DELETE", WEBHOOK, { key: theirs.admin.key })).status).toBe(204);
    expect((await list(theirs.admin.key)).total).toBe(0);
  });
});

describe("the document's webhooks", () => {
  it("say each message's form", async () => {
    const { webhooks } = (await readDocument()) as unknown as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
    };
    const alerts = ["failed", "recovered", "stale"].flatMap((what) => [`job.${what}`, `sync.${what}`]);
    expect(Object.keys(webhooks)).toEqual(expect.arrayContaining(["alert.test", "job.warned", ...alerts]));
    expect(Object.keys(webhooks)).toEqual(expect.arrayContaining(["delivery", "event.test", ...OUTBOUND_EVENT_TYPES]));
    expect(Object.keys(webhooks)).toHaveLength(alerts.length + OUTBOUND_EVENT_TYPES.length + 4);
    const schema = webhooks["alert.test"]!.post.requestBody.content["application/json"]!.schema;
    const message = { type: "alert.test", timestamp: new Date().toISOString(), data: { team_id: crypto.randomUUID() } };
    expect(await schemaFlaws("alert.test", schema, message)).toEqual([]);
    expect(await schemaFlaws("alert.test", schema, { ...message, type: "other" })).not.toEqual([]);
  });
});

// Messages leave the platform for servers that take and refuse what Slack, Teams and any webhook's receiver do.

import { expect, inject, it } from "vitest";
import type { Received } from "../support/node/messages/mailbox.ts";
import { call } from "./client.ts";

type Data<Payload> = { data: Payload };
type Results = Record<string, { success: boolean; executionId: string; error: string | null }>;

const mailbox = (id: string) => `${inject("channelsUrl")}/control/${id}`;
const received = async (id: string) => (await (await fetch(mailbox(id))).json()) as Received[];

/** The SDK's own client, with the key of the run. */
const CODE = `
import os
from definite_sdk import DefiniteClient
client = DefiniteClient(os.environ["SERVICE_API_KEY"], api_url=os.environ["SERVICE_API_BASE_URL"])
sent = client.get_message_client().send_slack_message(
    integration_id=os.environ["SLACK"], channel_id="C0920MVPWFN", text="Hello", thread_ts="1234567890.123456")
print("posted", sent["ok"], sent["channel"], len(sent["ts"]) > 0)
result = 1
`;

it("posts to Slack by the public SDK from inside a dataset, once", async () => {
  const token = `xoxb-${crypto.randomUUID()}`;
  await (await fetch(mailbox(token), { method: "PUT", body: "{}" })).text();
  const integration = { type: "slack", credentials: { bot_token: token } };
  const made = await call<{ integration: { id: string } }>("POST", "/v1/api/integrations", { body: integration });
  expect(made.status, JSON.stringify(made.body)).toBe(201);

  const definition = {
    ...{ version: 1, kind: "pipeline", metadata: { name: "Posts" } },
    datasets: { post: { engine: "python", code: CODE, timeoutMs: 90_000 } },
  };
  const { id } = (await call<Data<{ id: string }>>("POST", "/v4/docs", { body: definition })).body.data;
  const body = { data: {}, environmentVariables: { SLACK: made.body.integration.id } };
  const run = await call<Data<{ results: Results }>>("POST", `/v4/webhook/docs/${id}/execute`, { body });
  const { post } = run.body.data.results;
  expect(post).toMatchObject({ success: true, error: null });
  const logs = await call<Data<{ items: { message: string }[] }>>("GET", `/v4/executions/${post!.executionId}/logs`);
  expect(logs.body.data.items.map(({ message }) => message)).toContain("posted True C0920MVPWFN True");
  const posts = (await received(token)).filter(({ path }) => path.endsWith("/chat.postMessage"));
  expect(posts.map(({ body: sent }) => JSON.parse(sent) as object)).toEqual([
    { channel: "C0920MVPWFN", text: "Hello", thread_ts: "1234567890.123456" },
  ]);
}, 120_000);

it.each(["teams", "webhook"])("sends a test to a destination of kind %s", async (kind) => {
  const id = crypto.randomUUID();
  await (await fetch(mailbox(id), { method: "PUT", body: "{}" })).text();
  const url = `${inject("channelsUrl")}/${kind === "teams" ? "teams" : "hook"}/${id}`;
  const made = await call<Data<{ id: string }>>("POST", "/v4/destinations", { body: { kind, name: id, url } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { body } = await call<Data<object>>("POST", `/v4/destinations/${made.body.data.id}/test`);
  expect(body.data).toMatchObject({ outcome: "sent", error: null });
  const [message, ...more] = await received(id);
  expect(more).toEqual([]);
  expect(message!.headers).toMatchObject({ "user-agent": "Fjord-Deliveries/1", "content-type": "application/json" });
  expect("webhook-signature" in message!.headers).toBe(kind === "webhook");
});

// A team hears of its syncs at a server of its own, which checks what it gets as any receiver would.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { within } from "../../scripts/process/group.ts";
import { call, connect, type Integration } from "./client.ts";

const [DATABASE, ROLE] = ["alerting", "alerting_reader"];
const WEBHOOK = "/v4/alerts/webhook";

type Message = { type: string; timestamp: string; data: Record<string, string | null> };
type Received = { id: string; path: string; isSigned: boolean; message: Message };
type Delivery = { id: string; type: string; state: string; attempts: number; status: number | null; error: string };
type Data<Payload> = { data: Payload };

let receiver: Server;
let admin: pg.Client;
let source: Integration;
let secret: string;
const received: Received[] = [];
/** What the receiver answers; undefined: nothing at all. */
let answer: (message: Message) => number | undefined = () => 204;

const url = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

/** Standard Webhooks, written down from its specification once more. */
function isSigned(request: IncomingMessage, body: string): boolean {
  const header = (name: string) => String(request.headers[name]);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const text = `${header("webhook-id")}.${header("webhook-timestamp")}.${body}`;
  const expected = createHmac("sha256", key).update(text).digest();
  const isFresh = Math.abs(Date.now() / 1_000 - Number(header("webhook-timestamp"))) < 300;
  const given = header("webhook-signature")
    .split(" ")
    .filter((each) => each.startsWith("v1,"));
  return (
    isFresh &&
    given.some((each) => {
      const bytes = Buffer.from(each.slice(3), "base64");
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    })
  );
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [body, path] = [Buffer.concat(chunks).toString(), request.url ?? ""];
      const message = body === "" ? { type: "none", timestamp: "", data: {} } : (JSON.parse(body) as Message);
      received.push({ id: String(request.headers["webhook-id"]), path, isSigned: isSigned(request, body), message });
      const status = answer(message);
      if (status !== undefined) response.writeHead(status, { location: url("/elsewhere") }).end("x".repeat(1_000_000));
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));

  const server = inject("postgres");
  admin = new pg.Client({ ...server, user: server.username, database: "postgres" });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'first'`);
  await admin.query(`GRANT pg_read_all_data TO ${ROLE}`);
  const inside = new pg.Client({ ...server, user: server.username, database: DATABASE });
  await inside.connect();
  await inside.query("CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept SELECT generate_series(1, 10)");
  await inside.end();
  source = await connect("postgres", { ...server, username: ROLE, password: "first" }, DATABASE);
});
afterAll(async () => {
  await call("DELETE", WEBHOOK);
  receiver?.closeAllConnections();
  receiver?.close();
  await admin?.end();
});

const tick = () =>
  fetch(`${inject("platform").baseUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent("* * * * *")}`);
const path = (more: string) => `/v1/api/integrations/${source.id}${more}`;
/** Other suites of this team fail on purpose, and are heard of here too. */
const tests = () => received.filter(({ message }) => message.type === "alert.test");
const about = (syncId: string) => received.filter(({ message }) => message.data["sync_id"] === syncId);
const test = async () => (await call<Data<Delivery>>("POST", `${WEBHOOK}/test`)).body.data;

async function runAgain(): Promise<string> {
  const { body } = await call<{ run_id: string }>("POST", path("/syncs/run"), { body: {} });
  return ended(body.run_id);
}

async function ended(runId: string): Promise<string> {
  const look = async () =>
    (await call<{ run: { status: string } }>("GET", path(`/syncs/${runId}`))).body.run.status !== "STARTED";
  expect(await within(100_000, look)).toBe(true);
  return runId;
}

async function heard(syncId: string, messages: number): Promise<Received[]> {
  await tick();
  expect(await within(60_000, () => about(syncId).length >= messages)).toBe(true);
  return about(syncId);
}

it("refuses what is not to be sent to", async () => {
  for (const wrong of ["http://10.0.0.1/", "https://169.254.169.254/latest", "http://alerts.example.com/"])
    expect((await call("PUT", WEBHOOK, { body: { url: wrong } })).status).toBe(422);
});

it("sends a test, and says what came of it: no redirect is followed, and nobody waits for ever", async () => {
  const set = await call<Data<{ secret: string }>>("PUT", WEBHOOK, { body: { url: url("/hook") } });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  ({ secret } = set.body.data);
  expect(await test()).toMatchObject({ state: "delivered", status: 204, error: null });
  expect(tests()).toMatchObject([
    { path: "/hook", isSigned: true, message: { data: { team_id: expect.any(String) as string } } },
  ]);
  answer = () => 307;
  expect(await test()).toMatchObject({ state: "failed", status: 307 });
  answer = () => undefined;
  expect(await test()).toMatchObject({ state: "failed", status: null, error: "No answer came within 15 s." });
  expect(tests()).toHaveLength(3);
  expect(received.filter((each) => each.path !== "/hook")).toEqual([]);
  answer = () => 200;
  expect(await test()).toMatchObject({ state: "delivered", status: 200 });
});

it("tells of a sync that fails, again until it is heard, and of its recovery, each once", async () => {
  const configured = await call<{ run_id: string; sync_config: { id: string } }>("POST", path("/sync"), {
    body: { dest_schema: "alerting", schedule: "daily", tables: ["public.kept"] },
  });
  expect(configured.status, JSON.stringify(configured.body)).toBe(200);
  const { run_id: first, sync_config: sync } = configured.body;
  await ended(first);
  await admin.query(`ALTER ROLE ${ROLE} PASSWORD 'second'`);
  let refused = 0;
  answer = ({ data }) => (data["sync_id"] === sync.id && refused++ === 0 ? 500 : 200);
  const runId = await runAgain();
  const tries = await heard(sync.id, 2);
  expect(tries.map(({ id, message }) => [id, message.type])).toEqual([
    [tries[0]!.id, "sync.failed"],
    [tries[0]!.id, "sync.failed"],
  ]);
  expect(tries.every((each) => each.isSigned)).toBe(true);
  expect(tries[0]!.message.data).toMatchObject({
    run_id: runId,
    error: expect.stringContaining("password authentication failed") as string,
    path: path(`/syncs/${runId}`),
  });
  const { body: found } = await call<{ run: { run_id: string } }>("GET", tries[0]!.message.data["path"]!);
  expect(found.run.run_id).toBe(runId);
  await runAgain();
  await tick();

  expect((await call("PATCH", path(""), { body: { credentials: { password: "second" } } })).status).toBe(200);
  const success = await runAgain();
  const all = await heard(sync.id, 3);
  await tick();
  await tick();
  expect(all.map(({ message }) => message.type)).toEqual(["sync.failed", "sync.failed", "sync.recovered"]);
  expect(all[2]!.message.data).toMatchObject({ run_id: success, episode_id: all[0]!.message.data["episode_id"] });
  expect(about(sync.id)).toHaveLength(3);

  const { body } = await call<Data<{ items: Delivery[] }>>("GET", "/v4/alerts/deliveries?state=delivered");
  expect(body.data.items.find(({ id }) => id === all[0]!.id)).toMatchObject({ type: "sync.failed", attempts: 2 });
  const overview = await call<{ data: object[] }>("GET", `/v1/api/syncs?integration_id=${source.id}`);
  expect(overview.body.data).toMatchObject([{ id: sync.id, health: "ok", last_run: { run_id: success } }]);
});

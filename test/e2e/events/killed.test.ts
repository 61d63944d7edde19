// Events of a team at a receiver of its own, which fails and loses answers, while the platform's runtime is killed.
// Each arrives, those of a subject in their order, and every one is signed.

import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { copyState, startPlatform, type Platform } from "../../support/node/platform/platform.ts";
import { isRunning, listFamily } from "../../support/node/programs/processes.ts";
import { call } from "../client.ts";

const USERS = 20;
const CHANGES = 10;
/** The first requests are all refused; later every so-manieth answer is lost. */
const DOWN = 10;
const LOST = 17;
const ARRIVE_MS = 400_000;

type Event = { type: string; data: { audit_event_id: string; subject_id: string; action: string } };
type Taken = { id: string; event: Event };

let state: string;
let platform: Platform;
let receiver: Server;
let webhook: Webhook | undefined;
let requests = 0;
const taken: Taken[] = [];
beforeAll(async () => {
  state = await copyState(inject("seed"));
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (++requests <= DOWN) return void response.writeHead(503).end();
      const raw = Buffer.concat(chunks).toString();
      // The library refuses what is older than five minutes, so that each is verified as it comes.
      const event = webhook!.verify(raw, request.headers as Record<string, string>) as Event;
      taken.push({ id: String(request.headers["webhook-id"]), event });
      if (requests % LOST === 0) request.socket.destroy();
      else response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  platform = await startPlatform({ state });
});
afterAll(async () => {
  await platform?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
  await rm(state, { recursive: true, force: true, maxRetries: 5 });
});

const ask = async <Data>(method: string, path: string, body: object): Promise<Data> => {
  const answer = await call<{ data: Data }>(method, path, { ...platform, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
};

/** The launcher starts another one. */
async function killRuntime(): Promise<void> {
  for (const { pid } of (await listFamily(platform.pid)).filter(isRunning("workerd serve")))
    process.kill(pid, "SIGKILL");
}

const eventsOf = (action: string) => taken.filter(({ event }) => event.data.action === action);
const idsIn = (of: readonly Taken[]) => new Set(of.map(({ id }) => id));

it("loses none, keeps the order of a subject's, and signs each", { timeout: 2 * ARRIVE_MS }, async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  const destination = { kind: "events", name: "Watch", url, event_types: ["access.changed"] };
  const { secret } = await ask<{ secret: string }>("POST", "/v4/destinations", destination);
  webhook = new Webhook(secret);
  const users: string[] = [];
  for (let n = 0; n < USERS; n++)
    users.push(
      (
        await ask<{ id: string }>("POST", "/v4/users", {
          name: `User ${n}`,
          email: `user${n}@example.com`,
          role: "member",
        })
      ).id,
    );
  for (let change = 0; change < CHANGES; change++)
    for (const id of users) await ask("PATCH", `/v4/users/${id}`, { role: change % 2 === 0 ? "admin" : "member" });

  const arrived = (part: number) => () => idsIn(eventsOf("user.update")).size >= USERS * CHANGES * part;
  expect(await within(ARRIVE_MS, arrived(0.1))).toBe(true);
  await killRuntime();
  expect(await within(ARRIVE_MS, arrived(0.5))).toBe(true);
  await killRuntime();
  expect(await within(ARRIVE_MS, arrived(1)), `${idsIn(taken).size} events arrived`).toBe(true);

  expect(idsIn(eventsOf("user.create")).size).toBe(USERS);
  for (const id of users) {
    const own = taken.filter(({ event }) => event.data.subject_id === id);
    const order = [...new Set(own.map(({ event }) => event.data.audit_event_id))];
    expect(order).toHaveLength(1 + CHANGES);
    expect(order).toEqual([...order].sort());
  }
});

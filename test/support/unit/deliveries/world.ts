// A team with a delivery of a saved query, a job that runs it, an engine that a test answers for, and real messages.

import { env } from "cloudflare:workers";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { openClients } from "../../../../src/clients/clients.ts";
import { AUTOMATION_WORK } from "../../../../src/features/automations/automation-work.ts";
import { resultKey } from "../../../../src/features/query/async/async-query.ts";
import { findQuery } from "../../../../src/features/query/async/store.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import { QUEUES } from "../../../../src/queues.ts";
import { callWith } from "../call-with.ts";
import { emailOf } from "../mail/outbox.ts";
import { patientEngine, reportEnd } from "../query/async-queries.ts";
import { newTeam } from "../team.ts";

export type DeliveryWorld = Awaited<ReturnType<typeof newDeliveryWorld>>;

type Rows = Record<string, (string | number | null)[]>;

/** Numbers are integers. */
export const arrowOf = (columns: Rows): Uint8Array => {
  const typed = Object.entries(columns).map(([name, values]) => [
    name,
    values.every((value) => typeof value === "number") ? Int32Array.from(values) : values,
  ]);
  return tableToIPC(tableFromArrays(Object.fromEntries(typed)), "stream");
};

export async function newDeliveryWorld() {
  const team = await newTeam();
  const engine = patientEngine();
  const woken: { kind: string; id: string }[] = [];
  const queue = {
    send: async (body: { kind: string; id: string }) => void woken.push(body),
    sendBatch: async (batch: Iterable<{ body: { kind: string; id: string } }>) =>
      void woken.push(...[...batch].map(({ body }) => body)),
  };
  const bindings = { ...env, ...(engine.bindings as object), WAKE_UPS: queue, ALERT_WAKE_UPS: queue } as unknown as Env;
  const clients = openClients(bindings);
  const ask = (method: string, path: string, body?: unknown, key = team.admin.key) =>
    callWith(bindings, method, path, { key, ...(body === undefined ? {} : { body }) });
  const memberEmail = await emailOf(team.member.id);

  const world = {
    ...{ bindings, team, engine, clients, ask, memberEmail, woken },
    async newQuery(sql = "SELECT status, orders FROM orders"): Promise<string> {
      return (await ask("POST", "/v4/queries", { name: "Orders", sql })).body.data.id;
    },
    /** A delivery of a new saved query to the member, but for what a test says otherwise. */
    async newDelivery(fields: object = {}): Promise<string> {
      const { status, body } = await ask("POST", "/v4/deliveries", {
        name: "Orders by status",
        source: { kind: "query", query_id: await world.newQuery() },
        to: [{ channel: "email", address: memberEmail }],
        ...fields,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.data.id;
    },
    newJob: async (deliveryId: string): Promise<string> =>
      (await ask("POST", "/v4/automations/jobs", { resourceType: "delivery", resourceId: deliveryId })).body.data.id,
    runOf: async (jobId: string, id: string) =>
      (await ask("GET", `/v4/automations/jobs/${jobId}/runs/${id}`)).body.data,
    /** One step of a run, as late as is said. */
    step: (id: string, lateMs = 0) =>
      stepRun(AUTOMATION_WORK, clients, { teamId: team.id, id }, () => new Date(Date.now() + lateMs)),
    /** The engine ends the newest statement with these rows. */
    async answer(columns: Rows | Uint8Array): Promise<void> {
      const bytes = columns instanceof Uint8Array ? columns : arrowOf(columns);
      const { id } = engine.sent.at(-1)!.statement;
      await env.BUCKET.put(resultKey((await findQuery(clients.db, team.id, id))!), bytes);
      await reportEnd(engine, team, id, { outcome: "succeeded", bytes: bytes.length });
    },
    /** The queue hands out every message that waits. */
    async sendMessages(): Promise<void> {
      for (const body of woken.splice(0).filter(({ kind }) => kind === "outgoing_message")) {
        const message = { id: "m", body, attempts: 1, ack: () => undefined, retry: () => undefined };
        await QUEUES["fjord-alerts"]!(clients, message as unknown as Message);
      }
    },
    /** A run of a job whose results are read, and not handed over yet. */
    async read(jobId: string, columns: Rows | Uint8Array): Promise<string> {
      const { id } = (await ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).body.data;
      await world.answer(columns);
      return id;
    },
    /** A whole run over these rows: read, handed over and sent. */
    async run(jobId: string, columns: Rows) {
      const id = await world.read(jobId, columns);
      await world.step(id, 20_000);
      await world.sendMessages();
      await world.step(id, 60_000);
      return world.runOf(jobId, id);
    },
    messagesOf: async (deliveryId: string) =>
      (await ask("GET", `/v4/messages?delivery_id=${deliveryId}`)).body.data.items,
  };
  return world;
}

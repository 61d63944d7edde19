// A destination of events on this machine, and the events of its team: written, sent and read in a test's own time.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { openClients, type Clients } from "../../../../src/clients/clients.ts";
import { OUTBOUND_EVENT_TYPES, type OutboundEventType } from "../../../../src/core/events/outbound-event-types.ts";
import { sendMessage } from "../../../../src/features/messages/send.ts";
import { recordOutboundEvent } from "../../../../src/platform/db/record-outbound-event.ts";
import { TRANSPORTS } from "../../../../src/transports.ts";
import { call } from "../http.ts";
import type { TestTeam } from "../team.ts";
import { addressOf, newMailbox } from "./channels.ts";

export type EventBody = { type: string; timestamp: string; data: Record<string, unknown> };

export async function newEventsDestination(
  team: TestTeam,
  eventTypes: readonly OutboundEventType[] = OUTBOUND_EVENT_TYPES,
) {
  const mailbox = await newMailbox(crypto.randomUUID());
  const { key } = team.admin;
  const url = addressOf("hook", mailbox.id);
  const body = { kind: "events", name: mailbox.id, url, event_types: eventTypes };
  const { data } = (await call("POST", "/v4/destinations", { key, body })).body;
  const { clients, woken } = withHeldWakeUps();
  const id = data.id as string;
  const destination = {
    ...mailbox,
    ...{ destinationId: id, secret: data.secret as string, path: `/v4/destinations/${id}`, clients, woken, nowMs: 0 },
    now: () => (destination.nowMs === 0 ? new Date() : new Date(destination.nowMs)),
    get: async () => (await call("GET", destination.path, { key })).body.data,
    patch: (change: object) => call("PATCH", destination.path, { key, body: change }),
    /** The team's log of what goes to it, the oldest first. */
    async log(query = ""): Promise<LogEntry[]> {
      const path = `/v4/messages?destination_id=${id}&limit=100${query}`;
      return (await call("GET", path, { key })).body.data.items.reverse();
    },
    /** Events of a run, one after the other, each in a batch of its own. */
    async emit(orderKey: string, ...notes: (string | number)[]): Promise<string[]> {
      const ids: string[] = [];
      for (const note of notes) {
        const data = sql`${JSON.stringify({ note, run_id: orderKey })}`;
        const event = { teamId: team.id, type: "doc_run.ended" as const, orderKey, data, at: destination.now() };
        const [written] = await clients.db.batch([recordOutboundEvent(clients.db, { ...event, when: sql`true` })]);
        ids.push(...written.map((message) => message.id));
      }
      return ids;
    },
    attempt: (messageId: string) =>
      sendMessage(clients, TRANSPORTS, { teamId: team.id, id: messageId }, destination.now),
    /** Attempts all that is woken, and what that wakes; `false` once nothing is. */
    async work(): Promise<void> {
      for (let message = woken.shift(); message; message = woken.shift()) await destination.attempt(message.id);
    },
    bodies: async () => (await mailbox.received()).map(({ body: sent }) => JSON.parse(sent) as EventBody),
  };
  return destination;
}

export type LogEntry = {
  id: string;
  state: string;
  is_held: boolean;
  attempts: number;
  attempts_max: number;
  error: string | null;
  next_attempt_at: string | null;
  event_type: string;
  payload: EventBody;
};

/** Clients whose wake-up messages wait until a test takes them. */
function withHeldWakeUps(): { clients: Clients; woken: { id: string }[] } {
  const woken: { id: string }[] = [];
  const clients = {
    ...openClients(env),
    wakeUps: {
      send: async (_: string, { id }: { id: string }, delayMs = 0) => (delayMs > 0 ? false : woken.push({ id }) > 0),
      sendAll: async (_: string, all: readonly { id: string }[]) => {
        woken.push(...all.map(({ id }) => ({ id })));
        return all.length;
      },
    },
  } as Clients;
  return { clients, woken };
}

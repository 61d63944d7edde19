// A team's messages over the real database and bucket, with transports and a clock that a test has in its hands.

import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { CHANNELS, type Channel, type Sent } from "../../../../src/core/messages.ts";
import type { MessageContent } from "../../../../src/features/messages/content.ts";
import { selectDueMessages } from "../../../../src/features/messages/due/store.ts";
import { EMAIL_TRANSPORT } from "../../../../src/features/messages/email/transport.ts";
import { contentKeyOf, planMessage, type Message, type NewMessage } from "../../../../src/features/messages/message.ts";
import { sendMessage } from "../../../../src/features/messages/send.ts";
import { findMessage, insertMessages } from "../../../../src/features/messages/store.ts";
import { sweepMessages } from "../../../../src/features/messages/sweep.ts";
import type { Transports } from "../../../../src/features/messages/transport.ts";
import { emailOf } from "../../../support/unit/mail/outbox.ts";
import { newTeam } from "../../../support/unit/team.ts";

export type MessageWorld = Awaited<ReturnType<typeof newMessageWorld>>;

/** Time stands still until it is moved. Webhooks and events are repeatable here, the other channels are not. */
export async function newMessageWorld() {
  const team = await newTeam();
  const sent: Message[] = [];
  const woken: { kind: string; id: string; teamId: string; delayMs: number }[] = [];
  const world = {
    team,
    teamId: team.id,
    memberEmail: await emailOf(team.member.id),
    nowMs: Date.parse("2100-01-01T00:00:00Z"),
    now: () => new Date(world.nowMs),
    /** What the transports answer, all but that of mail where `isReal`. */
    answer: async (_: Message): Promise<Sent> => ({ kind: "sent", reference: "ref-1" }),
    sent,
    woken,
    clients: {
      ...openClients(env),
      wakeUps: {
        send: async (kind: string, { id, teamId }: { id: string; teamId: string }, delayMs = 0) =>
          woken.push({ kind, id, teamId, delayMs }) > 0,
        sendAll: async (kind: string, all: readonly { id: string; teamId: string }[]) => {
          for (const { id, teamId } of all) if (teamId === world.teamId) woken.push({ kind, id, teamId, delayMs: 0 });
          return all.length;
        },
      },
    },
    transports: Object.fromEntries(
      CHANNELS.map((channel) => [
        channel,
        {
          isRepeatable: channel === "webhook" || channel === "events",
          send: async (_: unknown, message: Message) => {
            sent.push(message);
            return world.answer(message);
          },
        },
      ]),
    ) as Transports,
    /** Kept with its content, due now. */
    async add(message: Partial<NewMessage> = {}, content: Partial<MessageContent> = {}): Promise<Message> {
      const at = { teamId: team.id, channel: "email" as Channel, target: world.memberEmail, subject: "Nightly load" };
      const planned = planMessage({ ...at, ...message }, world.now());
      const said = {
        subject: planned.subject,
        text: "Hello.\n",
        html: null,
        tables: [],
        files: [],
        links: [],
        ...content,
      };
      await env.BUCKET.put(contentKeyOf(planned), JSON.stringify(said));
      await world.clients.db.batch([insertMessages(world.clients.db, [planned])]);
      return planned;
    },
    send: (message: Pick<Message, "id">) =>
      sendMessage(world.clients, world.transports, { teamId: world.teamId, id: message.id }, world.now),
    /** Mail by the real transport, into the outbox. */
    mail: (message: Pick<Message, "id">) =>
      sendMessage(
        world.clients,
        { ...world.transports, email: EMAIL_TRANSPORT },
        { teamId: world.teamId, id: message.id },
        world.now,
      ),
    look: async ({ id }: Pick<Message, "id">) => (await findMessage(world.clients.db, world.teamId, id))!,
    due: async (rowsMax = 1_000) =>
      (await selectDueMessages(world.clients.db, world.now().toISOString(), { rowsMax, teamId: world.teamId })).map(
        ({ id }) => id,
      ),
    sweep: () => sweepMessages(world.clients, world.now()),
    quietly: async <Value>(work: () => Promise<Value>): Promise<Value> => {
      const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
      return work().finally(() => log.mockRestore());
    },
  };
  return world;
}

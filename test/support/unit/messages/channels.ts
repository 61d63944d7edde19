// A test knows this of the channels that messages go out on, see `test/support/node/messages/fake-channels.ts`.

import { inject } from "vitest";
import type { MessageContent } from "../../../../src/features/messages/content.ts";
import type { Fault, Mailbox, Received } from "../../node/messages/mailbox.ts";
import { call } from "../http.ts";
import type { TestTeam } from "../team.ts";

declare module "vitest" {
  interface ProvidedContext {
    channelsUrl: string;
  }
}

/** A mailbox of its own: `id` is the token of Slack's bot, or the last part of the address of Teams or a webhook. */
export async function newMailbox(id: string = `xoxb-${crypto.randomUUID()}`, rest: Partial<Mailbox> = {}) {
  const ask = (method: string, body?: object) =>
    fetch(`${inject("channelsUrl")}/control/${id}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const set = async (change: Partial<Mailbox>) => void (await (await ask("PUT", change)).text());
  await set(rest);
  return {
    id,
    set,
    failNext: (...faults: Fault[]) => set({ faults }),
    received: async () => (await (await ask("GET")).json()) as Received[],
  };
}

export const addressOf = (kind: "teams" | "hook", id: string): string => `${inject("channelsUrl")}/${kind}/${id}`;

/** An integration of type slack, and the bot behind it. */
export async function addSlack(team: TestTeam) {
  const bot = await newMailbox();
  const body = { type: "slack", credentials: { bot_token: bot.id } };
  const answer = await call("POST", "/v1/api/integrations", { key: team.admin.key, body });
  /** The arguments of each message that was posted. */
  const posts = async () =>
    (await bot.received())
      .filter(({ path }) => path.endsWith("/chat.postMessage"))
      .map(({ body: sent }) => JSON.parse(sent) as Record<string, unknown>);
  return { ...bot, integrationId: answer.body.integration.id as string, posts };
}

export const contentOf = (more: Partial<MessageContent> = {}): MessageContent => ({
  subject: "Orders",
  text: "Two rows.",
  html: null,
  tables: [],
  files: [],
  links: [],
  ...more,
});

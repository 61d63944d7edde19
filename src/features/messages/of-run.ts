// The messages of one run of a delivery, for whoever runs it.

import type { SQL } from "drizzle-orm";
import type { Needs } from "../../clients/context.ts";
import { oneLine } from "../../core/text/one-line.ts";
import type { Db } from "../../platform/db/client.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import type { Message } from "./message.ts";
import {
  endMessagesOfRun,
  findMessage,
  insertMessages,
  selectLastStates,
  selectMessagesOf,
  type DeliveryRun,
} from "./store.ts";

export { hasMessage, type DeliveryRun } from "./store.ts";

/**
 * The statement belongs into the batch that says that the run has handed its messages over. Nothing is written where
 * `when` is not true in SQL.
 */
export const messagesStatement = (db: Db, messages: readonly Message[], when: SQL) =>
  insertMessages(db, messages, when);

/** Whether a message was handed over, whatever has become of it. */
export const isHandedOver = async ({ db }: Needs<"db">, { teamId, id }: Pick<Message, "teamId" | "id">) =>
  (await findMessage(db, teamId, id)) !== undefined;

const FAILURES_NAMED_MAX = 10;

/** One that has failed so often is tried further without its run, which others wait for. */
const ATTEMPTS_AWAITED = 2;

/**
 * How many messages there are, and how many are waited for; and in words which did not arrive yet, undefined where all
 * did.
 */
export async function observeMessages(
  { db }: Needs<"db">,
  run: DeliveryRun,
): Promise<{ messages: number; pending: number; failures: string | undefined }> {
  const messages = await selectMessagesOf(db, run);
  const open = messages.filter(({ state }) => state === "pending");
  const pending = open.filter(({ attempts }) => attempts < ATTEMPTS_AWAITED).length;
  const lost = messages.filter(({ state }) => state === "failed" || state === "unknown" || state === "pending");
  if (lost.length === 0) return { messages: messages.length, pending, failures: undefined };
  const named = lost.slice(0, FAILURES_NAMED_MAX).map(({ target, error }) => `${target}: ${error ?? "It failed."}`);
  const more = lost.length > named.length ? ` And ${lost.length - named.length} more.` : "";
  return {
    messages: messages.length,
    pending,
    failures: `${lost.length} of ${messages.length} messages did not arrive, or not yet. ${named.join(" ")}${more}`,
  };
}

/**
 * What became of what a delivery has sent last. `lost`: all of it was given up, so nobody has got any, and nobody will.
 * `open`: nobody has, and somebody may yet. `arrived`: somebody has, or may have.
 */
export async function lastFate(
  { db }: Needs<"db">,
  delivery: Pick<DeliveryRun, "teamId" | "deliveryId">,
): Promise<"lost" | "open" | "arrived"> {
  const states = await selectLastStates(db, delivery);
  if (states.length === 0 || states.some((state) => state === "sent" || state === "unknown")) return "arrived";
  return states.includes("pending") ? "open" : "lost";
}

/** Takes back what has not been sent. */
export async function endMessages({ db }: Needs<"db">, run: DeliveryRun, reason: string, now: Date): Promise<void> {
  const error = oneLine(reason, MESSAGE_LIMITS.errorCharactersMax);
  await endMessagesOfRun(db, run, { error, at: now.toISOString() });
}

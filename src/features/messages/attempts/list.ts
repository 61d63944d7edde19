import type { Needs } from "../../../clients/context.ts";
import { notFound } from "../../../core/problem.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import { findMessage } from "../store.ts";
import { shownAttempt, type MessageAttempt } from "./attempt.ts";
import { selectAttempts } from "./store.ts";

/** A page of a message's attempts, newest first. */
export async function listMessageAttempts(
  { scope, db }: Needs<"scope" | "db">,
  id: string,
  asked: Page,
): Promise<PageOf<MessageAttempt>> {
  const message = await findMessage(db, scope.teamId, id);
  if (!message) throw notFound("Message", id);
  const page = await selectAttempts(db, { teamId: scope.teamId, messageId: message.id }, asked);
  return { ...page, items: page.items.map(shownAttempt) };
}

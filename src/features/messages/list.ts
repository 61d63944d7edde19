import type { Needs } from "../../clients/context.ts";
import type { Page, PageOf } from "../../core/page.ts";
import { shownMessage, type OutgoingMessage } from "./message.ts";
import { selectMessages, type MessageFilter } from "./store.ts";

/** A page of the team's messages, newest first. */
export async function listMessages(
  { scope, db }: Needs<"scope" | "db">,
  filter: MessageFilter,
  asked: Page,
): Promise<PageOf<OutgoingMessage>> {
  const page = await selectMessages(db, scope.teamId, filter, asked);
  return { ...page, items: page.items.map(shownMessage) };
}

import type { Needs } from "../../clients/context.ts";
import { notFound } from "../../core/problem.ts";
import { shownMessage, type OutgoingMessage } from "./message.ts";
import { findMessage } from "./store.ts";

export async function getMessage({ scope, db }: Needs<"scope" | "db">, id: string): Promise<OutgoingMessage> {
  const message = await findMessage(db, scope.teamId, id);
  if (!message) throw notFound("Message", id);
  return shownMessage(message);
}

import type { Needs } from "../../../clients/context.ts";
import type { Sent } from "../../../core/messages.ts";
import { afterAttempt, type Message } from "../message.ts";
import { saveMessage } from "../store.ts";
import { deleteRequest, setAnswer } from "./store.ts";

/**
 * Records what came of a message whose request has made its one attempt itself. A request that has sent nothing gives
 * its name back: its caller may repeat it. Never throws: a message without a record ends as `unknown`, and so do the
 * repeats of its request.
 */
export async function settleMessage(
  { db }: Needs<"db">,
  message: Message,
  { sent, answer, now }: { sent: Sent; answer: object | undefined; now: Date },
): Promise<void> {
  // The platform repeats nothing here.
  const outcome: Sent = sent.kind === "failed" ? { kind: "refused", error: sent.error } : sent;
  const next = afterAttempt(message, outcome, { isRepeatable: false, now });
  try {
    await db.batch([
      saveMessage(db, message, next),
      ...(answer ? [setAnswer(db, message, JSON.stringify(answer))] : []),
      ...(outcome.kind === "refused" ? [deleteRequest(db, message)] : []),
    ]);
  } catch (error) {
    const { teamId, id } = message;
    console.error(JSON.stringify({ event: "message_not_settled", teamId, id, cause: String(error) }));
  }
}

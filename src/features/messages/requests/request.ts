// The noun: a program's request to send something, which its caller has named by an `Idempotency-Key`. A repeat of it
// sends nothing.

import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import type { messageRequests } from "../../../platform/db/schema/message-schema.ts";
import { MESSAGE_LIMITS } from "../limits.ts";
import type { Message } from "../message.ts";

export type MessageRequest = typeof messageRequests.$inferSelect;
export type NamedRequest = Omit<MessageRequest, "messageId" | "answer">;

/** What is kept of the first request of a name: its answer, once there is one, and the first message it made. */
export type EarlierRequest = Pick<MessageRequest, "bodyHash" | "answer"> & {
  message: Pick<Message, "endedAt" | "dueAt" | "error">;
};

/** For the document of operations that take the header. */
export const IDEMPOTENCY_KEY = {
  "Idempotency-Key":
    `Names the request: 1 to ${REQUEST_LIMITS.idempotencyKeyCharactersMax} printable ASCII characters without spaces. A repeat ` +
    "by the same user gets the first answer and sends nothing; with another body, or while the first is under way, it " +
    `is 409. Kept for as long as the message is: ${MESSAGE_LIMITS.keptMs / 86_400_000} days after its end.`,
};

/** Undefined where the caller has named nothing. A name is one of its user's, whichever key or run sends it. */
export async function nameRequest(
  { teamId, userId: callerId }: Pick<Scope, "teamId" | "userId">,
  { key, operation, body }: { key: string | undefined; operation: string; body: object },
): Promise<NamedRequest | undefined> {
  if (key === undefined) return undefined;
  return { teamId, callerId, key, bodyHash: await sha256Hex(JSON.stringify([operation, body])) };
}

export const otherBody = (): Problem =>
  new Problem(
    "resource_conflict",
    "This Idempotency-Key was sent before, with another body or to another operation. Name another request by another key.",
  );

export const underWay = (): Problem =>
  Object.assign(new Problem("work_in_progress", "A request with this Idempotency-Key is still being worked on."), {
    retryAfterSeconds: MESSAGE_LIMITS.repeatAfterSeconds,
  });

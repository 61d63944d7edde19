// The noun: one attempt to send a message, and what came of it. Pure.

import { z } from "@hono/zod-openapi";
import type { Sent } from "../../../core/messages.ts";
import { cutText } from "../../../core/text/cut-text.ts";
import { oneLine } from "../../../core/text/one-line.ts";
import { ATTEMPT_OUTCOMES, type messageAttempts } from "../../../platform/db/schema/message-schema.ts";
import { MESSAGE_LIMITS } from "../limits.ts";
import { BROKE_OFF, type Message } from "../message.ts";

const instant = z.iso.datetime();

export const MessageAttempt = z
  .object({
    attempt: z.number().int().openapi({ description: "From 1; a message that is sent again counts from 1 again." }),
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .openapi({ description: "`refused`: it will never be taken. `unknown`: nobody knows whether it arrived." }),
    status: z
      .number()
      .int()
      .nullable()
      .openapi({ description: "An event's: what the host answered; null for no answer, and on other channels." }),
    response: z
      .string()
      .nullable()
      .openapi({ description: `The first ${MESSAGE_LIMITS.excerptCharactersMax} characters of that answer's body.` }),
    error: z.string().nullable(),
    started_at: instant,
    duration_ms: z.number().int().nullable().openapi({ description: "Null: the attempt broke off." }),
  })
  .openapi("MessageAttempt");
export type MessageAttempt = z.infer<typeof MessageAttempt>;

/** An attempt is its row. */
export type Attempt = typeof messageAttempts.$inferSelect;

/** `message`: as it is once the outcome is recorded. */
export const attemptOf = (message: Message, sent: Sent, durationMs: number): Attempt => ({
  ...nameOf(message),
  outcome: sent.kind,
  status: sent.answer?.status ?? null,
  excerpt: sent.answer === undefined ? null : cutText(sent.answer.excerpt, MESSAGE_LIMITS.excerptCharactersMax),
  error: sent.kind === "sent" ? null : oneLine(sent.error, MESSAGE_LIMITS.errorCharactersMax),
  startedAt: message.attemptedAt ?? message.createdAt,
  durationMs: Math.max(0, Math.round(durationMs)),
});

/** The attempt that a message's claim was left behind by. */
export const brokenAttemptOf = (seen: Message, next: Message): Attempt => ({
  ...nameOf(next),
  ...{ attempt: seen.attempts, outcome: "unknown", status: null, excerpt: null, error: BROKE_OFF, durationMs: null },
  startedAt: seen.attemptedAt ?? seen.createdAt,
});

const nameOf = ({ teamId, id, revision, attempts }: Message) => ({
  ...{ messageId: id, teamId, revision, attempt: attempts },
});

export const shownAttempt = ({ attempt, outcome, status, excerpt, error, ...row }: Attempt): MessageAttempt => ({
  ...{ attempt, outcome, status, response: excerpt, error },
  started_at: row.startedAt,
  duration_ms: row.durationMs,
});

import { z } from "@hono/zod-openapi";
import { newId } from "../../core/ids.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import type { MessageContent, Sent } from "../messages/content.ts";
import { testEvent } from "./events/event.ts";
import { requireDestination } from "./find.ts";
import { DESTINATION_LIMITS } from "./limits.ts";
import { sendToDestination, type SendDeps } from "./send/send.ts";
import { markTested, mayBeTested } from "./store.ts";

const OUTCOMES = ["sent", "refused", "failed", "unknown"] as const satisfies Sent["kind"][];

export const DestinationTest = z
  .object({
    message_id: z.uuid().openapi({ description: "The `webhook-id` of the message." }),
    outcome: z
      .enum(OUTCOMES)
      .openapi({
        description:
          "`sent`: the host took it; `refused`: it never will; `failed`: it may later; `unknown`: nobody knows.",
      }),
    error: z.string().nullable(),
  })
  .openapi("DestinationTest");
export type DestinationTest = z.infer<typeof DestinationTest>;

/** Sends a test message at once, a single time, and answers what came of it. */
export async function testDestination(ctx: SendDeps & Needs<"scope">, id: string): Promise<DestinationTest> {
  const { scope, db } = ctx;
  const row = await requireDestination(ctx, id);
  const at = scope.now.toISOString();
  const before = new Date(scope.now.getTime() - DESTINATION_LIMITS.testEveryMs).toISOString();
  const messageId = newId(scope.now);
  const [, marked] = await db.batch([
    recordAuditIf(db, scope, {
      action: "destination.test",
      subjectId: row.id,
      when: mayBeTested(row, before),
      after: { message_id: messageId },
    }),
    markTested(db, row, { at, before }),
  ]);
  if (marked.length === 0)
    throw new Problem(
      "too_many_requests",
      `A destination is sent a test every ${DESTINATION_LIMITS.testEveryMs / 1_000} seconds at most.`,
    );
  const message = { teamId: scope.teamId, destinationId: row.id, messageId, channel: row.kind };
  const payload = row.kind === "events" ? testEvent(row.id, scope.now) : null;
  const sent = await sendToDestination(ctx, { ...message, payload }, TEST_CONTENT, scope.now);
  return { message_id: messageId, outcome: sent.kind, error: sent.kind === "sent" ? null : sent.error };
}

const TEST_CONTENT: MessageContent = {
  subject: "A test message",
  text: "Messages of deliveries arrive here.",
  html: null,
  tables: [],
  files: [],
  links: [],
};

// /v4/messages: the log of what went out, and of what is on its way.

import { z } from "@hono/zod-openapi";
import { enveloped, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { MESSAGE_STATES } from "../../platform/db/schema/message-schema.ts";
import { getMessage } from "./get.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import { listMessages } from "./list.ts";
import { OutgoingMessage } from "./message.ts";
import { MessageAttempt } from "./attempts/attempt.ts";
import { listMessageAttempts } from "./attempts/list.ts";
import { replayMessage } from "./replay/replay-message.ts";
import { OUTBOUND_EVENT_TYPES } from "../../core/events/outbound-event-types.ts";

export const messages = createRouter(["Messages", "Extensions"]);

messages.operation("listMessages", "GET /", {
  permission: "team:manage",
  summary: "List what went out, and what is on its way",
  description: `On all channels, newest first. Kept for ${MESSAGE_LIMITS.keptMs / 86_400_000} days after its end.`,
  query: z.strictObject({
    ...pageParameters({ limitMax: 100, limitDefault: 50 }),
    state: z.enum(MESSAGE_STATES).optional(),
    delivery_id: z.uuid().optional().openapi({ description: "The messages of one delivery." }),
    destination_id: z
      .uuid()
      .transform((id) => id.toLowerCase())
      .optional()
      .openapi({ type: "string", format: "uuid", description: "The events that go to one destination." }),
    event_type: z.enum(OUTBOUND_EVENT_TYPES).optional(),
  }),
  answer: enveloped("A page, newest first", pageOf("OutgoingMessagePage", OutgoingMessage)),
  run: (ctx, { query }) => {
    const { state, delivery_id: deliveryId, destination_id: destinationId, event_type: eventType, ...page } = query;
    return listMessages(ctx, { state, deliveryId, destinationId, eventType }, page);
  },
});

messages.operation("getMessage", "GET /{message_id}", {
  permission: "team:manage",
  summary: "Get a message",
  description: "Where it goes, and what came of it.",
  params: z.object({ message_id: z.string() }),
  answer: enveloped("The message", OutgoingMessage),
  run: (ctx, { params }) => getMessage(ctx, params.message_id),
});

messages.operation("listMessageAttempts", "GET /{message_id}/attempts", {
  permission: "team:manage",
  summary: "List the attempts to send a message",
  description: "Newest first, with what came of each, and of an event with what its receiver answered.",
  params: z.object({ message_id: z.string() }),
  query: z.strictObject(pageParameters({ limitMax: 100, limitDefault: 50 })),
  answer: enveloped("A page, newest first", pageOf("MessageAttemptPage", MessageAttempt)),
  run: (ctx, { params, query }) => listMessageAttempts(ctx, params.message_id, query),
});

messages.operation("replayMessage", "POST /{message_id}/replay", {
  permission: "team:manage",
  audit: "message.replay",
  summary: "Send an event again",
  description:
    "Under its id, whether it was taken or given up; its attempts are counted from one. Other messages are not sent again.",
  params: z.object({ message_id: z.string() }),
  answer: enveloped("The message", OutgoingMessage),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => replayMessage(ctx, params.message_id),
});

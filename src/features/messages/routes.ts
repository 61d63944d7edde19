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

export const messages = createRouter(["Messages", "Extensions"]);

messages.operation("listMessages", "GET /", {
  permission: "team:manage",
  summary: "List what went out, and what is on its way",
  description: `On all channels, newest first. Kept for ${MESSAGE_LIMITS.keptMs / 86_400_000} days after its end.`,
  query: z.strictObject({
    ...pageParameters({ limitMax: 100, limitDefault: 50 }),
    state: z.enum(MESSAGE_STATES).optional(),
    delivery_id: z.uuid().optional().openapi({ description: "The messages of one delivery." }),
  }),
  answer: enveloped("A page, newest first", pageOf("OutgoingMessagePage", OutgoingMessage)),
  run: (ctx, { query: { state, delivery_id: deliveryId, ...page } }) => listMessages(ctx, { state, deliveryId }, page),
});

messages.operation("getMessage", "GET /{message_id}", {
  permission: "team:manage",
  summary: "Get a message",
  description: "Where it goes, and what came of it.",
  params: z.object({ message_id: z.string() }),
  answer: enveloped("The message", OutgoingMessage),
  run: (ctx, { params }) => getMessage(ctx, params.message_id),
});

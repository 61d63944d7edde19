// /v4/admin/outbox: the mails that `npm start` keeps instead of sending them. A deployment has none.

import { z } from "@hono/zod-openapi";
import { enveloped } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { listOutboxMails, OutboxMail, readOutboxMail } from "./outbox.ts";

export const mailOutbox = createRouter(["Mail", "Extensions"]);

const pathOf = (request: Request): string => new URL(request.url).pathname;

mailOutbox.operation("listOutboxMails", "GET /", {
  permission: "platform:operate",
  summary: "List the mails of the local outbox",
  description: "Newest first, the last 200. On a developer's machine alone: a deployment answers 404.",
  answer: enveloped("The mails", z.object({ items: z.array(OutboxMail) }).openapi("OutboxMails")),
  fails: ["resource_not_found"],
  run: (ctx) => listOutboxMails(ctx, pathOf(ctx.request)),
});

mailOutbox.rawOperation("readOutboxMail", "GET /{mail_id}", {
  permission: "platform:operate",
  summary: "Read a mail of the local outbox",
  description: "As it would have been sent.",
  params: z.object({ mail_id: z.string() }),
  responses: { 200: { description: "The mail", content: { "message/rfc822": { schema: z.string() } } } },
  async respond(ctx, { params }) {
    const raw = await readOutboxMail(ctx, params.mail_id, pathOf(ctx.request));
    return new Response(raw, { headers: { "Content-Type": "message/rfc822" } });
  },
});

// /mail: where the links in mails lead to. GET shows a page and does nothing else; POST, by its button, acts.

import { z } from "@hono/zod-openapi";
import type { AnswerDocument } from "../../../http/answer.ts";
import { failuresOf } from "../../../http/failures.ts";
import { answerLink, answerPage } from "../../../http/pages/page.ts";
import { createRouter } from "../../../http/router.ts";
import { confirmMailAddress, requireAsked } from "./confirm.ts";
import { askPage, confirmedPage, FAILED_TITLE, SUBSCRIBED_PAGE, unsubscribedPage, unsubscribePage } from "./pages.ts";
import { subscribeToMail, unsubscribeFromMail } from "./unsubscribe.ts";

export const mailLinks = createRouter(["Mail", "Extensions"]);

const LinkPath = z.object({ token: z.string() });
const page: AnswerDocument = { description: "The page", content: { "text/html": { schema: z.string() } } };
const failure = failuresOf("v4", [], { names: true, hasBody: false, isOpen: true })[404]!;
const notFound = { ...failure, content: { ...failure.content, ...page.content } };

mailLinks.rawOperation("showMailConfirmation", "GET /confirm/{token}", {
  permission: "everybody",
  summary: "Open the link by which an address allows a team's mail",
  description: "A page with a button. Nothing happens before it is pressed: mail scanners open links, too.",
  params: LinkPath,
  responses: { 200: page, 404: notFound },
  respond: (ctx, { params }) =>
    answerLink(ctx, FAILED_TITLE, async () => askPage(await requireAsked(ctx, params.token, new Date()))),
});

mailLinks.rawOperation("confirmMailAddress", "POST /confirm/{token}", {
  permission: "everybody",
  audit: "none",
  summary: "Allow a team's mail to an address",
  description: "The link is known to the address's holder alone. It works until its end, and more than once.",
  params: LinkPath,
  responses: { 200: page, 404: notFound },
  respond: (ctx, { params }) =>
    answerLink(ctx, FAILED_TITLE, async () => confirmedPage(await confirmMailAddress(ctx, params.token, new Date()))),
});

mailLinks.rawOperation("showUnsubscribing", "GET /unsubscribe/{token}", {
  permission: "everybody",
  summary: "Open the link by which mail ends",
  description: "A page with a button, the same whatever the link is.",
  params: LinkPath,
  responses: { 200: page },
  respond: (ctx, { params }) => answerPage(ctx, unsubscribePage(params.token), 200),
});

mailLinks.rawOperation("unsubscribeFromMail", "POST /unsubscribe/{token}", {
  permission: "everybody",
  audit: "none",
  summary: "End a team's mail to an address",
  description: "Mail programs send it themselves (RFC 8058). The answer is the same whatever the link is.",
  params: LinkPath,
  responses: { 200: page },
  async respond(ctx, { params }) {
    await unsubscribeFromMail(ctx, params.token, new Date());
    return answerPage(ctx, unsubscribedPage(params.token), 200);
  },
});

mailLinks.rawOperation("subscribeToMail", "POST /subscribe/{token}", {
  permission: "everybody",
  audit: "none",
  summary: "Have a team's mail come again",
  description: "After unsubscribing, by the same link. It allows no mail that was not allowed before.",
  params: LinkPath,
  responses: { 200: page },
  async respond(ctx, { params }) {
    await subscribeToMail(ctx, params.token, new Date());
    return answerPage(ctx, SUBSCRIBED_PAGE, 200);
  },
});

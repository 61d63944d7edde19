// GET /sign-in/{token} shows a page and does nothing else; POST, by its button, makes a key of the link.

import { z } from "@hono/zod-openapi";
import { enveloped, envelope } from "../../../http/answer.ts";
import { failuresOf } from "../../../http/failures.ts";
import { answerLink } from "../../../http/pages/page.ts";
import { createRouter } from "../../../http/router.ts";
import { exchangeMagicLink, requireMagicLink } from "./exchange.ts";
import { SignedIn } from "./magic-link.ts";
import { FAILED_TITLE, SIGN_IN_PAGE, signedInPage } from "./page.ts";

export const signIn = createRouter(["Teams", "Extensions"]);

const LinkPath = z.object({ token: z.string() });
const page = { "text/html": { schema: z.string() } };

const done = enveloped("The key, shown this once, and whose it is", SignedIn).document;
const failure = failuresOf("v4", [], { names: true, hasBody: false, isOpen: true })[404]!;
const notFound = { ...failure, content: { ...failure.content, ...page } };

signIn.rawOperation("showSignIn", "GET /{token}", {
  permission: "everybody",
  summary: "Open a link that signs in",
  description:
    "A page with a button. Nothing happens before it is pressed: mail scanners open links, too. A link that was used, " +
    "or has ended, answers 404 with a page that says so.",
  params: LinkPath,
  responses: { 200: { description: "The page", content: page }, 404: notFound },
  fails: ["too_many_requests"],
  respond: (ctx, { params }) =>
    answerLink(ctx, FAILED_TITLE, async () => {
      await requireMagicLink(ctx, params.token, new Date());
      return SIGN_IN_PAGE;
    }),
});

signIn.rawOperation("exchangeMagicLink", "POST /{token}", {
  permission: "everybody",
  audit: "magic_link.use",
  summary: "Make a key of a link that signs in",
  description:
    "Once; the key is the admin's for whom the link was made, and ends after some hours. A page for who accepts " +
    "`text/html`, JSON for all others.",
  params: LinkPath,
  responses: { 200: { ...done, content: { ...done.content, ...page } }, 404: notFound },
  async respond(ctx, { params }) {
    const use = { token: params.token, requestId: ctx.requestId, now: new Date() };
    if (!/\btext\/html\b/i.test(ctx.request.headers.get("accept") ?? ""))
      return Response.json(envelope(ctx, await exchangeMagicLink(ctx, use)));
    return answerLink(ctx, FAILED_TITLE, async () => signedInPage(await exchangeMagicLink(ctx, use)));
  },
});

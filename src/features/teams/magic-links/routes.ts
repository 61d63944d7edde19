// GET /sign-in/{token} shows a page and does nothing else; POST, by its button, makes a key of the link.

import { z } from "@hono/zod-openapi";
import { isProblem } from "../../../core/problem.ts";
import { toHex } from "../../../core/encoding.ts";
import { enveloped, envelope } from "../../../http/answer.ts";
import type { OpenContext } from "../../../http/call.ts";
import { failuresOf } from "../../../http/failures.ts";
import { createRouter } from "../../../http/router.ts";
import { exchangeMagicLink, requireMagicLink } from "./exchange.ts";
import { SignedIn } from "./magic-link.ts";
import { showSignIn, failedPage, pagePolicy, signedInPage } from "./page.ts";

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
    orFailedPage(ctx, async () => {
      await requireMagicLink(ctx, params.token, new Date());
      return showSignIn;
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
    return orFailedPage(ctx, async () => {
      const signedIn = await exchangeMagicLink(ctx, use);
      return (nonce) => signedInPage(nonce, signedIn);
    });
  },
});

type Page = (nonce: string) => ReturnType<typeof showSignIn>;

/** The page of a link that works, or the one that says that it does not. */
async function orFailedPage(ctx: OpenContext, open: () => Promise<Page>): Promise<Response> {
  try {
    return await answerPage(ctx, await open(), 200);
  } catch (error) {
    if (!isProblem(error) || error.code !== "resource_not_found") throw error;
    return answerPage(ctx, (nonce) => failedPage(nonce, error.message), 404);
  }
}

async function answerPage(ctx: OpenContext, render: Page, status: 200 | 404): Promise<Response> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  ctx.overrideHeaders({ "Content-Security-Policy": pagePolicy(nonce) });
  const headers = { "Content-Type": "text/html; charset=UTF-8" };
  return new Response(String(await render(nonce)), { status, headers });
}

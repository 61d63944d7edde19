// GET /sign-in/{token} shows a page and does nothing else; POST, by its button, makes a key of the link.

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isProblem } from "../../../core/problem.ts";
import { toHex } from "../../../core/encoding.ts";
import { enveloped, envelope, failsOnly } from "../../../http/answer.ts";
import { clientsOf } from "../../../http/app-env.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import { exchangeMagicLink } from "./exchange.ts";
import { SignedIn } from "./magic-link.ts";
import { showSignIn, failedPage, pagePolicy, signedInPage } from "./page.ts";

export const signIn = createRouter();

const LinkPath = z.object({ token: z.string() });
const TAGS = ["Teams", "Extensions"];
const page = { "text/html": { schema: z.string() } };

signIn.openapi(
  createRoute({
    method: "get",
    path: "/{token}",
    operationId: "showSignIn",
    summary: "Open a link that signs in",
    description: "A page with a button. Nothing happens before it is pressed: mail scanners open links, too.",
    tags: TAGS,
    security: [],
    request: { params: LinkPath },
    responses: { 200: { description: "The page", content: page }, ...failsOnly("too_many_requests", "internal_error") },
  }),
  (c) => answerPage(c, showSignIn, 200),
);

const done = enveloped("The key, shown this once, and whose it is", SignedIn);
const failures = failsOnly("resource_not_found", "internal_error");

signIn.openapi(
  createRoute({
    method: "post",
    path: "/{token}",
    operationId: "exchangeMagicLink",
    summary: "Make a key of a link that signs in",
    description:
      "Once; the key is the admin's for whom the link was made, and ends after some hours. A page for who accepts " +
      "`text/html`, JSON for all others.",
    tags: TAGS,
    security: [],
    request: { params: LinkPath },
    responses: {
      200: { ...done, content: { ...done.content, ...page } },
      404: { ...failures[404], content: { ...failures[404].content, ...page } },
      500: failures[500],
    },
  }),
  async (c) => {
    const use = { token: c.req.param("token") ?? "", requestId: c.get("requestId"), now: new Date() };
    if (!/\btext\/html\b/i.test(c.req.header("accept") ?? ""))
      return c.json(envelope(c, await exchangeMagicLink(clientsOf(c), use)), 200);
    try {
      const signedIn = await exchangeMagicLink(clientsOf(c), use);
      return answerPage(c, (nonce) => signedInPage(nonce, signedIn), 200);
    } catch (error) {
      if (!isProblem(error) || error.code !== "resource_not_found") throw error;
      return answerPage(c, (nonce) => failedPage(nonce, error.message), 404);
    }
  },
);

function answerPage(c: Context<AppEnv>, render: (nonce: string) => ReturnType<typeof showSignIn>, status: 200 | 404) {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  c.set("headerOverrides", { "Content-Security-Policy": pagePolicy(nonce) });
  return c.html(render(nonce), status);
}

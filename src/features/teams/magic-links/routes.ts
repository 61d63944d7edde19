// GET /sign-in/{token} shows a page and does nothing else; POST, by its button, makes a key of the link.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isProblem } from "../../../core/problem.ts";
import { toHex } from "../../../core/encoding.ts";
import { enveloped, envelope, failsOnly } from "../../../http/answer.ts";
import { clientsOf } from "../../../http/app-env.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import { exchangeMagicLink, requireMagicLink } from "./exchange.ts";
import { SignedIn } from "./magic-link.ts";
import { showSignIn, failedPage, pagePolicy, signedInPage } from "./page.ts";

export const signIn = createRouter();

const LinkPath = z.object({ token: z.string() });
const TAGS = ["Teams", "Extensions"];
const page = { "text/html": { schema: z.string() } };

const done = enveloped("The key, shown this once, and whose it is", SignedIn);
const failures = failsOnly("resource_not_found", "internal_error");

signIn.openapi(
  operation({
    method: "get",
    path: "/{token}",
    operationId: "showSignIn",
    summary: "Open a link that signs in",
    description:
      "A page with a button. Nothing happens before it is pressed: mail scanners open links, too. A link that was used, " +
      "or has ended, answers 404 with a page that says so.",
    tags: TAGS,
    permission: "everybody",
    request: { params: LinkPath },
    responses: {
      200: { description: "The page", content: page },
      404: { ...failures[404], content: { ...failures[404].content, ...page } },
      ...failsOnly("too_many_requests", "internal_error"),
    },
  }),
  (c) =>
    orFailedPage(c, async () => {
      await requireMagicLink(clientsOf(c), c.req.param("token"), new Date());
      return showSignIn;
    }),
);

signIn.openapi(
  operation({
    method: "post",
    path: "/{token}",
    operationId: "exchangeMagicLink",
    summary: "Make a key of a link that signs in",
    description:
      "Once; the key is the admin's for whom the link was made, and ends after some hours. A page for who accepts " +
      "`text/html`, JSON for all others.",
    tags: TAGS,
    permission: "everybody",
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
    return orFailedPage(c, async () => {
      const signedIn = await exchangeMagicLink(clientsOf(c), use);
      return (nonce) => signedInPage(nonce, signedIn);
    });
  },
);

type Page = (nonce: string) => ReturnType<typeof showSignIn>;

/** The page of a link that works, or the one that says that it does not. */
async function orFailedPage(c: Context<AppEnv>, open: () => Promise<Page>) {
  try {
    return answerPage(c, await open(), 200);
  } catch (error) {
    if (!isProblem(error) || error.code !== "resource_not_found") throw error;
    return answerPage(c, (nonce) => failedPage(nonce, error.message), 404);
  }
}

function answerPage(c: Context<AppEnv>, render: Page, status: 200 | 404) {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  c.set("headerOverrides", { "Content-Security-Policy": pagePolicy(nonce) });
  return c.html(render(nonce), status);
}

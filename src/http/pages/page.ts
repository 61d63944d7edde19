// Pages for people who follow a link. No script, nothing from elsewhere; what stands in them is escaped.

import { html } from "hono/html";
import { toHex } from "../../core/encoding.ts";
import { isProblem } from "../../core/problem.ts";
import type { OpenContext } from "../call.ts";

export type PageContent = ReturnType<typeof html>;
export type Page = { title: string; content: PageContent };

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}" +
  "button{font:inherit;padding:.5rem 1.5rem}code{display:block;padding:1rem;border:1px solid;overflow-wrap:anywhere}";

/** Nothing but its own style and a form that posts to the same place. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export async function answerPage(ctx: OpenContext, { title, content }: Page, status: 200 | 404): Promise<Response> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  ctx.overrideHeaders({ "Content-Security-Policy": policyOf(nonce) });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`;
  return new Response(String(await page), { status, headers: { "Content-Type": "text/html; charset=UTF-8" } });
}

/** The page that is opened; where its link leads to nothing (any more), one that says so, with 404. */
export async function answerLink(ctx: OpenContext, failedTitle: string, open: () => Promise<Page>): Promise<Response> {
  try {
    return await answerPage(ctx, await open(), 200);
  } catch (error) {
    if (!isProblem(error) || error.code !== "resource_not_found") throw error;
    return answerPage(ctx, { title: failedTitle, content: html`<p>${error.message}</p>` }, 404);
  }
}

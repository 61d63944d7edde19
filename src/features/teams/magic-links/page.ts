// The pages of a link that signs in. No script, nothing from elsewhere; what stands in them is escaped.

import { html } from "hono/html";
import type { SignedIn } from "./magic-link.ts";

/** Nothing but its own style and a form that posts to the same place. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

type Content = ReturnType<typeof html>;

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}" +
  "button{font:inherit;padding:.5rem 1.5rem}code{display:block;padding:1rem;border:1px solid;overflow-wrap:anywhere}";

const pageOf = (nonce: string, title: string, content: Content): Content =>
  html`<!doctype html>
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

/** The page of a link that works. Opening it, as a mail scanner does, does not use the link. */
export const showSignIn = (nonce: string): Content =>
  pageOf(
    nonce,
    "Sign in",
    html`<p>This link signs you in once, as an admin of your team. You are shown an API key that works for a few hours.</p>
<form method="post"><button type="submit">Sign in</button></form>`,
  );

export const signedInPage = (nonce: string, { team, user, api_key: key }: SignedIn): Content =>
  pageOf(
    nonce,
    "Signed in",
    html`<p>You are ${user.name} (${user.email}) of ${team.name}. This is your API key. It is shown this once, and works
until ${key.expires_at}.</p>
<code>${key.key}</code>`,
  );

export const failedPage = (nonce: string, message: string): Content =>
  pageOf(nonce, "Not signed in", html`<p>${message}</p>`);

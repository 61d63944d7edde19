// The pages of a link that signs in.

import { html } from "hono/html";
import type { Page } from "../../../http/pages/page.ts";
import type { SignedIn } from "./magic-link.ts";

/** The page of a link that works. Opening it, as a mail scanner does, does not use the link. */
export const SIGN_IN_PAGE: Page = {
  title: "Sign in",
  content: html`<p>This link signs you in once, as an admin of your team. You are shown an API key that works for a few hours.</p>
<form method="post"><button type="submit">Sign in</button></form>`,
};

export const signedInPage = ({ team, user, api_key: key }: SignedIn): Page => ({
  title: "Signed in",
  content: html`<p>You are ${user.name} (${user.email}) of ${team.name}. This is your API key. It is shown this once, and works
until ${key.expires_at}.</p>
<code>${key.key}</code>`,
});

export const FAILED_TITLE = "Not signed in";

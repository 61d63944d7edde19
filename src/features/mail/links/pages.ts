// The pages that links in mails lead to. Opening one does nothing: mail programs open links too.

import { html } from "hono/html";
import type { Page } from "../../../http/pages/page.ts";
import type { TeamAddress } from "./confirm.ts";
import { SUBSCRIBE_PATH, UNSUBSCRIBE_PATH } from "./links.ts";

export const FAILED_TITLE = "Not confirmed";

export const askPage = ({ teamName, address }: TeamAddress): Page => ({
  title: "Allow mail",
  content: html`<p>May the team "${teamName}" send mail to ${address}?</p>
<form method="post"><button type="submit">Allow it</button></form>`,
});

export const confirmedPage = ({ teamName, address }: TeamAddress): Page => ({
  title: "Mail is allowed",
  content: html`<p>The team "${teamName}" may send mail to ${address}. Each mail has a link that ends this.</p>`,
});

/** What is said is the same whatever the token is, so that nobody learns of an address by guessing. */
export const unsubscribePage = (token: string): Page => ({
  title: "Unsubscribe",
  content: html`<p>No more mail of this team is sent to you, but for links that you sign in with.</p>
<form method="post" action="${UNSUBSCRIBE_PATH}/${encodeURIComponent(token)}"><button type="submit">Unsubscribe</button></form>`,
});

export const unsubscribedPage = (token: string): Page => ({
  title: "You are unsubscribed",
  content: html`<p>No more mail of this team is sent to you. Was that a mistake?</p>
<form method="post" action="${SUBSCRIBE_PATH}/${encodeURIComponent(token)}"><button type="submit">Subscribe again</button></form>`,
});

export const SUBSCRIBED_PAGE: Page = {
  title: "You are subscribed",
  content: html`<p>Mail of this team is sent to you again.</p>`,
};

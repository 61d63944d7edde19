// Each mail ends with a footer.

import { html } from "hono/html";

const WORDS = "You get this mail because your address is in a team's list of receivers.";

export const textWithFooter = (text: string, unsubscribeUrl: string): string =>
  `${text.trimEnd()}\n\n-- \n${WORDS}\nUnsubscribe: ${unsubscribeUrl}\n`;

/** The footer stands behind the end of a whole document, too: programs that read HTML take it as the body's. */
export const htmlWithFooter = (content: string, unsubscribeUrl: string): string =>
  `${content}\n${String(html`<p style="font-size:12px;color:#767676">${WORDS} <a href="${unsubscribeUrl}">Unsubscribe</a></p>`)}\n`;

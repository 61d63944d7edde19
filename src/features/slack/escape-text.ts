// The form of text in which it stands for itself in Slack's mrkdwn. Pure.

/** Slack reads mentions and links from these three characters, and from nothing else. */
export const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

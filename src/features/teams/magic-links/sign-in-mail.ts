import { oneLine } from "../../../core/text/one-line.ts";

const NAME_CHARACTERS_MAX = 80;

/** The mail of a link that signs in. It comes to those who have unsubscribed, too: an operator was asked for it. */
export function signInMail(teamName: string, { url, expires_at: expiresAt }: { url: string; expires_at: string }) {
  const team = oneLine(teamName, NAME_CHARACTERS_MAX);
  const text = `This link signs you in, once, as an admin of the team "${team}":

${url}

It works until ${expiresAt}. If you did not ask for it, do nothing.
`;
  return { subject: `Sign in to the team "${team}"`, text, html: null, files: [], unsubscribeUrl: null };
}

import { oneLine } from "../../../core/text/one-line.ts";

const NAME_CHARACTERS_MAX = 80;

/** Links of one person into their teams. */
type SignInLink = { teamName: string; url: string };

/** The mail of links that sign in. It comes to those who have unsubscribed, too: it was asked for just now. */
export function signInMail(links: readonly SignInLink[], expiresAt: string) {
  const [first, ...others] = links.map(({ teamName, url }) => ({ team: oneLine(teamName, NAME_CHARACTERS_MAX), url }));
  const one = `This link signs you in to the team "${first?.team}", once:\n\n${first?.url}`;
  const many = [
    "Each of these links signs you in to one of your teams, once:",
    ...[first, ...others].map((link) => `${link?.team}\n${link?.url}`),
  ].join("\n\n");
  const isOne = others.length === 0;
  const text = `${isOne ? one : many}

${isOne ? "It works" : "They work"} until ${expiresAt}. If you did not ask for it, do nothing.
`;
  const subject = isOne ? `Sign in to the team "${first?.team}"` : "Sign in to your teams";
  return { subject, text, html: null, files: [], unsubscribeUrl: null };
}

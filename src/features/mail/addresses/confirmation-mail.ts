import { oneLine } from "../../../core/text/one-line.ts";
import { MAIL_LIMITS } from "../limits.ts";

type Question = { teamName: string; url: string; unsubscribeUrl: string };

const DAYS = MAIL_LIMITS.confirmationMs / 86_400_000;
const NAME_CHARACTERS_MAX = 80;

/** The question's fixed text. Nothing in it is of who asks but the team's name, which operators give. */
export function confirmationMail({ teamName, url, unsubscribeUrl }: Question): { subject: string; text: string } {
  const team = oneLine(teamName, NAME_CHARACTERS_MAX);
  return {
    subject: `May "${team}" send mail to this address?`,
    text: `The team "${team}" asks whether it may send mail to this address, such as reports on a schedule.

To allow it, open this page within ${DAYS} days, and confirm there:

${url}

If you do not know the team, do nothing: then no mail comes. To be asked by this team no more, open:

${unsubscribeUrl}
`,
  };
}

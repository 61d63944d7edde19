// The one way in which a team's mail leaves: within the team's bound of the day.

import type { Needs } from "../../clients/context.ts";
import type { Sent } from "../../core/messages.ts";
import { Problem } from "../../core/problem.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { MAIL_LIMITS } from "./limits.ts";
import { countMails, returnMail, takeMail } from "./store.ts";

const DAY_MS = 86_400_000;
const { mailsPerTeamAndDayMax: mailsMax } = MAIL_LIMITS;
const USED_UP = `A team sends ${mailsMax} mails a day (UTC) at most, and these are used up.`;

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Never throws for what the mail service answers. An attempt whose mail was not taken was none, and does not count: so
 * a mail counts once, however many attempts it takes.
 */
export async function sendMail({ db, mail: client }: Needs<"db" | "mail">, teamId: string, mail: Mail): Promise<Sent> {
  const day = dayOf(mail.at);
  if ((await takeMail(db, teamId, { day, mailsMax })).length === 0) return { kind: "refused", error: USED_UP };
  const sent = await client.send(mail);
  if (sent.kind === "refused" || sent.kind === "failed")
    await returnMail(db, teamId, day).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "mail_not_given_back", teamId, cause: String(error) })),
    );
  return sent;
}

/** Throws 503 where the platform sends no mail at all. */
export function requireMail({ mail }: Needs<"mail">): void {
  if (mail.kind !== "none") return;
  throw new Problem("mail_unavailable", "This platform sends no mail: whoever runs it has not set mail up.");
}

/** Throws 429 where so many more mails are past the bound of the day. */
export async function requireMailsLeft({ scope, db }: Needs<"scope" | "db">, mails: number): Promise<void> {
  const { teamId, now } = scope;
  if ((await countMails(db, teamId, dayOf(now))) + mails <= mailsMax) return;
  const problem = new Problem("too_many_requests", USED_UP);
  problem.retryAfterSeconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
  throw problem;
}

// The local outbox, read by a parser that shares no code with what makes the mails.

import { env } from "cloudflare:workers";
import PostalMime, { type Email } from "postal-mime";
import { openClients } from "../../../../src/clients/clients.ts";
import { MAIL_LIMITS } from "../../../../src/features/mail/limits.ts";

/** All mails to an address, the newest first. */
export async function mailsTo(address: string): Promise<Email[]> {
  const outbox = openClients(env).mail.outbox!;
  const entries = (await outbox.list()).filter(({ to }) => to === address);
  return Promise.all(entries.map(async ({ id }) => PostalMime.parse((await outbox.read(id))!)));
}

/** Throws where there is none. */
export async function lastMailTo(address: string): Promise<Email> {
  const [mail] = await mailsTo(address);
  if (!mail) throw new Error(`No mail went to ${address}.`);
  return mail;
}

/** The path of a mail's link below one of the paths of mails' links. */
export const linkIn = ({ text = "" }: Email, path: string): string =>
  new URL(new RegExp(`^https?://\\S+${path}/\\S+$`, "m").exec(text.replace(/^Unsubscribe: /m, ""))![0]).pathname;

/** The team has sent as many mails today as it may. */
export const useUpMails = (teamId: string, left = 0) =>
  env.DB.prepare("insert or replace into mail_days (team_id, day, mails) values (?, ?, ?)")
    .bind(teamId, new Date().toISOString().slice(0, 10), MAIL_LIMITS.mailsPerTeamAndDayMax - left)
    .run();

export const emailOf = async (userId: string): Promise<string> =>
  (await env.DB.prepare("select email from users where id = ?").bind(userId).first<string>("email"))!;

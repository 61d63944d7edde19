// Messages by e-mail. A mail has no id that its receiver would know again, so one whose attempt broke off is not
// repeated.

import type { Clients } from "../../../clients/clients.ts";
import type { Sent } from "../../../core/messages.ts";
import { unsubscribeUrlOf } from "../../mail/links/unsubscribe.ts";
import { findRecipients, RECIPIENT_REFUSALS } from "../../mail/recipients.ts";
import { sendMail } from "../../mail/send-mail.ts";
import type { MessageContent } from "../content.ts";
import type { Message } from "../message.ts";
import { readFiles } from "../read-files.ts";
import type { Transport } from "../transport.ts";
import { htmlWithFooter, textWithFooter } from "./footer.ts";

export const EMAIL_TRANSPORT: Transport = { isRepeatable: false, send: sendEmail };

/** Looks at the receiver again: who left the team or unsubscribed since the message was made gets none. */
async function sendEmail(clients: Clients, message: Message, content: MessageContent): Promise<Sent> {
  const { teamId, target: address } = message;
  let unsubscribeUrl: string;
  const at = new Date(message.attemptedAt ?? message.createdAt);
  try {
    const state = (await findRecipients(clients, teamId, [address])).get(address) ?? "unknown";
    if (state !== "allowed") return { kind: "refused", error: RECIPIENT_REFUSALS[state] };
    unsubscribeUrl = await unsubscribeUrlOf(clients, { teamId, address }, at);
  } catch (error) {
    console.error(JSON.stringify({ event: "mail_not_prepared", teamId, id: message.id, cause: String(error) }));
    return { kind: "failed", error: "The mail could not be prepared." };
  }
  const files = await readFiles(clients, message, content);
  if (!Array.isArray(files)) return files;
  const mail = {
    ...{ id: message.id, at, to: address, subject: content.subject, files, unsubscribeUrl },
    text: textWithFooter(content.text, unsubscribeUrl),
    html: content.html === null ? null : htmlWithFooter(content.html, unsubscribeUrl),
  };
  return sendMail(clients, teamId, mail);
}

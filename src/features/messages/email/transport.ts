// Messages by e-mail. A mail has no id that its receiver would know again, so one whose attempt broke off is not
// repeated.

import type { Clients } from "../../../clients/clients.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Sent } from "../../../core/messages.ts";
import type { MailFile } from "../../../platform/mail/mail.ts";
import { unsubscribeUrlOf } from "../../mail/links/unsubscribe.ts";
import { findRecipients, RECIPIENT_REFUSALS } from "../../mail/recipients.ts";
import { sendMail } from "../../mail/send-mail.ts";
import type { MessageContent, MessageFile } from "../content.ts";
import { MESSAGE_LIMITS } from "../limits.ts";
import type { Message } from "../message.ts";
import type { Transport } from "../transport.ts";
import { htmlWithFooter, textWithFooter } from "./footer.ts";

export const EMAIL_TRANSPORT: Transport = { isRepeatable: false, send: sendEmail };

/** Looks at the receiver again: who left the team or unsubscribed since the message was made gets none. */
async function sendEmail(clients: Clients, message: Message, content: MessageContent): Promise<Sent> {
  const { teamId, target: address } = message;
  let files: MailFile[];
  let unsubscribeUrl: string;
  const at = new Date(message.attemptedAt ?? message.createdAt);
  try {
    const state = (await findRecipients(clients, teamId, [address])).get(address) ?? "unknown";
    if (state !== "allowed") return { kind: "refused", error: RECIPIENT_REFUSALS[state] };
    const bytes = content.files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > MESSAGE_LIMITS.fileBytesMax)
      return { kind: "refused", error: `The files of a mail may have ${MESSAGE_LIMITS.fileBytesMax} bytes together.` };
    const read = await Promise.all(content.files.map((file) => readFile(clients, message, file)));
    files = read.filter((file) => file !== undefined);
    if (files.length < read.length) return { kind: "refused", error: "A file of the message is gone." };
    unsubscribeUrl = await unsubscribeUrlOf(clients, { teamId, address }, at);
  } catch (error) {
    console.error(JSON.stringify({ event: "mail_not_prepared", teamId, id: message.id, cause: String(error) }));
    return { kind: "failed", error: "The mail could not be prepared." };
  }
  const mail = {
    ...{ id: message.id, at, to: address, subject: content.subject, files, unsubscribeUrl },
    text: textWithFooter(content.text, unsubscribeUrl),
    html: content.html === null ? null : htmlWithFooter(content.html, unsubscribeUrl),
  };
  return sendMail(clients, teamId, mail, { isCounted: message.attempts > 1 });
}

/** Undefined where the file is gone, is another's than the team's, or is not what it was. */
async function readFile(
  { bucket }: Needs<"bucket">,
  { teamId }: Message,
  { name, mediaType, contentId, key, bytes }: MessageFile,
): Promise<MailFile | undefined> {
  if (!key.startsWith(`${teamId}/`)) return undefined;
  const object = await bucket.read(key);
  if (!object) return undefined;
  if (object.size !== bytes) {
    await object.body.cancel();
    return undefined;
  }
  return { name, mediaType, contentId, bytes: new Uint8Array(await new Response(object.body).arrayBuffer()) };
}

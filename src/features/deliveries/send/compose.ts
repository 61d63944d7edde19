// The messages of a run have one content for all its recipients, which is composed here. Nothing is written.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import type { MessageContent, MessageFile } from "../../messages/content.ts";
import { MESSAGE_LIMITS } from "../../messages/limits.ts";
import { MAIL_BYTES_MAX, mailBytesOf } from "../../../platform/mail/mail.ts";
import { messagePrefix, type Message } from "../../messages/message.ts";
import { describeCondition, type Judgement } from "../condition.ts";
import type { DeliveryRow } from "../delivery.ts";
import { composeMail } from "../render/mail/compose-mail.ts";
import { drawResults } from "./draw-results.ts";
import type { WrittenFile } from "./files.ts";
import { planLinks, type PlannedLink } from "./link-files.ts";
import type { OpenResults } from "./open-results.ts";
import { namesIn, type PlannedPart } from "./parts.ts";

type Composed = {
  delivery: DeliveryRow;
  judgement: Judgement;
  parts: readonly PlannedPart[];
  results: OpenResults;
  /** The first of the messages, whose objects all of them share. */
  first: Message;
};

/** `objects`: what is to be written for the messages, below the prefix of the first. */
export type Draft = { objects: { key: string; bytes: Uint8Array }[]; links: PlannedLink[] };

/** Throws the Problem of what is too large for a message. */
export async function composeDraft(ctx: Needs<"scope" | "settings">, composed: Composed): Promise<Draft> {
  const { delivery, judgement, first, results } = composed;
  const names = namesIn(composed.parts);
  results.requireReadable(names);
  const { parts, files: written } = await drawResults(delivery, composed.parts, results);
  const links = await planLinks(ctx, delivery, names);
  const files = written.map((file) => keptFile(first, file));
  const { condition, message, name } = delivery;
  const seen = condition && judgement.state ? describeCondition(condition, judgement.state) : null;
  const mail = composeMail({
    title: first.subject,
    intro: [seen, message].filter((text) => text !== null && text !== "").join("\n\n"),
    parts,
    links: links.map(({ shown }) => shown),
    footer: `This is the delivery ${name}.`,
    unsubscribeUrl: null,
  });
  requireMailable(delivery, { ...mail, fileBytes: files.map(({ bytes }) => bytes) });
  const content = { subject: first.subject, ...mail, files, links: links.map(({ shown }) => shown) };
  const objects = written.map(({ bytes }, at) => ({ key: files[at]!.key, bytes }));
  return { objects: [...objects, { key: first.contentKey, bytes: packed(content) }], links };
}

/** A file among the objects of a message, which go with it. */
const keptFile = (first: Message, { name, mediaType, bytes, contentId }: WrittenFile): MessageFile => ({
  ...{ name, mediaType, bytes: bytes.length, contentId },
  key: `${messagePrefix(first)}${contentId === null ? "file" : "picture"}-${crypto.randomUUID()}`,
});

/**
 * Throws the Problem of a mail that the mail service would refuse, a while after the run, for what it has with its
 * files.
 */
function requireMailable({ recipients }: DeliveryRow, mail: Parameters<typeof mailBytesOf>[0]): void {
  if (!recipients.some(({ channel }) => channel === "email")) return;
  const bytes = mailBytesOf(mail);
  if (bytes <= MAIL_BYTES_MAX) return;
  throw new Problem(
    "validation_failed",
    `A mail may have ${MAIL_BYTES_MAX} bytes as it is sent, and with its files this one would have ${bytes}. Send links, ` +
      "or fewer tiles or datasets.",
  );
}

/** Throws the Problem of a content that no channel would read. */
function packed(content: MessageContent): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  if (bytes.length <= MESSAGE_LIMITS.contentBytesMax) return bytes;
  throw new Problem(
    "validation_failed",
    `The message would have ${bytes.length} bytes without its files, and may have ${MESSAGE_LIMITS.contentBytesMax}. ` +
      "Send fewer tiles, or datasets.",
  );
}

// The webhook of a Teams workflow, "post to a channel when a webhook request is received": it takes Adaptive Cards.

import type { Received, Reply } from "./mailbox.ts";

type Attachment = { contentType?: string; content?: { type?: string; version?: string; body?: unknown[] } };

const BYTES_MAX = 28 * 1_024;

export function answerTeams({ headers, body }: Received): Reply {
  if (!headers["content-type"]?.startsWith("application/json")) return { status: 415, body: "" };
  if (Buffer.byteLength(body) > BYTES_MAX) return { status: 413, body: "" };
  const { type, attachments = [] } = JSON.parse(body) as { type?: string; attachments?: Attachment[] };
  const [{ contentType, content } = {}] = attachments;
  const isCard =
    type === "message" &&
    contentType === "application/vnd.microsoft.card.adaptive" &&
    content?.type === "AdaptiveCard" &&
    ["1.2", "1.3", "1.4", "1.5"].includes(content.version ?? "") &&
    (content.body?.length ?? 0) > 0;
  return { status: isCard ? 202 : 400, body: "" };
}

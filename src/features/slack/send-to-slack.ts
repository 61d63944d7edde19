// The transport of deliveries to Slack.

import { isProblem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { openSlackToken } from "../integrations/slack/open-token.ts";
import type { MessageContent, Sent } from "../messages/content.ts";
import { slackPostOf } from "./blocks.ts";
import { postToSlack, type Posted } from "./post.ts";
import type { Cause } from "./refusals.ts";

export type SlackPlace = { teamId: string; integrationId: string; channelId: string; threadTs?: string | undefined };

/** Posts a message's content once; attached files stay behind. An integration that is gone refuses it. */
export async function sendToSlack(
  deps: Needs<"db" | "vault" | "callSlack">,
  { teamId, integrationId, channelId: channel, threadTs: thread_ts }: SlackPlace,
  content: MessageContent,
): Promise<Sent> {
  const token = await openSlackToken({ ...deps, scope: { teamId } }, integrationId).catch((error: unknown) => {
    if (isProblem(error)) return { refusal: error.message };
    throw error;
  });
  if (typeof token !== "string") return { kind: "refused", error: token.refusal };
  return sentOf(await postToSlack(deps, token, { channel, ...slackPostOf(content), thread_ts }));
}

const KINDS: Record<Cause, "refused" | "failed" | "unknown"> = {
  message: "refused",
  token: "refused",
  later: "failed",
  uncertain: "unknown",
};

/** What a post to Slack is to the log of messages. */
export function sentOf(posted: Posted): Sent {
  if (posted.kind === "posted") return { kind: "sent", reference: `${posted.channel}/${posted.ts}` };
  const { cause, message: error, retryAfterMs } = posted;
  const kind = KINDS[cause];
  return kind === "failed" && retryAfterMs !== undefined ? { kind, error, retryAfterMs } : { kind, error };
}

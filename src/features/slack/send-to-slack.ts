// The transport of deliveries to Slack.

import { isProblem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { openSlackToken } from "../integrations/slack/open-token.ts";
import type { MessageContent, Sent } from "../messages/content.ts";
import { readFiles } from "../messages/read-files.ts";
import { slackPostOf } from "./blocks.ts";
import { shareFiles, uploadFiles } from "./files.ts";
import { postToSlack, type Posted } from "./post.ts";
import type { Cause } from "./refusals.ts";

export type SlackPlace = { teamId: string; integrationId: string; channelId: string; threadTs?: string | undefined };

/**
 * Posts a message's content once, and its pictures and files below it. What Slack will not take of these stays behind,
 * and the message says so. An integration that is gone refuses it.
 */
export async function sendToSlack(
  deps: Needs<"db" | "vault" | "bucket" | "callSlack" | "uploadToSlack">,
  { teamId, integrationId, channelId: channel, threadTs: thread_ts }: SlackPlace,
  content: MessageContent,
): Promise<Sent> {
  const token = await openSlackToken({ ...deps, scope: { teamId } }, integrationId).catch((error: unknown) => {
    if (isProblem(error)) return { refusal: error.message };
    throw error;
  });
  if (typeof token !== "string") return { kind: "refused", error: token.refusal };
  const files = await readFiles(deps, { teamId }, content);
  if (!Array.isArray(files)) return files;
  const uploaded = await uploadFiles(deps, token, files);
  if (uploaded.kind === "refused") return sentOf(uploaded);
  const { note } = uploaded;
  const posted = await postToSlack(deps, token, { channel, ...slackPostOf(content, note), thread_ts });
  if (posted.kind === "refused") return sentOf(posted);
  // The channel by Slack's own id: a direct message is asked for by its user's.
  const place = { channel: posted.channel, thread: thread_ts };
  const unshared = await shareFiles(deps, token, { files: uploaded.files, place });
  const notes = [note, unshared].filter((each) => each !== null);
  return { ...sentOf(posted), ...(notes.length > 0 && { note: notes.join(" ") }) };
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

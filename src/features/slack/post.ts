// One message to a channel of Slack, once: nothing is repeated here, for Slack does not keep repeats apart.

import { isObject } from "../../../kernel/text/is-object.ts";
import type { Needs } from "../../clients/context.ts";
import type { SlackAnswer } from "../../platform/slack/slack.ts";
import { SLACK_CALL_LIMITS } from "../integrations/slack/limits.ts";
import { refusalOf, type Cause } from "./refusals.ts";

/** The arguments of `chat.postMessage`. */
export type SlackPost = {
  channel: string;
  text: string;
  blocks?: Record<string, unknown>[] | undefined;
  thread_ts?: string | undefined;
};

/** `retryAfterMs`: Slack wants no message before; where Slack names a wait. */
export type Refused = { kind: "refused"; cause: Cause; message: string; retryAfterMs?: number };

export type Posted = { kind: "posted"; channel: string; ts: string; message: Record<string, unknown> } | Refused;

/** Posts by a bot's token, and says what became of it. */
export async function postToSlack({ callSlack }: Needs<"callSlack">, token: string, post: SlackPost): Promise<Posted> {
  const { channel, text, blocks, thread_ts: thread } = post;
  const body = { channel, text, ...(blocks && { blocks }), ...(thread !== undefined && { thread_ts: thread }) };
  const answer = await callSlack({ method: "chat.postMessage", token, body, deadlineMs: SLACK_CALL_LIMITS.answerMs });
  const done = outcomeOf(answer);
  return done.kind === "refused" ? done : postedOf(done.body);
}

/** What a call's answer means. */
export function outcomeOf(answer: SlackAnswer): { kind: "ok"; body: Record<string, unknown> } | Refused {
  switch (answer.kind) {
    case "ok":
      return answer;
    case "refused":
      return { kind: "refused", ...refusalOf(answer.code) };
    case "limited": {
      const retryAfterMs = answer.retryAfterMs ?? SLACK_CALL_LIMITS.retryMsDefault;
      const message = `Slack wants no message for another ${Math.ceil(retryAfterMs / 1_000)} s.`;
      return { kind: "refused", cause: "later", message, retryAfterMs };
    }
    case "unknown":
      return { kind: "refused", cause: "uncertain", message: answer.reason };
  }
}

function postedOf({ channel, ts, message }: Record<string, unknown>): Posted {
  if (typeof channel !== "string" || typeof ts !== "string")
    return { kind: "refused", cause: "uncertain", message: "Slack's answer names no message." };
  return { kind: "posted", channel, ts, message: isObject(message) ? message : {} };
}

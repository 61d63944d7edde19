import { missingAt, Problem, type ProblemCode } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { openSlackToken } from "../integrations/slack/open-token.ts";
import type { NewSlackMessage, SlackMessage } from "./message.ts";
import { postToSlack, type Posted } from "./post.ts";
import type { Cause } from "./refusals.ts";

/**
 * Posts a message as a team's bot, once. Where nobody knows whether it was posted the failure says so, and is not
 * retryable: a repeat might post it twice.
 */
export async function sendSlackMessage(
  ctx: Needs<"scope" | "db" | "vault" | "callSlack">,
  { integration_id: integrationId, channel_id: channel, ...rest }: NewSlackMessage,
): Promise<SlackMessage> {
  const { scope, db } = ctx;
  const token = await openSlackToken(ctx, integrationId).catch(missingAt("/integration_id"));
  // Before the message: what is posted is on record, whatever comes of the answer.
  await recordAudit(db, scope, "slack_message.send", {
    id: integrationId.toLowerCase(),
    after: { channel_id: channel },
  });
  const posted = await postToSlack(ctx, token, { channel, ...rest });
  if (posted.kind === "refused") throw problemOf(posted);
  const { ts, message } = posted;
  return { ok: true, channel: posted.channel, ts, message };
}

const CODES: Record<Cause, ProblemCode> = {
  message: "validation_failed",
  token: "connection_failed",
  later: "source_unavailable",
  uncertain: "write_outcome_unknown",
};

function problemOf({ cause, message, retryAfterMs }: Extract<Posted, { kind: "refused" }>): Problem {
  if (retryAfterMs !== undefined)
    return Object.assign(new Problem("too_many_requests", message), {
      retryAfterSeconds: Math.ceil(retryAfterMs / 1_000),
    });
  return new Problem(CODES[cause], cause === "uncertain" ? `${message} ${LOOK_FIRST}` : message);
}

const LOOK_FIRST = "Nobody knows whether the message was posted: look into the channel before you send it again.";

import { missingAt, Problem, type ProblemCode } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { Replayable } from "../../http/request/idempotency-key.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { openSlackToken } from "../integrations/slack/open-token.ts";
import { claimed, planMessage } from "../messages/message.ts";
import { hasMessage, messagesStatement } from "../messages/of-run.ts";
import { findEarlier, replay, requireEarlier } from "../messages/requests/earlier.ts";
import { nameRequest } from "../messages/requests/request.ts";
import { settleMessage } from "../messages/requests/settle.ts";
import { isFirst, requestStatements } from "../messages/requests/statements.ts";
import type { NewSlackMessage, SlackMessage } from "./message.ts";
import { postToSlack, type Posted } from "./post.ts";
import type { Cause } from "./refusals.ts";
import { sentOf } from "./send-to-slack.ts";

/**
 * Posts a message as a team's bot, once, however often a request of this `key` comes. Where nobody knows whether it was
 * posted the failure says so, and is not retryable: a repeat might post it twice.
 */
export async function sendSlackMessage(
  ctx: Needs<"scope" | "db" | "vault" | "callSlack">,
  body: NewSlackMessage,
  key?: string,
): Promise<Replayable<SlackMessage>> {
  const { scope, db } = ctx;
  const { teamId, now, runId } = scope;
  const { integration_id: integrationId, channel_id: channel, ...rest } = body;
  const replaying = { now, advice: LOOK_FIRST };
  const request = await nameRequest(scope, { key, operation: "sendSlackMessage", body });
  const earlier = await findEarlier(ctx, request);
  if (earlier) return replay(earlier, replaying);

  const token = await openSlackToken(ctx, integrationId).catch(missingAt("/integration_id"));
  const subjectId = integrationId.toLowerCase();
  const planned = { teamId, channel: "slack" as const, target: `${subjectId}/${channel}`, subject: rest.text };
  const message = claimed(planMessage({ ...planned, runId: runId ?? null }, now), now);
  // Before the message: what is posted is on record, whatever comes of the answer.
  const [reserved] = await db.batch([
    messagesStatement(db, [message], isFirst(request)),
    ...requestStatements(db, request, { message, answer: null }),
    recordAuditIf(db, scope, {
      ...{ action: "slack_message.send" as const, subjectId, when: hasMessage(message) },
      after: { channel_id: channel },
    }),
  ]);
  if (reserved.length === 0) return replay(await requireEarlier(ctx, request), replaying);

  const posted = await postToSlack(ctx, token, { channel, ...rest });
  const answer = posted.kind === "posted" ? answerOf(posted) : undefined;
  await settleMessage(ctx, message, { sent: sentOf(posted), answer, now });
  if (posted.kind === "refused") throw problemOf(posted);
  return { value: answerOf(posted), isReplay: false };
}

const answerOf = ({ channel, ts, message }: Extract<Posted, { kind: "posted" }>): SlackMessage => ({
  ...{ ok: true, channel, ts, message },
});

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

// /v3/slack: messages that scripts post. All that is invalid is 400 here, and a key that nobody holds 403.

import { plain } from "../../http/answer.ts";
import { readIdempotencyKey, replayable } from "../../http/request/idempotency-key.ts";
import { createV3Router } from "../../http/router.ts";
import { IDEMPOTENCY_KEY } from "../messages/requests/request.ts";
import { NewSlackMessage, SlackMessage } from "./message.ts";
import { sendSlackMessage } from "./send-message.ts";

export const slack = createV3Router(["Messages", "Extensions"]);

slack.operation("sendSlackMessage", "POST /message", {
  permission: "messages:send",
  audit: "slack_message.send",
  summary: "Post a message to Slack",
  description:
    "Once, as the bot of an integration of type `slack`. `write_outcome_unknown` says that nobody knows whether it was " +
    "posted, and is not to be repeated unseen; every other failure posted nothing, and frees the `Idempotency-Key` of the " +
    "request. Slack's own name of a failure is in its message.",
  requestHeaders: IDEMPOTENCY_KEY,
  body: NewSlackMessage,
  answer: replayable(plain("As Slack answers", SlackMessage)),
  fails: ["connection_failed", "source_unavailable", "write_outcome_unknown", "resource_conflict", "work_in_progress"],
  run: (ctx, { body }) => sendSlackMessage(ctx, body, readIdempotencyKey(ctx.request.headers)),
});

// /v3/slack: messages that scripts post. All that is invalid is 400 here, and a key that nobody holds 403.

import { plain } from "../../http/answer.ts";
import { createV3Router } from "../../http/router.ts";
import { NewSlackMessage, SlackMessage } from "./message.ts";
import { sendSlackMessage } from "./send-message.ts";

export const slack = createV3Router(["Messages", "Extensions"]);

slack.operation("sendSlackMessage", "POST /message", {
  permission: "messages:send",
  audit: "slack_message.send",
  summary: "Post a message to Slack",
  description:
    "Once, as the bot of an integration of type `slack`. `write_outcome_unknown` says that nobody knows whether it was " +
    "posted, and is not to be repeated unseen; every other failure posted nothing. Slack's own name of a failure is in " +
    "its message.",
  body: NewSlackMessage,
  answer: plain("As Slack answers", SlackMessage),
  fails: ["connection_failed", "source_unavailable", "write_outcome_unknown"],
  run: (ctx, { body }) => sendSlackMessage(ctx, body),
});

// /v3/email: mail of the team's programs. All that is invalid is 400 here, and a key that nobody holds 403.

import { succeeded } from "../../../http/answer.ts";
import { readIdempotencyKey, replayable } from "../../../http/request/idempotency-key.ts";
import { createV3Router } from "../../../http/router.ts";
import { IDEMPOTENCY_KEY } from "../requests/request.ts";
import { AcceptedEmailMessages, NewEmailMessage } from "./email.ts";
import { sendEmailMessage } from "./send-email-message.ts";

export const emailMessages = createV3Router(["Messages", "Extensions"]);

emailMessages.operation("sendEmailMessage", "POST /message", {
  permission: "messages:send",
  audit: "message.send",
  summary: "Send a mail to members, or to addresses that have confirmed",
  description:
    "Runs may send, too. Where one address is neither a member's nor has confirmed, or has unsubscribed, it is 422, " +
    "each is named, and nothing is sent to anybody. 429 past the bound of mails that a team sends a day.",
  requestHeaders: IDEMPOTENCY_KEY,
  body: NewEmailMessage,
  answer: replayable(succeeded("Accepted", AcceptedEmailMessages, 202)),
  fails: ["recipient_not_allowed", "mail_unavailable", "too_many_requests", "resource_conflict", "work_in_progress"],
  run: (ctx, { body }) => sendEmailMessage(ctx, body, readIdempotencyKey(ctx.request.headers)),
});

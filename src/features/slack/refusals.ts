// Slack's names of failures are explained to whoever sent a message. Pure.

/**
 * `message`: with what was sent, such as its channel; `token`: with the bot and its rights; `later`: nothing, Slack may
 * take it later; `uncertain`: Slack may have posted it all the same.
 */
export type Cause = "message" | "token" | "later" | "uncertain";

type Refusal = { cause: Cause; advice?: string };

/** The failures that are not the message's. */
const REFUSALS: Record<string, Refusal> = {
  invalid_auth: { cause: "token", advice: "Slack does not know the bot's token: set another one." },
  not_authed: { cause: "token" },
  account_inactive: { cause: "token", advice: "The bot, or its workspace, was removed." },
  token_revoked: { cause: "token", advice: "The bot's token was revoked: set another one." },
  token_expired: { cause: "token", advice: "The bot's token has expired: set another one." },
  missing_scope: { cause: "token", advice: "Give the app the scope chat:write, and install it again." },
  no_permission: { cause: "token" },
  not_allowed_token_type: { cause: "token" },
  access_denied: { cause: "token" },
  accesslimited: { cause: "token" },
  ekm_access_denied: { cause: "token" },
  enterprise_is_restricted: { cause: "token" },
  org_login_required: { cause: "later", advice: "The workspace is being moved." },
  team_access_not_granted: { cause: "token" },
  team_added_to_org: { cause: "later", advice: "The workspace is being moved." },
  two_factor_setup_required: { cause: "token" },
  service_unavailable: { cause: "later" },
  request_timeout: { cause: "later" },
  ratelimited: { cause: "later" },
  rate_limited: { cause: "later" },
  message_limit_exceeded: { cause: "later" },
  // Slack says of these two that part of the work may have been done.
  fatal_error: { cause: "uncertain" },
  internal_error: { cause: "uncertain" },
  channel_not_found: { cause: "message", advice: "The bot sees no such channel: invite it, or correct the id." },
  not_in_channel: { cause: "message", advice: "Invite the bot to the channel." },
  is_archived: { cause: "message", advice: "The channel is archived." },
  restricted_action: { cause: "message", advice: "The workspace lets the bot not post there." },
  msg_too_long: { cause: "message", advice: "The text is too long." },
  invalid_blocks: { cause: "message", advice: "The blocks are not valid." },
};

/** A failure by the name that Slack gives it; a name that is not known here is the message's. */
export function refusalOf(code: string): { cause: Cause; message: string } {
  const { cause, advice }: Refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code]! : { cause: "message" };
  return { cause, message: `Slack answered ${code}.${advice === undefined ? "" : ` ${advice}`}` };
}

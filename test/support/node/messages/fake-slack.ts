// Slack's Web API, as far as it is called: auth.test and chat.postMessage, with the bounds that Slack documents.

import type { Mailbox, Received, Reply } from "./mailbox.ts";

type Block = { type?: string; text?: { type?: string; text?: string } };
type Posted = { channel?: string; text?: string; blocks?: Block[]; thread_ts?: string };

/** A bot's mailbox is named by its token. A channel that begins with C is there, and the bot is in it. */
export function answerSlack({ path, headers, body }: Received, mailbox: Mailbox | undefined): Reply {
  const answer = (content: object): Reply => ({
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(mailbox && { "x-oauth-scopes": mailbox.scopes.join(",") }),
    },
    body: JSON.stringify(content),
  });
  const refuse = (error: string) => answer({ ok: false, error });
  if (!mailbox) return refuse("invalid_auth");
  if (path === "/slack/api/auth.test") return answer({ ok: true, ...WORKSPACE });
  if (path !== "/slack/api/chat.postMessage") return refuse("unknown_method");
  if (!mailbox.scopes.includes("chat:write")) return refuse("missing_scope");
  // Without the content type Slack sees no arguments.
  if (!headers["content-type"]?.startsWith("application/json")) return refuse("channel_not_found");
  const { channel = "", text = "", blocks, thread_ts } = JSON.parse(body) as Posted;
  if (!channel.startsWith("C")) return refuse("channel_not_found");
  if (text === "" && !blocks) return refuse("no_text");
  if (text.length > 40_000) return refuse("msg_too_long");
  if (blocks && !areValid(blocks)) return refuse("invalid_blocks");
  const ts = `${Math.floor(Date.now() / 1_000)}.${String(mailbox.received.length).padStart(6, "0")}`;
  return answer({ ok: true, channel, ts, message: { type: "message", text, ts, ...(thread_ts && { thread_ts }) } });
}

const WORKSPACE = {
  url: "https://acme.slack.com/",
  team: "Acme",
  user: "fjord",
  team_id: "T12345678",
  user_id: "W12345678",
  bot_id: "B12345678",
  is_enterprise_install: false,
};

const TEXT_MAX: Record<string, number> = { header: 150, section: 3_000 };

const areValid = (blocks: Block[]): boolean =>
  blocks.length <= 50 &&
  blocks.every(({ type = "", text: { type: form, text = "" } = {} }) => {
    const isForm = form === "plain_text" || (form === "mrkdwn" && type === "section");
    return isForm && text.length > 0 && text.length <= (TEXT_MAX[type] ?? 0);
  });

// Slack's Web API, as far as it is called, and the uploads that it hands out, with the bounds that Slack documents.

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
  if (path === "/slack/api/files.getUploadURLExternal") {
    if (!mailbox.scopes.includes("files:write")) return refuse("missing_scope");
    const upload = beginUpload(mailbox, { path, headers, body });
    return typeof upload === "string" ? refuse(upload) : answer({ ok: true, ...upload });
  }
  if (path === "/slack/api/files.completeUploadExternal") {
    if (!mailbox.scopes.includes("files:write")) return refuse("missing_scope");
    const refusal = completeUploads(mailbox, JSON.parse(body) as Completed);
    return refusal ? refuse(refusal) : answer({ ok: true, files: (JSON.parse(body) as Completed).files });
  }
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

/** The arguments of files.getUploadURLExternal come as a form. Answers a refusal, or where the file is to go. */
function beginUpload(mailbox: Mailbox, { headers, body }: Received): string | { upload_url: string; file_id: string } {
  if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded")) return "invalid_arguments";
  const [filename, length] = ["filename", "length"].map((name) => new URLSearchParams(body).get(name) ?? "");
  if (!filename || !(Number(length) > 0)) return "missing_argument";
  const id = `F${String(Object.keys(mailbox.uploads).length).padStart(10, "0")}`;
  mailbox.uploads[id] = { filename, length: Number(length) };
  const token = /^Bearer (.+)$/.exec(headers["authorization"] ?? "")![1];
  const url = mailbox.uploadUrl ?? `http://${headers["host"]}/upload/${token}/${id}`;
  return { upload_url: url, file_id: id };
}

/** The address alone says whose upload it is: Slack's own wants no token. Any other length than was said is refused. */
export function answerUpload({ path, headers, body }: Received, mailbox: Mailbox | undefined): Reply {
  const upload = mailbox?.uploads[path.split("/").at(-1) ?? ""];
  const bytes = Buffer.from(body, "base64").length;
  if (!upload || upload.bytes !== undefined || headers["authorization"]) return { status: 400, body: "" };
  if (bytes !== upload.length) return { status: 400, body: "" };
  upload.bytes = body;
  return { status: 200, body: `OK - ${bytes}` };
}

type Completed = { files: { id: string; title?: string }[]; channel_id?: string };

/** Slack checks the form of a channel's id here, and takes no user's. */
function completeUploads({ uploads }: Mailbox, { files, channel_id: channel = "" }: Completed): string | undefined {
  if (!/^[CGDZ][A-Z0-9]{8,}$/.test(channel)) return "invalid_arguments";
  const named = files.map(({ id }) => uploads[id]);
  if (named.length === 0 || named.some((upload) => upload?.bytes === undefined)) return "file_not_found";
  for (const upload of named) upload!.channel = channel;
  return undefined;
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

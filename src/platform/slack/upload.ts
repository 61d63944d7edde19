// The upload of one file to an address that Slack has named. No token goes there, and no redirect is followed.

import { apiUrlOf, type SlackEnv } from "./slack.ts";

export type SlackUpload = { url: string; bytes: Uint8Array; deadlineMs: number };

export type UploadAnswer =
  | { kind: "ok" }
  /** It will not be taken, however often it is tried. `reason` is a sentence for people. */
  | { kind: "refused"; reason: string }
  /** It may be taken later. */
  | { kind: "failed"; reason: string };

export type UploadToSlack = (upload: SlackUpload) => Promise<UploadAnswer>;

export const openSlackUploads =
  (env: SlackEnv): UploadToSlack =>
  async ({ url, bytes, deadlineMs }) => {
    if (!isUploadUrl(env, url)) return { kind: "refused", reason: "Slack named an address that is none of Slack's." };
    try {
      const response = await fetch(url, {
        ...{ method: "POST", redirect: "manual", body: bytes },
        headers: { "content-type": "application/octet-stream" },
        signal: AbortSignal.timeout(deadlineMs),
      });
      response.body?.cancel().catch(() => undefined);
      const { status } = response;
      if (status === 200) return { kind: "ok" };
      const reason = `Slack answered an upload with status ${status}.`;
      return { kind: status === 429 || status >= 500 ? "failed" : "refused", reason };
    } catch {
      return { kind: "failed", reason: "Slack gave no answer to an upload." };
    }
  };

/** `https` to a host of Slack's; in development the server that stands in for Slack, and no other. */
function isUploadUrl(env: SlackEnv, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password, origin } = new URL(text);
  if (env.SLACK_API_URL) return origin === new URL(apiUrlOf(env)).origin;
  const isSlacks = hostname === "slack.com" || hostname.endsWith(".slack.com");
  return protocol === "https:" && isSlacks && port === "" && username === "" && password === "";
}

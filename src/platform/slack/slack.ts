// The client of Slack's Web API. It follows no redirect, and reads a bounded part of an answer.

import { isObject } from "../../../kernel/text/is-object.ts";
import { isLoopback } from "../../core/public-url.ts";
import { readBounded } from "../internet/read-bounded.ts";
import { retryAfterMsOf } from "../webhooks/retry-after.ts";

export type SlackEnv = Pick<Env, "SLACK_API_URL" | "HOSTS_ALLOWED">;

type Encoding = { type: string; encode(body: Record<string, unknown>): string };

const JSON_BODY: Encoding = { type: "application/json; charset=utf-8", encode: (body) => JSON.stringify(body) };
/** A form carries values that are texts and numbers. */
const FORM: Encoding = {
  type: "application/x-www-form-urlencoded",
  encode: (body) =>
    new URLSearchParams(
      Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString(),
};

/** How each method takes its arguments; forms are what every release of Slack takes where JSON was added later. */
const METHODS = {
  "auth.test": JSON_BODY,
  "chat.postMessage": JSON_BODY,
  "files.getUploadURLExternal": FORM,
  "files.completeUploadExternal": JSON_BODY,
} as const satisfies Record<string, Encoding>;

export type SlackMethod = keyof typeof METHODS;

export type SlackRequest = { method: SlackMethod; token: string; body: Record<string, unknown>; deadlineMs: number };

export type SlackAnswer =
  /** `scopes`: what the token may do, where Slack says so. */
  | { kind: "ok"; body: Record<string, unknown>; scopes: string[] | undefined }
  /** Slack did not do it; `code` is its own name of the reason. */
  | { kind: "refused"; code: string }
  | { kind: "limited"; retryAfterMs: number | undefined }
  /** Nothing that came says whether Slack did it. `reason` is a sentence for people. */
  | { kind: "unknown"; reason: string };

export type CallSlack = (request: SlackRequest) => Promise<SlackAnswer>;

const SLACK_API_URL = "https://slack.com/api";
/** More than any answer of Slack's has. */
const ANSWER_BYTES_MAX = 256 * 1024;
const CODE = /^[a-z0-9_]{1,80}$/;

export const openSlack = (env: SlackEnv): CallSlack => {
  return async ({ method, token, body, deadlineMs }) => {
    const url = `${apiUrlOf(env)}/${method}`;
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: { authorization: `Bearer ${token}`, "content-type": METHODS[method].type },
        body: METHODS[method].encode(body),
        signal: deadline,
      });
      if (response.status === 429) {
        response.body?.cancel().catch(() => undefined);
        return { kind: "limited", retryAfterMs: retryAfterMsOf(response.headers, new Date()) };
      }
      return readAnswer(response, await (await readBounded(response, ANSWER_BYTES_MAX))?.text());
    } catch {
      const reason = deadline.aborted
        ? `Slack gave no answer within ${deadlineMs / 1_000} s.`
        : "Slack gave no answer.";
      return { kind: "unknown", reason };
    }
  };
};

/** Another address than Slack's own is this machine, and only where development allows it. */
export function apiUrlOf({ SLACK_API_URL: url, HOSTS_ALLOWED: allowed }: SlackEnv): string {
  if (!url) return SLACK_API_URL;
  if (allowed === "" || !URL.canParse(url) || !isLoopback(new URL(url)))
    throw new Error("SLACK_API_URL is for development: it names this machine, and HOSTS_ALLOWED has to allow that.");
  return url.replace(/\/$/, "");
}

function readAnswer({ status, headers }: Response, text: string | undefined): SlackAnswer {
  const body = parseObject(text);
  if (body?.["ok"] === true)
    return {
      kind: "ok",
      body,
      scopes: headers
        .get("x-oauth-scopes")
        ?.split(",")
        .map((scope) => scope.trim()),
    };
  const code = body?.["error"];
  if (body?.["ok"] === false && typeof code === "string" && CODE.test(code)) return { kind: "refused", code };
  return { kind: "unknown", reason: `What Slack answered can't be read (status ${status}).` };
}

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

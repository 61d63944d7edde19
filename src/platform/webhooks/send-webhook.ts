// The client of other people's webhooks.

import { retryAfterMsOf } from "./retry-after.ts";

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string; deadlineMs: number };
/**
 * `retryAfterMs`: how long the host asks to be left alone. `error` in words for people: they say no more of a network
 * than that it gave no answer.
 */
export type WebhookAnswer = { status: number; retryAfterMs?: number } | { error: string };

export type SendWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

/** Follows no redirect, and leaves the answer's body unread. */
export async function sendWebhook({ url, headers, body, deadlineMs }: WebhookRequest): Promise<WebhookAnswer> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", "user-agent": "Fjord-Alerts/1", ...headers },
      body,
      signal: deadline,
    });
    response.body?.cancel().catch(() => undefined);
    const retryAfterMs = retryAfterMsOf(response.headers, new Date());
    return { status: response.status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  } catch {
    return {
      error: deadline.aborted ? `No answer came within ${deadlineMs / 1_000} s.` : "The host could not be reached.",
    };
  }
}

// The client of other people's webhooks.

import { retryAfterMsOf } from "./retry-after.ts";

export type WebhookRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  deadlineMs: number;
  /** So much of the answer's body is read, as text; without it nothing. */
  answerBytesMax?: number;
};
/**
 * `retryAfterMs`: how long the host asks to be left alone. `error` in words for people: they say no more of a network
 * than that it gave no answer.
 */
export type WebhookAnswer = { status: number; retryAfterMs?: number; text?: string } | { error: string };

/** Follows no redirect. A body that can't be read in time is as none: the status stands. */
export async function sendWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
  const { url, headers, body, deadlineMs, answerBytesMax = 0 } = request;
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", "user-agent": "Fjord-Alerts/1", ...headers },
      body,
      signal: deadline,
    });
    const text = await readStart(response.body, answerBytesMax);
    const retryAfterMs = retryAfterMsOf(response.headers, new Date());
    return {
      status: response.status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(answerBytesMax > 0 && { text }),
    };
  } catch {
    return {
      error: deadline.aborted ? `No answer came within ${deadlineMs / 1_000} s.` : "The host could not be reached.",
    };
  }
}

/** The beginning of a body as text; the rest is left unread. */
async function readStart(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, bytesLeft] = ["", bytesMax];
  try {
    while (bytesLeft > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, bytesLeft), { stream: true });
      bytesLeft -= value.byteLength;
    }
  } catch {
    // What was read is what there is.
  }
  reader.cancel().catch(() => undefined);
  return text;
}

// A server's Retry-After header says how long it asks to be left alone.

const WAIT_MS_MAX = 86_400_000;

/** `Retry-After` in milliseconds, a day at most; undefined where the answer names no wait. */
export function retryAfterMsOf(headers: Headers, now: Date): number | undefined {
  const text = headers.get("retry-after") ?? "";
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return waitMs >= 0 ? Math.min(waitMs, WAIT_MS_MAX) : undefined;
}

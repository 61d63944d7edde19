// Why there is no answer of the engine: what the engine's object says in its place. Plain data, it crosses an object's border.

/** Reason → what the caller is told. Each may pass by itself, so every one is worth a repeat. */
export const UNAVAILABLE = {
  full: "Every engine instance is in use. Try again in a moment.",
  start: "The engine did not start. Try again in a moment.",
  /** It may have been working on the request. */
  lost: "The engine stopped while it worked on this. Try again.",
  /** So may this one. */
  hung: "The engine answered no more and was stopped. Try again.",
  /** Nor is it known to be at fault. */
  silent: "The engine did not answer in time. Try again.",
} as const;
export type UnavailableReason = keyof typeof UNAVAILABLE;

export const UNAVAILABLE_HEADER = "x-fjord-engine-unavailable";

export const unavailable = (reason: UnavailableReason, cause: unknown): Response =>
  new Response(cause instanceof Error ? cause.message : String(cause), { status: 503, headers: { [UNAVAILABLE_HEADER]: reason } });

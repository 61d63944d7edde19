// Why there is no answer of a container's program: what its object says in its place. Plain data, it crosses an
// object's border.

/** Reason → what the caller reads. Each may pass by itself, so every one is worth a repeat. */
const SENTENCES = {
  full: (name: string) => `Every ${name} instance is in use. Try again in a moment.`,
  start: (name: string) => `The ${name} did not start. Try again in a moment.`,
  /** It may have been working on the request. */
  lost: (name: string) => `The ${name} stopped while it worked on this. Try again.`,
  /** So may this one. */
  hung: (name: string) => `The ${name} answered no more and was stopped. Try again.`,
  /** Nor is it known to be at fault. */
  silent: (name: string) => `The ${name} did not answer in time. Try again.`,
} as const;
export type UnavailableReason = keyof typeof SENTENCES;

export const isUnavailableReason = (text: string): text is UnavailableReason => Object.hasOwn(SENTENCES, text);

export const describeUnavailable = (name: string, reason: UnavailableReason): string => SENTENCES[reason](name);

export const UNAVAILABLE_HEADER = "x-fjord-unavailable";

export const unavailable = (reason: UnavailableReason, cause: unknown): Response =>
  new Response(cause instanceof Error ? cause.message : String(cause), {
    status: 503,
    headers: { [UNAVAILABLE_HEADER]: reason },
  });

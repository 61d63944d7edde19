// A container's object says why there is no answer of its program, in the answer's place. The reason is plain data, as
// it crosses an object's border.

/**
 * Reason → what the caller reads. Each may pass by itself, so that every request that only reads is worth a repeat.
 * The program may have worked on a request that ends as `lost`, `hung` or `silent`: who sent one that writes finds out
 * what became of it, or does not say "try again".
 */
const SENTENCES = {
  full: (name: string) => `Every ${name} instance is in use. Try again in a moment.`,
  start: (name: string) => `The ${name} did not start. Try again in a moment.`,
  lost: (name: string) => `The ${name} stopped while it worked on this. Try again.`,
  hung: (name: string) => `The ${name} answered no more and was stopped. Try again.`,
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

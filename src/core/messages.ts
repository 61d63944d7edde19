// The channels on which messages leave the platform, and what becomes of an attempt to send one.

export const CHANNELS = ["email", "slack", "teams", "webhook"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What became of one attempt to send a message. */
export type Sent =
  /** `reference`: the channel's own name of the message, where it gives one. `note`: what of it stayed behind. */
  | { kind: "sent"; reference: string | null; note?: string }
  /** The channel will not take it, however often it is tried. */
  | { kind: "refused"; error: string }
  /** It was not taken, and may be later. `retryAfterMs`: not before the channel wants it. */
  | { kind: "failed"; error: string; retryAfterMs?: number }
  /** Nobody knows whether it was taken. A channel that keeps a message's id apart sends it again; others do not. */
  | { kind: "unknown"; error: string };

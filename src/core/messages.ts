// The channels on which messages leave the platform, and what becomes of an attempt to send one.

/** The channels that deliveries go out on. */
export const DELIVERY_CHANNELS = ["email", "slack", "teams", "webhook"] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** `events`: what happens in a team, to destinations of their own. */
export const CHANNELS = [...DELIVERY_CHANNELS, "events"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What a host answered over HTTP; `excerpt`: the beginning of its body. */
export type HostAnswer = { status: number; excerpt: string };

/** What became of one attempt to send a message; `answer` where the channel keeps it. */
export type Sent = Outcome & { answer?: HostAnswer | undefined };

type Outcome =
  /** `reference`: the channel's own name of the message, where it gives one. `note`: what of it stayed behind. */
  | { kind: "sent"; reference: string | null; note?: string }
  /** The channel will not take it, however often it is tried. */
  | { kind: "refused"; error: string }
  /** It was not taken, and may be later. `retryAfterMs`: not before the channel wants it. */
  | { kind: "failed"; error: string; retryAfterMs?: number }
  /** Nobody knows whether it was taken. A channel that keeps a message's id apart sends it again; others do not. */
  | { kind: "unknown"; error: string };

import type { Clients } from "../../clients/clients.ts";
import type { Channel, Sent } from "../../core/messages.ts";
import type { MessageContent } from "./content.ts";
import type { Message } from "./message.ts";

/** How messages leave on one channel. `src/transports.ts` has one for each. */
export type Transport = {
  /** Whether the channel knows a message by its id, and takes it once: one whose attempt broke off is sent again. */
  isRepeatable: boolean;
  /** One attempt, within `MESSAGE_LIMITS.attemptMs`. What it throws counts as an outcome that nobody knows. */
  send(clients: Clients, message: Message, content: MessageContent, now: Date): Promise<Sent>;
};

export type Transports = Record<Channel, Transport>;

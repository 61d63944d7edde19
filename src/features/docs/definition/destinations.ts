// An entry's destinations say where its results go. Texts that come from elsewhere spell the same members in several
// ways. Pure.

import { z } from "zod";
import type { DeliveryChannel } from "../../../core/messages.ts";

const Id = z.uuid().transform((id) => id.toLowerCase());
const Addresses = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((one) => (Array.isArray(one) ? one : [one]))
  .pipe(z.array(z.email().max(254).toLowerCase()));

type Written = Record<string, unknown>;
type Recipient =
  | { channel: "email"; address: string }
  | { channel: "slack"; integration_id: string; channel_id: string }
  | { channel: "teams" | "webhook"; destination_id: string };

/** What each channel needs, under all the names that it has in such texts; the first that is there counts. */
const DESTINATION_ID = ["destinationId", "destination_id"];
const SPELLINGS = {
  email: { to: ["to", "toEmails", "emails", "recipients", "address"] },
  slack: { integration: ["integrationId", "integration_id"], channel: ["channelId", "channel_id"] },
  teams: { destination: DESTINATION_ID },
  webhook: { destination: DESTINATION_ID },
} satisfies Record<DeliveryChannel, Record<string, readonly string[]>>;

const nameIn = (written: Written, names: readonly string[]): string | undefined =>
  names.find((name) => written[name] !== undefined);
const member = (written: Written, names: readonly string[]): unknown => written[nameIn(written, names) ?? ""];

const onDestination = (channel: "teams" | "webhook", written: Written): Recipient[] => {
  const id = Id.safeParse(member(written, SPELLINGS[channel].destination));
  return id.success ? [{ channel, destination_id: id.data }] : [];
};

const READ: Record<DeliveryChannel, (written: Written) => Recipient[]> = {
  email(written) {
    const addresses = Addresses.safeParse(member(written, SPELLINGS.email.to));
    return addresses.success ? addresses.data.map((address) => ({ channel: "email", address })) : [];
  },
  slack(written) {
    const integration = Id.safeParse(member(written, SPELLINGS.slack.integration));
    const channel = z
      .string()
      .regex(/^[A-Z0-9]{1,30}$/)
      .safeParse(member(written, SPELLINGS.slack.channel));
    return integration.success && channel.success
      ? [{ channel: "slack", integration_id: integration.data, channel_id: channel.data }]
      : [];
  },
  teams: (written) => onDestination("teams", written),
  webhook: (written) => onDestination("webhook", written),
};

/** Whom a destination means; nobody where it is of another type, or lacks what its type needs. */
export const recipientsIn = (destination: { type: string }): Recipient[] =>
  Object.hasOwn(READ, destination.type) ? READ[destination.type as DeliveryChannel](destination) : [];

/** The members of a destination that nothing is read from: unknown ones, and second spellings. */
export function unreadIn(destination: { type: string } & Written): string[] {
  if (!Object.hasOwn(SPELLINGS, destination.type)) return [];
  const read = Object.values<readonly string[]>(SPELLINGS[destination.type as DeliveryChannel]);
  const names = new Set(read.map((spellings) => nameIn(destination, spellings)));
  return Object.keys(destination).filter((key) => key !== "type" && !names.has(key));
}

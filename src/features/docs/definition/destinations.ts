// Where the results of an entry go. Texts that come from elsewhere spell the same members in several ways. Pure.

import { z } from "zod";
import type { Channel } from "../../../core/messages.ts";

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

/** The first of these members that is there. */
const member = (written: Written, ...names: string[]): unknown =>
  names.map((name) => written[name]).find((value) => value !== undefined);

const onDestination = (channel: "teams" | "webhook", written: Written): Recipient[] => {
  const id = Id.safeParse(member(written, "destinationId", "destination_id"));
  return id.success ? [{ channel, destination_id: id.data }] : [];
};

const READ: Record<Channel, (written: Written) => Recipient[]> = {
  email(written) {
    const addresses = Addresses.safeParse(member(written, "to", "toEmails", "emails", "recipients", "address"));
    return addresses.success ? addresses.data.map((address) => ({ channel: "email", address })) : [];
  },
  slack(written) {
    const integration = Id.safeParse(member(written, "integrationId", "integration_id"));
    const channel = z
      .string()
      .regex(/^[A-Z0-9]{1,30}$/)
      .safeParse(member(written, "channelId", "channel_id"));
    return integration.success && channel.success
      ? [{ channel: "slack", integration_id: integration.data, channel_id: channel.data }]
      : [];
  },
  teams: (written) => onDestination("teams", written),
  webhook: (written) => onDestination("webhook", written),
};

/** Whom a destination means; nobody where it is of another type, or lacks what its type needs. */
export const recipientsIn = (destination: { type: string }): Recipient[] =>
  Object.hasOwn(READ, destination.type) ? READ[destination.type as Channel](destination) : [];

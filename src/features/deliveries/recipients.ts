// A delivery goes to recipients, by channel.

import { z } from "@hono/zod-openapi";
import { Email } from "../../http/request/email.ts";
import type { DeliveryChannel } from "../../core/messages.ts";

const Id = z
  .uuid()
  .transform((id) => id.toLowerCase())
  .openapi({ type: "string", format: "uuid" });

const EmailRecipient = z
  .strictObject({
    channel: z.literal("email"),
    address: Email.openapi({ description: "A member's, or one that has confirmed that it wants the team's mail." }),
  })
  .openapi("EmailRecipient");
const Slack = z
  .strictObject({
    channel: z.literal("slack"),
    integration_id: Id,
    channel_id: z.string().regex(/^[A-Z0-9]{1,30}$/, "Send the id of a channel, such as C0123456789."),
  })
  .openapi("SlackRecipient");
const Teams = z.strictObject({ channel: z.literal("teams"), destination_id: Id }).openapi("TeamsRecipient");
const Webhook = z.strictObject({ channel: z.literal("webhook"), destination_id: Id }).openapi("WebhookRecipient");

const RECIPIENTS = { email: EmailRecipient, slack: Slack, teams: Teams, webhook: Webhook } satisfies Record<
  DeliveryChannel,
  z.ZodObject
>;

export const Recipient = z
  .discriminatedUnion("channel", [RECIPIENTS.email, RECIPIENTS.slack, RECIPIENTS.teams, RECIPIENTS.webhook])
  .openapi("DeliveryRecipient");
export type Recipient = z.infer<typeof Recipient>;

/** The text by which a channel knows the recipient, as messages keep it. */
export function targetOf(recipient: Recipient): string {
  switch (recipient.channel) {
    case "email":
      return recipient.address;
    case "slack":
      return `${recipient.integration_id}/${recipient.channel_id}`;
    case "teams":
    case "webhook":
      return recipient.destination_id;
  }
}

// Channel → how its messages leave. Features that stand above messages bring theirs here.

import { sendToDestination } from "./features/destinations/send/send.ts";
import { EMAIL_TRANSPORT } from "./features/messages/email/transport.ts";
import type { Transport, Transports } from "./features/messages/transport.ts";
import type { DestinationKind } from "./platform/db/schema/destination-schema.ts";
import { sendToSlack } from "./features/slack/send-to-slack.ts";

const toDestination =
  (channel: DestinationKind): Transport["send"] =>
  (clients, { teamId, target, id, payload }, content, now) =>
    sendToDestination(clients, { teamId, destinationId: target, messageId: id, channel, payload }, content, now);

export const TRANSPORTS: Transports = {
  email: EMAIL_TRANSPORT,
  slack: {
    isRepeatable: false,
    send(clients, { teamId, target }, content) {
      const [integrationId = "", channelId = ""] = target.split("/");
      return sendToSlack(clients, { teamId, integrationId, channelId }, content);
    },
  },
  // A workflow of Teams does not know a message again.
  teams: { isRepeatable: false, send: toDestination("teams") },
  webhook: { isRepeatable: true, send: toDestination("webhook") },
  events: { isRepeatable: true, send: toDestination("events") },
};

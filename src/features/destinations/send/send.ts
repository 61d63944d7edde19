// The transport of deliveries to destinations: one attempt, to the address as it is at this moment.

import type { Needs } from "../../../clients/context.ts";
import { secretsInUse } from "../../../platform/crypto/rotated-secrets.ts";
import { signWebhook } from "../../../platform/crypto/webhook-signature.ts";
import type { DestinationKind } from "../../../platform/db/schema/destination-schema.ts";
import type { WebhookAnswer } from "../../../platform/webhooks/send-webhook.ts";
import { flawOfUrl } from "../../../platform/webhooks/flaw-of-url.ts";
import type { HostAnswer } from "../../../core/messages.ts";
import type { MessageContent, Sent } from "../../messages/content.ts";
import { openAddress } from "../address.ts";
import type { DestinationRow } from "../destination.ts";
import { DISABLED_REASONS, noteOutcome } from "../events/disable.ts";
import { DESTINATION_LIMITS } from "../limits.ts";
import { findDestination } from "../store.ts";
import { cardOf } from "./card.ts";
import { payloadOf } from "./payload.ts";

export type SendDeps = Needs<"db" | "vault" | "settings" | "sendWebhook">;

/** `messageId` is the same for every attempt, so that a webhook's receiver keeps repeats apart. */
export type DestinationMessage = {
  teamId: string;
  destinationId: string;
  messageId: string;
  channel: DestinationKind;
  /** An event's body. */
  payload?: string | null;
};

type Transport = {
  bodyOf(content: MessageContent, payload: string | null): string;
  /** What a status other than 2xx says of the message. */
  outcomeOf(status: number): Exclude<Sent["kind"], "sent">;
};

const GONE = 410;
/** The card is wrong or too large, or the workflow is off or gone. */
const REFUSED_BY_TEAMS = [400, 401, 403, 404, 405, GONE, 413];
/** Something between here and the workflow broke, and the workflow may have run. */
const BROKE_AT_TEAMS = [408, 500, 502, 504];

const TRANSPORTS: Record<DestinationKind, Transport> = {
  teams: {
    bodyOf: (content) => JSON.stringify(cardOf(content)),
    outcomeOf: (status) =>
      REFUSED_BY_TEAMS.includes(status) ? "refused" : BROKE_AT_TEAMS.includes(status) ? "unknown" : "failed",
  },
  // A receiver keeps repeats apart, so whatever else it answers is tried again.
  webhook: {
    bodyOf: (content) => JSON.stringify(payloadOf(content)),
    outcomeOf: (status) => (status === GONE ? "refused" : "failed"),
  },
  events: {
    bodyOf(_, payload) {
      if (payload === null) throw new Error("An event has no payload.");
      return payload;
    },
    outcomeOf: (status) => (status === GONE ? "refused" : "failed"),
  },
};

/** Sends a message's content once; attached files stay behind. A destination that is gone refuses it. */
export async function sendToDestination(
  deps: SendDeps,
  { teamId, destinationId, messageId, channel, payload = null }: DestinationMessage,
  content: MessageContent,
  now: Date = new Date(),
): Promise<Sent> {
  const row = await findDestination(deps.db, teamId, destinationId);
  if (!row) return { kind: "refused", error: "The destination was deleted." };
  if (row.kind !== channel) return { kind: "refused", error: `The destination is of kind ${row.kind}.` };
  if (row.disabledCode !== null) return { kind: "refused", error: DISABLED_REASONS[row.disabledCode] };
  const { url, secrets } = await openAddress(deps, row);
  // Rules and settings may have changed since the URL was set.
  const flaw = flawOfUrl(deps, url);
  if (flaw !== undefined) return { kind: "refused", error: `Nothing can be sent to this address. ${flaw}` };
  const body = TRANSPORTS[row.kind].bodyOf(content, payload);
  const signing = secretsInUse(secrets, row.previousSecretUntil, now);
  const signature = signing.length > 0 ? await signWebhook(signing, { id: messageId, at: now, body }) : {};
  const headers = { "user-agent": "Fjord-Deliveries/1", ...signature };
  const request = { url, headers, body, deadlineMs: DESTINATION_LIMITS.answerMs };
  if (row.kind !== "events") return sentOf(row, await deps.sendWebhook(request));
  const answer = await deps.sendWebhook({ ...request, answerBytesMax: DESTINATION_LIMITS.answerBytesMax });
  const sent = { ...sentOf(row, answer), answer: "error" in answer ? undefined : answered(answer) };
  await noteOutcome(deps, row, sent, now);
  return sent;
}

const answered = ({ status, text = "" }: Exclude<WebhookAnswer, { error: string }>): HostAnswer => ({
  status,
  excerpt: text,
});

function sentOf({ kind }: DestinationRow, answer: WebhookAnswer): Sent {
  if ("error" in answer) return { kind: "unknown", error: answer.error };
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: "sent", reference: null };
  const isRedirect = status >= 300 && status < 400;
  const error = `The host answered ${status}.${isRedirect ? " Redirects are not followed." : ""}`;
  const outcome = TRANSPORTS[kind].outcomeOf(status);
  return outcome === "failed" && retryAfterMs !== undefined
    ? { kind: outcome, error, retryAfterMs }
    : { kind: outcome, error };
}

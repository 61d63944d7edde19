// The noun: a place that deliveries go to, which is no person. Its address is a secret, since whoever has it can send
// there; only the host is shown. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../core/ids.ts";
import { LIMITS } from "../../core/limits.ts";
import { WEBHOOK_LIMITS } from "../../platform/webhooks/limits.ts";
import { OUTBOUND_EVENT_TYPES } from "../../core/events/outbound-event-types.ts";
import { shownBy } from "../../http/shown-by.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import {
  DESTINATION_KINDS,
  DISABLED_CODES,
  type DestinationKind,
  type destinations,
} from "../../platform/db/schema/destination-schema.ts";
import { DESTINATION_LIMITS } from "./limits.ts";

/** Whether messages to a destination of this kind are signed. */
export const IS_SIGNED: Record<DestinationKind, boolean> = { teams: false, webhook: true, events: true };

const name = z.string().trim().min(1).max(LIMITS.nameCharactersMax).openapi({ example: "Sales channel" });
const url = z
  .string()
  .max(WEBHOOK_LIMITS.urlCharactersMax)
  .openapi({ description: "`https` to the name of a host on the public internet, port 443 or 1024 and above." });

const eventTypes = z
  .array(z.enum(OUTBOUND_EVENT_TYPES))
  .min(1)
  .max(OUTBOUND_EVENT_TYPES.length)
  .refine((types) => new Set(types).size === types.length, "Name each type once.")
  .openapi({ description: "The events that are sent there." });
const description = z.string().max(DESTINATION_LIMITS.descriptionCharactersMax);

const NewMessageDestination = z
  .strictObject({
    kind: z
      .enum(["teams", "webhook"])
      .openapi({ description: "`teams`: the webhook of a Teams workflow; `webhook`: a Standard Webhook, signed." }),
    name,
    url,
  })
  .openapi("NewMessageDestination");

const NewEventsDestination = z
  .strictObject({
    kind: z.literal("events").openapi({ description: "A Standard Webhook, signed, of what happens in the team." }),
    name,
    url,
    event_types: eventTypes,
    description: description.optional(),
  })
  .openapi("NewEventsDestination");

export const NewDestination = z
  .discriminatedUnion("kind", [NewMessageDestination, NewEventsDestination])
  .openapi("NewDestination", {
    example: { kind: "webhook", name: "Order service", url: "https://orders.example.com/fjord" },
  });
export type NewDestination = z.infer<typeof NewDestination>;

/** What only a destination of kind `events` has. */
const ofEvents = {
  event_types: eventTypes,
  description: description.nullable(),
  enabled: z
    .boolean()
    .openapi({ description: "False ends what waits to be sent there; true sends events from then on." }),
};
export const EVENTS_FIELDS = Object.keys(ofEvents) as (keyof typeof ofEvents)[];

export const DestinationPatch = z
  .strictObject({ name, url, ...ofEvents })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), "Send what is to change.")
  .openapi("DestinationPatch", {
    description: "`event_types`, `description` and `enabled` are for destinations of kind `events`.",
    example: { name: "Order service" },
  });
export type DestinationPatch = z.infer<typeof DestinationPatch>;

const instant = z.iso.datetime();

export const Destination = z
  .object({
    id: z.uuid(),
    kind: z.enum(DESTINATION_KINDS),
    name: z.string(),
    host: z.string().openapi({ description: "All that is shown of the address." }),
    previous_secret_until: instant
      .nullable()
      .openapi({ description: "Until when messages are signed with the secret before as well." }),
    event_types: eventTypes.nullable().openapi({ description: "Null for a destination that takes no events." }),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_at: instant.nullable(),
    disabled_reason: z
      .enum(DISABLED_CODES)
      .nullable()
      .openapi({
        description:
          "`requested`: somebody wants it so; `gone`: its host answered 410; `failing`: no event arrived for " +
          `${DESTINATION_LIMITS.failingMsMax / 86_400_000} days.`,
      }),
    failing_since: instant
      .nullable()
      .openapi({ description: "The first attempt without success since the last one with." }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Destination");
export type Destination = z.infer<typeof Destination>;

export const WrittenDestination = Destination.extend({
  secret: z
    .string()
    .nullable()
    .openapi({ description: "`whsec_…`, shown this once where a webhook, or its secret, is new; else null." }),
}).openapi("WrittenDestination");
export type WrittenDestination = z.infer<typeof WrittenDestination>;

/** A destination is its row. `revision` rises with every change. */
export type DestinationRow = typeof destinations.$inferSelect;

type DestinationFields = Pick<DestinationRow, "id" | "teamId" | "kind" | "name" | "eventTypes" | "description"> & {
  url: string;
};

/** Its id comes first: the address is sealed for it. */
export const planId = (now: Date): string => newId(now);

export function planDestination(
  { url: address, ...named }: DestinationFields,
  sealed: Sealed,
  now: Date,
): DestinationRow {
  const at = now.toISOString();
  return {
    ...named,
    host: hostOf(address),
    sealed: sealed.text,
    vaultKeyId: sealed.keyId,
    ...{ previousSecretUntil: null, testedAt: null, disabledAt: null, disabledCode: null, failingSince: null },
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** A change of a row; `sealed` where the address or a secret is another. */
export const changeRow = (
  before: DestinationRow,
  change: Partial<DestinationRow>,
  { sealed, now }: { sealed: Sealed; now: Date },
): DestinationRow => ({
  ...before,
  ...change,
  sealed: sealed.text,
  vaultKeyId: sealed.keyId,
  revision: before.revision + 1,
  updatedAt: now.toISOString(),
});

export const hostOf = (address: string): string => new URL(address).host;

export const previousUntil = (now: Date): string =>
  new Date(now.getTime() + DESTINATION_LIMITS.secretOverlapMs).toISOString();

export const shownDestination = (row: DestinationRow): Destination =>
  shownBy(Destination, row, { enabled: row.disabledAt === null, disabled_reason: row.disabledCode });

export const auditedDestination = ({
  kind,
  name,
  host,
  previousSecretUntil,
  eventTypes,
  description,
  disabledCode,
  revision,
}: DestinationRow): AuditFacts => ({
  ...{ kind, name, host, previous_secret_until: previousSecretUntil, revision },
  ...(eventTypes !== null && { event_types: eventTypes, description, disabled_reason: disabledCode }),
});

// The noun: a place that deliveries go to, which is no person. Its address is a secret, since whoever has it can send
// there; only the host is shown. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../core/ids.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import {
  DESTINATION_KINDS,
  type DestinationKind,
  type destinations,
} from "../../platform/db/schema/destination-schema.ts";
import { DESTINATION_LIMITS } from "./limits.ts";

/** Whether messages to a destination of this kind are signed. */
export const IS_SIGNED: Record<DestinationKind, boolean> = { teams: false, webhook: true };

const name = z.string().trim().min(1).max(LIMITS.nameCharactersMax).openapi({ example: "Sales channel" });
const url = z
  .string()
  .max(LIMITS.webhookUrlCharactersMax)
  .openapi({ description: "`https` to the name of a host on the public internet, port 443 or 1024 and above." });

export const NewDestination = z
  .strictObject({
    kind: z
      .enum(DESTINATION_KINDS)
      .openapi({ description: "`teams`: the webhook of a Teams workflow; `webhook`: a Standard Webhook, signed." }),
    name,
    url,
  })
  .openapi("NewDestination", {
    example: { kind: "webhook", name: "Order service", url: "https://orders.example.com/fjord" },
  });
export type NewDestination = z.infer<typeof NewDestination>;

export const DestinationPatch = z
  .strictObject({ name, url })
  .partial()
  .refine((patch) => patch.name !== undefined || patch.url !== undefined, "Send `name`, `url`, or both.")
  .openapi("DestinationPatch", { example: { name: "Order service" } });
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

type DestinationFields = Pick<DestinationRow, "id" | "teamId" | "kind" | "name"> & { url: string };

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
    previousSecretUntil: null,
    testedAt: null,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** A change of a row; `sealed` where the address or a secret is another. */
export const changeRow = (
  before: DestinationRow,
  change: Partial<Pick<DestinationRow, "name" | "host" | "previousSecretUntil">>,
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

export const shownDestination = (row: DestinationRow): Destination => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  host: row.host,
  previous_secret_until: row.previousSecretUntil,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
});

export const auditedDestination = ({
  kind,
  name,
  host,
  previousSecretUntil,
  revision,
}: DestinationRow): AuditFacts => ({ kind, name, host, previous_secret_until: previousSecretUntil, revision });

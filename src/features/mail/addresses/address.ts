// The noun: an address of nobody in the team that was asked whether mail may come. Pure.

import { z } from "@hono/zod-openapi";
import { Email } from "../../../http/request/email.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import type { AddressRow, ListedAddress } from "../store.ts";

const instant = z.iso.datetime();

export const ADDRESS_STATES = ["asked", "expired", "confirmed", "unsubscribed"] as const;

export const MailAddress = z
  .object({
    id: z.uuid(),
    address: z.string(),
    state: z
      .enum(ADDRESS_STATES)
      .openapi({ description: "Mail goes to `confirmed` ones alone. `expired`: the link of the question has ended." }),
    asked_at: instant,
    expires_at: instant.openapi({ description: "When the link of the last question ends." }),
    confirmed_at: instant.nullable(),
    unsubscribed_at: instant.nullable(),
  })
  .openapi("MailAddress");
export type MailAddress = z.infer<typeof MailAddress>;

export const NewMailAddress = z
  .strictObject({ address: Email })
  .openapi("NewMailAddress", { example: { address: "grace@partner.example" } });
export type NewMailAddress = z.infer<typeof NewMailAddress>;

export const shownAddress = (row: ListedAddress, now: Date): MailAddress =>
  shownBy(MailAddress, row, { state: stateOf(row, now) });

function stateOf({ confirmedAt, expiresAt, unsubscribedAt }: ListedAddress, now: Date): MailAddress["state"] {
  if (unsubscribedAt !== null) return "unsubscribed";
  if (confirmedAt !== null) return "confirmed";
  return expiresAt > now.toISOString() ? "asked" : "expired";
}

/** The audit log's facts of an address. */
export const auditedAddress = ({ address, expiresAt, confirmedAt }: AddressRow): AuditFacts => ({
  address,
  expires_at: expiresAt,
  confirmed_at: confirmedAt,
});

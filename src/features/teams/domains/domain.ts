// The noun: a mail domain that is a team's, once it is proven.

import { z } from "@hono/zod-openapi";
import { toBase64url } from "../../../core/encoding.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { DOMAIN_PROOFS, type teamDomains } from "../../../platform/db/schema/team-schema.ts";
import { Domain } from "../team.ts";

export const TeamDomain = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    record: z
      .object({ name: z.string(), type: z.literal("TXT"), value: z.string() })
      .openapi("DomainRecord", { description: "The DNS record that proves it." }),
    proven_at: z.iso.datetime().nullable().openapi({ description: "Null: not yet." }),
    proven_by: z
      .enum(DOMAIN_PROOFS)
      .nullable()
      .openapi({ description: "The record, or an operator who vouched for it." }),
    created_at: z.iso.datetime(),
  })
  .openapi("TeamDomain");
export type TeamDomain = z.infer<typeof TeamDomain>;

export const NewTeamDomain = z
  .strictObject({ domain: Domain })
  .openapi("NewTeamDomain", { example: { domain: "acme.example" } });
export type NewTeamDomain = z.infer<typeof NewTeamDomain>;

export type DomainRow = typeof teamDomains.$inferSelect;

const TOKEN_BYTES = 24;
export const mintDomainToken = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));

export const recordOf = ({ domain, token }: Pick<DomainRow, "domain" | "token">): TeamDomain["record"] => ({
  name: `_fjord.${domain}`,
  type: "TXT",
  value: `fjord-domain=${token}`,
});

/** The domain of a mail address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

export const domainFrom = (row: DomainRow): TeamDomain => shownBy(TeamDomain, row, { record: recordOf(row) });

/** The audit log's facts of a domain. */
export const auditedDomain = ({ domain, provenBy }: Pick<DomainRow, "domain" | "provenBy">): AuditFacts => ({
  domain,
  proven_by: provenBy,
});

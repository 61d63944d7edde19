// The noun: an account at the team's identity provider that is bound to a user, by the name that its issuer gives to
// nobody else.

import { z } from "@hono/zod-openapi";
import { shownBy } from "../../../http/shown-by.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import type { identities } from "../../../platform/db/schema/team-schema.ts";

export const Identity = z
  .object({
    id: z.uuid(),
    issuer: z.string(),
    subject: z.string().openapi({ description: "The account, as its issuer names it." }),
    created_at: z.iso.datetime(),
    used_at: z.iso.datetime().nullable().openapi({ description: "When it last signed in; null: never yet." }),
    consented_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When the user bound it; null: an address of a proven domain did." }),
  })
  .openapi("Identity");
export type Identity = z.infer<typeof Identity>;

export const OidcStart = z
  .object({ url: z.url().openapi({ description: "The provider's page, for the browser to go to." }) })
  .openapi("OidcStart");
export type OidcStart = z.infer<typeof OidcStart>;

const Parameters = z
  .string()
  .min(1)
  .max(8_000)
  .openapi({ description: "The query of the address that the provider has sent the browser back to." });

export const OidcAnswer = z.strictObject({ parameters: Parameters }).openapi("OidcAnswer");
export type OidcAnswer = z.infer<typeof OidcAnswer>;

export const NewIdentity = z
  .strictObject({ parameters: Parameters })
  .openapi("NewIdentity", { example: { parameters: "code=…&state=…" } });

export const NewOidcSignIn = z
  .strictObject({ provider_id: z.uuid() })
  .openapi("NewOidcSignIn", { example: { provider_id: "01a222c5-3361-7005-ad14-8f3508871ab3" } });

export type IdentityRow = typeof identities.$inferSelect;

export const identityFrom = (row: IdentityRow): Identity => shownBy(Identity, row);

/** The audit log's facts of an identity. */
export const auditedIdentity = ({ userId, issuer, subject, consentedAt }: IdentityRow): AuditFacts => ({
  user_id: userId,
  issuer,
  subject,
  consented_at: consentedAt,
});

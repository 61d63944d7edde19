// The noun: a team's identity provider, by OpenID Connect. It signs in users of this team alone.

import { z } from "@hono/zod-openapi";
import { shownBy } from "../../../http/shown-by.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import type { identityProviders } from "../../../platform/db/schema/team-schema.ts";
import { Name } from "../team.ts";

export const IdentityProvider = z
  .object({
    id: z.uuid(),
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_secret: z.boolean(),
    callback_url: z.url().openapi({ description: "The redirect URI that the provider has to allow." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi("IdentityProvider");
export type IdentityProvider = z.infer<typeof IdentityProvider>;

export const TeamIdentityProvider = z
  .object({ provider: z.union([IdentityProvider, z.null()]).openapi({ description: "Null: the team has none." }) })
  .openapi("TeamIdentityProvider");

export const NewIdentityProvider = z
  .strictObject({
    name: Name.openapi({ description: "What people read on the button, such as the name of the organisation." }),
    issuer: z.url().max(1_000).openapi({ description: "As the provider's own documents name it, to the letter." }),
    client_id: z.string().min(1).max(500),
    client_secret: z
      .string()
      .min(1)
      .max(2_000)
      .nullable()
      .optional()
      .openapi({
        description: "Null: the client has none. Absent: the one that is there stays, with the same issuer.",
      }),
  })
  .openapi("NewIdentityProvider", {
    example: { name: "Acme", issuer: "https://id.acme.example", client_id: "fjord", client_secret: "…" },
  });
export type NewIdentityProvider = z.infer<typeof NewIdentityProvider>;

export type ProviderRow = typeof identityProviders.$inferSelect;

/** The console's page that providers send people back to. */
const CALLBACK_PATH = "/app/sign-in/callback";
export const callbackUrlOf = (request: Request): string => new URL(request.url).origin + CALLBACK_PATH;

export const providerFrom = (row: ProviderRow, request: Request): IdentityProvider =>
  shownBy(IdentityProvider, row, { has_secret: row.sealedSecret !== null, callback_url: callbackUrlOf(request) });

/** The audit log's facts of a provider; of its secret, whether it has one. */
export const auditedProvider = ({ name, issuer, clientId, sealedSecret }: ProviderRow): AuditFacts => ({
  name,
  issuer,
  client_id: clientId,
  has_secret: sealedSecret !== null,
});

import { newId } from "../../../core/ids.ts";
import { invalidAt, notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { discoverIssuer } from "./oidc.ts";
import { auditedProvider, type NewIdentityProvider, type ProviderRow } from "./provider.ts";
import { findProviderOf, hasProvider, saveProvider } from "./store.ts";

type Deps = Needs<"scope" | "db" | "vault" | "fetchPublic" | "settings">;

/**
 * Sets how the team's people sign in at their own provider. Throws 422 where the issuer does not answer as one, or
 * would be sent the secret of another's client, and 403 for a key with scopes: whoever names the provider says who the
 * team's members are.
 */
export async function setIdentityProvider(ctx: Deps, input: NewIdentityProvider): Promise<ProviderRow> {
  const { scope, db, vault } = ctx;
  if (scope.scopes !== undefined)
    throw new Problem("forbidden_insufficient_permissions", "A key with scopes sets no identity provider.");
  const { teamId, now } = scope;
  const before = await findProviderOf(db, teamId);
  requireOwnSecret(before, input);
  await requireIssuer(ctx, input.issuer);
  const id = before?.id ?? newId(now);
  const sealed = input.client_secret ? await vault.seal({ teamId, identityProviderId: id }, input.client_secret) : null;
  const isKept = input.client_secret === undefined;
  const at = now.toISOString();
  const row: ProviderRow = {
    id,
    teamId,
    name: input.name,
    issuer: input.issuer,
    clientId: input.client_id,
    sealedSecret: isKept ? (before?.sealedSecret ?? null) : (sealed?.text ?? null),
    vaultKeyId: isKept ? (before?.vaultKeyId ?? null) : (sealed?.keyId ?? null),
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
  const [saved] = await db.batch([
    saveProvider(db, row),
    recordAuditIf(db, scope, {
      action: "identity_provider.set",
      subjectId: id,
      when: hasProvider(row),
      before: before && auditedProvider(before),
      after: auditedProvider(row),
    }),
  ]);
  if (!saved[0]) throw notFound("Team", teamId);
  return saved[0];
}

/** A secret is shown to nobody, so it is not sent to another issuer than the one that it was given for. */
function requireOwnSecret(
  before: ProviderRow | undefined,
  { issuer, client_secret: secret }: NewIdentityProvider,
): void {
  if (secret !== undefined || !before?.sealedSecret || before.issuer === issuer) return;
  const message = "Another issuer needs a secret of its own: send it, or null where its client has none.";
  throw invalidAt("/client_secret", message);
}

async function requireIssuer(ctx: Deps, issuer: string): Promise<void> {
  try {
    await discoverIssuer(ctx, issuer);
  } catch (error) {
    const message = `No provider of OpenID Connect answers under this issuer. ${reasonOf(error)}`;
    throw new Problem("validation_failed", message, [{ pointer: "/issuer", message }], { cause: error });
  }
}

/** What went wrong, in the words of the checks and of the library; neither tells of answers. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "");

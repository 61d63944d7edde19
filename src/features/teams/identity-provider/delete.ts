import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { getIdentityProvider } from "./get.ts";
import { auditedProvider } from "./provider.ts";
import { deleteProviderRow, hasProvider } from "./store.ts";

/** From here on nobody signs in by it. Accounts stay bound, for a provider of the same issuer. */
export async function deleteIdentityProvider(ctx: Needs<"scope" | "db">): Promise<void> {
  const { scope, db } = ctx;
  const provider = await getIdentityProvider(ctx);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "identity_provider.delete",
      subjectId: provider.id,
      when: hasProvider(provider),
      before: auditedProvider(provider),
    }),
    deleteProviderRow(db, scope.teamId),
  ]);
}

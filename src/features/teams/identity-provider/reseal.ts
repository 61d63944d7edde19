import type { Needs } from "../../../clients/context.ts";
import { resealRows } from "../../../platform/crypto/reseal.ts";
import { resealProviderRow, selectProvidersSealedUnder } from "./store.ts";

/** Key rotation of the secrets of identity providers' clients, a bounded batch a tick. */
export async function resealIdentityProviders({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ identityProvidersResealed: number }> {
  const identityProvidersResealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectProvidersSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, id }) => ({ teamId, identityProviderId: id }),
    save: (row, sealed) => resealProviderRow(db, row, sealed),
  });
  return { identityProvidersResealed };
}

import type { Needs } from "../../../clients/context.ts";
import { resealRows } from "../../../platform/crypto/reseal.ts";
import { sealedProviderSecrets } from "./store.ts";

/** Key rotation of the secrets of identity providers' clients, a bounded batch a tick. */
export const resealIdentityProviders = async ({ db, vault }: Needs<"db" | "vault">) => ({
  identityProvidersResealed: await resealRows(vault, {
    ...sealedProviderSecrets(db),
    ownerOf: ({ teamId, id }) => ({ teamId, identityProviderId: id }),
  }),
});

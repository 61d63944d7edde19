import type { Needs } from "../../../clients/context.ts";
import { resealRows } from "../../../platform/crypto/reseal.ts";
import { sealedCredentials } from "../store.ts";

/** Key rotation of credentials, a bounded batch a tick. */
export const resealCredentials = async ({ db, vault }: Needs<"db" | "vault">) => ({
  resealed: await resealRows(vault, {
    ...sealedCredentials(db),
    ownerOf: ({ teamId, id }) => ({ teamId, integrationId: id }),
  }),
});

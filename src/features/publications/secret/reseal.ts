import { resealRows } from "../../../platform/crypto/reseal.ts";
import type { Needs } from "../../../clients/context.ts";
import { sealedPublicationSecrets } from "../store.ts";
import { ownerOf } from "./secrets.ts";

/** Key rotation of the secrets that sign publications' tokens, a bounded batch a tick. */
export const resealPublicationSecrets = async ({ db, vault }: Needs<"db" | "vault">) => ({
  publicationSecretsResealed: await resealRows(vault, {
    ...sealedPublicationSecrets(db),
    ownerOf: (row) => ownerOf(row),
  }),
});

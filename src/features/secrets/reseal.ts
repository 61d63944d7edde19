import type { Needs } from "../../clients/context.ts";
import { resealRows } from "../../platform/crypto/reseal.ts";
import { sealedSecrets } from "./store.ts";

/** Key rotation of secrets, a bounded batch a tick. */
export const resealSecrets = async ({ db, vault }: Needs<"db" | "vault">) => ({
  secretsResealed: await resealRows(vault, {
    ...sealedSecrets(db),
    ownerOf: ({ teamId, key }) => ({ teamId, secretKey: key }),
  }),
});

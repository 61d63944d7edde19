import type { Needs } from "../../../clients/context.ts";
import { resealRows } from "../../../platform/crypto/reseal.ts";
import { ownerOf } from "./secrets.ts";
import { sealedAlertSecrets } from "./store.ts";

/** Key rotation of the secrets that alerts are signed with, a bounded batch a tick. */
export const resealAlertSecrets = async ({ db, vault }: Needs<"db" | "vault">) => ({
  alertSecretsResealed: await resealRows(vault, { ...sealedAlertSecrets(db), ownerOf: (row) => ownerOf(row) }),
});

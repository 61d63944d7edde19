import type { Needs } from "../../clients/context.ts";
import { resealRows } from "../../platform/crypto/reseal.ts";
import { resealSecretRow, selectSecretsSealedUnder } from "./store.ts";

/** Key rotation of secrets, a bounded batch a tick. */
export async function resealSecrets({ db, vault }: Needs<"db" | "vault">): Promise<{ secretsResealed: number }> {
  const secretsResealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectSecretsSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, key }) => ({ teamId, secretKey: key }),
    save: (row, sealed) => resealSecretRow(db, row, sealed),
  });
  return { secretsResealed };
}

import { resealRows } from "../../platform/crypto/reseal.ts";
import { openDb } from "../../platform/db/client.ts";
import { resealSecretRow, selectSecretsSealedUnder } from "./store.ts";

/** Key rotation of secrets, a bounded batch a tick. */
export async function resealSecrets(env: Env): Promise<{ secretsResealed: number }> {
  const db = openDb(env.DB);
  const secretsResealed = await resealRows(env, {
    select: (keyIds, rowsMax) => selectSecretsSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, key }) => ({ teamId, secretKey: key }),
    save: (row, sealed) => resealSecretRow(db, row, sealed),
  });
  return { secretsResealed };
}

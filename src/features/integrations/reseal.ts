import { resealRows } from "../../platform/crypto/reseal.ts";
import { openDb } from "../../platform/db/client.ts";
import { resealRow, selectSealedUnder } from "./store.ts";

/** Key rotation of credentials, a bounded batch a tick. */
export async function resealCredentials(env: Env): Promise<{ resealed: number }> {
  const db = openDb(env.DB);
  const resealed = await resealRows(env, {
    select: (keyIds, rowsMax) => selectSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, id }) => ({ teamId, integrationId: id }),
    save: (row, sealed) => resealRow(db, row, sealed),
  });
  return { resealed };
}

// Key rotation: credentials move, a bounded batch a tick, to the vault's first key; then the old key may leave the
// vault.

import { openDb } from "../../platform/db/client.ts";
import { retiredKeyIds, seal, unseal } from "../../platform/crypto/vault.ts";
import { resealRow, selectSealedUnder } from "./store.ts";

const BATCH_ROWS_MAX = 50;

/**
 * Answers how many rows were re-sealed. A row whose credentials change meanwhile is left to the change, which seals
 * anew.
 */
export async function resealCredentials(env: Env): Promise<{ resealed: number }> {
  const keyIds = retiredKeyIds(env);
  if (keyIds.length === 0) return { resealed: 0 };

  const db = openDb(env.DB);
  let resealed = 0;
  for (const row of await selectSealedUnder(db, keyIds, BATCH_ROWS_MAX)) {
    const owner = { teamId: row.teamId, integrationId: row.id };
    try {
      const sealed = await seal(env, owner, await unseal(env, owner, row.sealed));
      resealed += (await resealRow(db, row, sealed)).length;
    } catch (error) {
      console.error(JSON.stringify({ event: "reseal_failed", integrationId: row.id, cause: String(error) }));
    }
  }
  return { resealed };
}

import { openDb } from "../../../platform/db/client.ts";
import { retiredKeyIds, seal, unseal } from "../../../platform/crypto/vault.ts";
import { resealDocRow, selectDocsSealedUnder } from "../store.ts";

const ROWS_MAX = 50;

/** Key rotation of webhook secrets, a bounded batch a tick. */
export async function resealWebhookSecrets(env: Env): Promise<{ webhookSecretsResealed: number }> {
  const keyIds = retiredKeyIds(env);
  const db = openDb(env.DB);
  let webhookSecretsResealed = 0;
  for (const row of keyIds.length === 0 ? [] : await selectDocsSealedUnder(db, keyIds, ROWS_MAX)) {
    const owner = { teamId: row.teamId, docId: row.id };
    try {
      webhookSecretsResealed += (
        await resealDocRow(db, row, await seal(env, owner, await unseal(env, owner, row.sealed)))
      ).length;
    } catch (error) {
      console.error(JSON.stringify({ event: "reseal_failed", docId: row.id, cause: String(error) }));
    }
  }
  return { webhookSecretsResealed };
}

import { resealRows } from "../../../platform/crypto/reseal.ts";
import { openDb } from "../../../platform/db/client.ts";
import { resealDocRow, selectDocsSealedUnder } from "../store.ts";

/** Key rotation of webhook secrets, a bounded batch a tick. */
export async function resealWebhookSecrets(env: Env): Promise<{ webhookSecretsResealed: number }> {
  const db = openDb(env.DB);
  const webhookSecretsResealed = await resealRows(env, {
    select: (keyIds, rowsMax) => selectDocsSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, id }) => ({ teamId, docId: id }),
    save: (row, sealed) => resealDocRow(db, row, sealed),
  });
  return { webhookSecretsResealed };
}

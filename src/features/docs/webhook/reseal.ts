import { resealRows } from "../../../platform/crypto/reseal.ts";
import { resealDocRow, selectDocsSealedUnder } from "../store.ts";
import type { Needs } from "../../../clients/context.ts";

/** Key rotation of webhook secrets, a bounded batch a tick. */
export async function resealWebhookSecrets({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ webhookSecretsResealed: number }> {
  const webhookSecretsResealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectDocsSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, id }) => ({ teamId, docId: id }),
    save: (row, sealed) => resealDocRow(db, row, sealed),
  });
  return { webhookSecretsResealed };
}

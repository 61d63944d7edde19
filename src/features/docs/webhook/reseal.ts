import { resealRows } from "../../../platform/crypto/reseal.ts";
import { sealedWebhookSecrets } from "../store.ts";
import type { Needs } from "../../../clients/context.ts";

/** Key rotation of webhook secrets, a bounded batch a tick. */
export async function resealWebhookSecrets({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ webhookSecretsResealed: number }> {
  const webhookSecretsResealed = await resealRows(vault, {
    ...sealedWebhookSecrets(db),
    ownerOf: ({ teamId, id }) => ({ teamId, docId: id }),
  });
  return { webhookSecretsResealed };
}

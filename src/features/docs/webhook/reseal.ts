import type { Needs } from "../../../clients/context.ts";
import { resealRows } from "../../../platform/crypto/reseal.ts";
import { sealedWebhookSecrets } from "../store.ts";

/** Key rotation of webhook secrets, a bounded batch a tick. */
export const resealWebhookSecrets = async ({ db, vault }: Needs<"db" | "vault">) => ({
  webhookSecretsResealed: await resealRows(vault, {
    ...sealedWebhookSecrets(db),
    ownerOf: ({ teamId, id }) => ({ teamId, docId: id }),
  }),
});

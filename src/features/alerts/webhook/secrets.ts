// The secrets of a webhook: the newest, and the one before it while receivers change over. Sealed as one text.

import type { Needs } from "../../../clients/context.ts";
import { secretsInUse } from "../../../platform/crypto/rotated-secrets.ts";
import type { Sealed } from "../../../platform/crypto/vault.ts";
import type { Webhook } from "./webhook.ts";

type Named = Pick<Webhook, "teamId" | "id">;

export const ownerOf = ({ teamId, id }: Named) => ({ teamId, alertWebhookId: id });

export const sealSecrets = ({ vault }: Needs<"vault">, webhook: Named, secrets: string[]): Promise<Sealed> =>
  vault.seal(ownerOf(webhook), secrets.join(" "));

/** The secrets that sign now, the newest first. */
export async function openSecrets({ vault }: Needs<"vault">, webhook: Webhook, now: Date): Promise<string[]> {
  const secrets = (await vault.unseal(ownerOf(webhook), webhook.sealedSecrets)).split(" ");
  return secretsInUse(secrets, webhook.previousSecretUntil, now);
}

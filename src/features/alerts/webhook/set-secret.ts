import { ALERT_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { newSecret } from "../../../platform/crypto/webhook-signature.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { changedMeanwhile, requireWebhook } from "./find.ts";
import { openSecrets, sealSecrets } from "./secrets.ts";
import { hasWebhookVersion, updateWebhook } from "./store.ts";
import { auditedWebhook, shownWebhook, type Webhook, type WrittenAlertWebhook } from "./webhook.ts";

/** Makes a new secret. The one before it signs as well until receivers have changed over. */
export async function setAlertSecret(ctx: Needs<"scope" | "db" | "vault">): Promise<WrittenAlertWebhook> {
  const { scope, db } = ctx;
  const before = await requireWebhook(ctx);
  const [current = ""] = await openSecrets(ctx, before, scope.now);
  const secret = newSecret();
  const sealed = await sealSecrets(ctx, before, [secret, current]);
  const after: Webhook = {
    ...before,
    sealedSecrets: sealed.text,
    vaultKeyId: sealed.keyId,
    previousSecretUntil: new Date(scope.now.getTime() + ALERT_LIMITS.alertSecretOverlapMs).toISOString(),
    revision: before.revision + 1,
    updatedAt: scope.now.toISOString(),
  };
  // Before the change: after it, one that lost the race would find the version of the one that won.
  const [, changed] = await db.batch([
    recordAuditIf(db, scope, {
      action: "alert_secret.set",
      subjectId: after.id,
      when: hasWebhookVersion(before),
      before: auditedWebhook(before),
      after: auditedWebhook(after),
    }),
    updateWebhook(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile();
  return { ...shownWebhook(after), secret };
}

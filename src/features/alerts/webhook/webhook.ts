// The noun: where a team hears of syncs and jobs that go wrong. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../../core/ids.ts";
import { WEBHOOK_LIMITS } from "../../../platform/webhooks/limits.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { Sealed } from "../../../platform/crypto/vault.ts";
import type { alertWebhooks } from "../../../platform/db/schema/alert-schema.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";

export const NewAlertWebhook = z
  .strictObject({
    url: z
      .string()
      .max(WEBHOOK_LIMITS.urlCharactersMax)
      .openapi({ description: "`https` to the name of a host on the public internet, port 443 or 1024 and above." }),
  })
  .openapi("NewAlertWebhook", { example: { url: "https://alerts.example.com/fjord" } });
export type NewAlertWebhook = z.infer<typeof NewAlertWebhook>;

const instant = z.iso.datetime();

export const AlertWebhook = z
  .object({
    url: z.string(),
    enabled: z.boolean().openapi({ description: "Set it again to enable it." }),
    disabled_at: instant.nullable(),
    disabled_reason: z.string().nullable(),
    previous_secret_until: instant
      .nullable()
      .openapi({ description: "Until when deliveries are signed with the secret before as well." }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("AlertWebhook");
export type AlertWebhook = z.infer<typeof AlertWebhook>;

export const WrittenAlertWebhook = AlertWebhook.extend({
  secret: z
    .string()
    .nullable()
    .openapi({ description: "`whsec_…`, shown this once where the webhook, or the secret, is new; else null." }),
}).openapi("WrittenAlertWebhook");
export type WrittenAlertWebhook = z.infer<typeof WrittenAlertWebhook>;

/** A webhook is its row. `revision` rises with every change. */
export type Webhook = typeof alertWebhooks.$inferSelect;

/** Its id comes first: the secrets are sealed for it. */
export function planWebhook(
  { teamId, id = newId(), url }: { teamId: string; id?: string; url: string },
  sealed: Sealed,
  now: Date,
): Webhook {
  const at = now.toISOString();
  return {
    teamId,
    id,
    url,
    sealedSecrets: sealed.text,
    vaultKeyId: sealed.keyId,
    previousSecretUntil: null,
    watchedSince: at,
    disabledAt: null,
    disabledReason: null,
    sweptAt: at,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** A failure from the time when nothing was sent is not reported afterwards. */
export function setUrl(before: Webhook, url: string, now: Date): Webhook {
  const at = now.toISOString();
  return {
    ...before,
    url,
    watchedSince: before.disabledAt === null ? before.watchedSince : at,
    disabledAt: null,
    disabledReason: null,
    revision: before.revision + 1,
    updatedAt: at,
  };
}

export const shownWebhook = (webhook: Webhook): AlertWebhook =>
  shownBy(AlertWebhook, webhook, { enabled: webhook.disabledAt === null });

/** The audit log's facts of a webhook: the URL's host only, since its path is a secret with many receivers. */
export const auditedWebhook = ({ url, disabledAt, previousSecretUntil, revision }: Webhook): AuditFacts => ({
  host: new URL(url).host,
  enabled: disabledAt === null,
  previous_secret_until: previousSecretUntil,
  revision,
});

import { newId } from "../../../core/ids.ts";
import { invalidAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { newSecret } from "../../../platform/crypto/webhook-signature.ts";
import { flawOfUrl } from "../../../platform/webhooks/flaw-of-url.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { changedMeanwhile } from "./find.ts";
import { sealSecrets } from "./secrets.ts";
import { findWebhook, hasWebhookVersion, insertWebhook, updateWebhook } from "./store.ts";
import {
  auditedWebhook,
  planWebhook,
  setUrl,
  shownWebhook,
  type NewAlertWebhook,
  type Webhook,
  type WrittenAlertWebhook,
} from "./webhook.ts";

type Deps = Needs<"scope" | "db" | "vault" | "settings">;

/**
 * Sets where the team hears of what goes wrong, and enables it. The first time it gets a secret, which is in this
 * answer and nowhere else; another URL keeps it.
 */
export async function setAlertWebhook(ctx: Deps, { url }: NewAlertWebhook): Promise<WrittenAlertWebhook> {
  const { scope, db } = ctx;
  const flaw = flawOfUrl(ctx, url);
  if (flaw !== undefined) throw invalidAt("/url", flaw, `Nothing can be sent to this URL. ${flaw}`);
  const before = await findWebhook(db, scope.teamId);
  return before ? change(ctx, before, setUrl(before, url, scope.now)) : add(ctx, url);
}

async function add(ctx: Deps, url: string): Promise<WrittenAlertWebhook> {
  const { scope, db } = ctx;
  const [secret, named] = [newSecret(), { teamId: scope.teamId, id: newId(scope.now) }];
  const webhook = planWebhook({ ...named, url }, await sealSecrets(ctx, named, [secret]), scope.now);
  const when = hasWebhookVersion(webhook);
  const [added] = await db.batch([
    insertWebhook(db, webhook),
    recordAuditIf(db, scope, {
      action: "alert_webhook.set",
      subjectId: webhook.id,
      when,
      after: auditedWebhook(webhook),
    }),
  ]);
  if (added.length === 0) throw changedMeanwhile();
  return { ...shownWebhook(webhook), secret };
}

async function change({ scope, db }: Deps, before: Webhook, after: Webhook): Promise<WrittenAlertWebhook> {
  // Before the change: after it, one that lost the race would find the version of the one that won.
  const [, changed] = await db.batch([
    recordAuditIf(db, scope, {
      action: "alert_webhook.set",
      subjectId: after.id,
      when: hasWebhookVersion(before),
      before: auditedWebhook(before),
      after: auditedWebhook(after),
    }),
    updateWebhook(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile();
  return { ...shownWebhook(after), secret: null };
}

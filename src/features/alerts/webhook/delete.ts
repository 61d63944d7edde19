import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { deleteDeliveriesOf } from "../deliveries/store.ts";
import { deleteEpisodesOf } from "../episodes/store.ts";
import { deleteWebhookRow, findWebhook, hasWebhook } from "./store.ts";
import { auditedWebhook } from "./webhook.ts";

/** The team hears of nothing any more. What was sent, and what is on its way, is forgotten with it. */
export async function deleteAlertWebhook({ scope, db }: Needs<"scope" | "db">): Promise<void> {
  const { teamId } = scope;
  const webhook = await findWebhook(db, teamId);
  if (!webhook) throw noWebhook();
  const [, , , deleted] = await db.batch([
    recordAuditIf(db, scope, {
      action: "alert_webhook.delete",
      subjectId: webhook.id,
      when: hasWebhook(teamId),
      before: auditedWebhook(webhook),
    }),
    deleteDeliveriesOf(db, teamId),
    deleteEpisodesOf(db, teamId),
    deleteWebhookRow(db, teamId),
  ]);
  if (deleted.length === 0) throw noWebhook();
}

const noWebhook = (): Problem => new Problem("resource_not_found", "The team has no alert webhook.");

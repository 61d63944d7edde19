import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { deleteDeliveriesOf } from "../deliveries/store.ts";
import { deleteEpisodesOf } from "../episodes/store.ts";
import { deleteWebhookRow, hasWebhook } from "./store.ts";

/** The team hears of nothing any more. What was sent, and what is on its way, is forgotten with it. */
export async function deleteAlertWebhook({ scope, db }: Needs<"scope" | "db">): Promise<void> {
  const { teamId } = scope;
  const [, , , deleted] = await db.batch([
    recordAuditIf(db, scope, { action: "alert_webhook.delete", subjectId: teamId, when: hasWebhook(teamId) }),
    deleteDeliveriesOf(db, teamId),
    deleteEpisodesOf(db, teamId),
    deleteWebhookRow(db, teamId),
  ]);
  if (deleted.length === 0) throw new Problem("resource_not_found", "The team has no alert webhook.");
}

import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { checkDelivery } from "./check/check-delivery.ts";
import {
  auditedDelivery,
  NOT_RUN,
  shownDelivery,
  sourceIdOf,
  type Delivery,
  type DeliveryPatch,
  type DeliveryRow,
} from "./delivery.ts";
import type { DeliveryJobs } from "./of-entry.ts";
import { changedMeanwhile, requireDelivery } from "./find.ts";
import { hasRevision, updateDeliveryRow } from "./store.ts";

/**
 * Changes the fields that are sent. With another source or condition the condition begins anew, as though well. What
 * becomes another of a doc's delivery stays so until the doc's entry is another, and with other recipients or another
 * source its job becomes the caller's.
 */
export async function updateDelivery(
  ctx: Needs<"scope" | "db">,
  jobs: DeliveryJobs,
  { id, patch }: { id: string; patch: DeliveryPatch },
): Promise<Delivery> {
  const { scope, db } = ctx;
  const before = await requireDelivery(ctx, id);
  const { name, subject, message, source, files, condition, to } = patch;
  const isNew = source !== undefined || condition !== undefined;
  const after: DeliveryRow = {
    ...before,
    name: name ?? before.name,
    subject: subject === undefined ? before.subject : subject,
    message: message === undefined ? before.message : message,
    source: source ?? before.source,
    sourceId: sourceIdOf(source ?? before.source),
    recipients: to ?? before.recipients,
    files: files === undefined ? before.files : files,
    condition: condition === undefined ? before.condition : condition,
    ...(isNew && NOT_RUN),
    revision: before.revision + 1,
    updatedAt: scope.now.toISOString(),
  };
  await checkDelivery(ctx, { ...after, to: after.recipients });
  const sendsAnew = source !== undefined || to !== undefined;
  const noted = await jobs.changeStatements(ctx, before.id, { when: hasRevision(after), sendsAnew });
  const [, changed] = await db.batch([
    // Before the change: after it, one that lost the race would find the row of the one that won.
    recordAuditIf(db, scope, {
      action: "delivery.update",
      subjectId: before.id,
      when: hasRevision(before),
      before: auditedDelivery(before),
      after: auditedDelivery(after),
    }),
    updateDeliveryRow(db, before, after),
    ...noted,
  ]);
  if (changed.length === 0) throw changedMeanwhile();
  return shownDelivery(after);
}

import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedDestination, type DestinationRow } from "./destination.ts";
import { endWaitingForNobody } from "./events/disable.ts";
import { changedMeanwhile, requireDestination } from "./find.ts";
import { deleteDestinationRow, hasRevision, selectDeliveriesTo } from "./store.ts";

/**
 * Nothing is sent there any more; messages that are on their way are refused, and events end at once. One that
 * deliveries name is `resource_conflict`.
 */
export async function deleteDestination(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const row = await requireDestination(ctx, id);
  await requireUnused(ctx, row);
  const [, deleted] = await db.batch([
    recordAuditIf(db, scope, {
      action: "destination.delete",
      subjectId: row.id,
      when: hasRevision(row),
      before: auditedDestination(row),
    }),
    deleteDestinationRow(db, row),
    endWaitingForNobody(db, row, scope.now),
  ]);
  if (deleted.length === 0) throw changedMeanwhile();
}

const DELIVERIES_NAMED_MAX = 10;

async function requireUnused({ db }: Needs<"db">, row: DestinationRow): Promise<void> {
  const deliveries = await selectDeliveriesTo(db, row, DELIVERIES_NAMED_MAX);
  if (deliveries.length === 0) return;
  const names = deliveries.map(({ name }) => name).join(", ");
  const problem = new Problem("resource_conflict", `Deliveries go to this destination: ${names}. Change these first.`);
  problem.conflictsWith = deliveries.map((delivery) => delivery.id);
  throw problem;
}

import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedDestination } from "./destination.ts";
import { changedMeanwhile, requireDestination } from "./find.ts";
import { deleteDestinationRow, hasRevision } from "./store.ts";

/** Nothing is sent there any more; messages that are on their way are refused. */
export async function deleteDestination(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const row = await requireDestination(ctx, id);
  const [, deleted] = await db.batch([
    recordAuditIf(db, scope, {
      action: "destination.delete",
      subjectId: row.id,
      when: hasRevision(row),
      before: auditedDestination(row),
    }),
    deleteDestinationRow(db, row),
  ]);
  if (deleted.length === 0) throw changedMeanwhile();
}

import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { requireOwn, requireQuery } from "./find.ts";
import type { SavedQuery } from "./saved-query.ts";
import { isArchivedInSql, restoreQueryRow } from "./store.ts";

/** Brings an archived query back as it was; one that is not archived stays as it is. */
export async function restoreSavedQuery(ctx: Needs<"scope" | "db">, id: string): Promise<SavedQuery> {
  const { scope, db } = ctx;
  const query = await requireQuery(ctx, id);
  requireOwn(scope, query);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "saved_query.restore",
      subjectId: query.id,
      when: isArchivedInSql(scope.teamId, query.id, true),
      before: { archived_at: query.archived_at },
      after: { archived_at: null },
    }),
    restoreQueryRow(db, scope.teamId, query.id),
  ]);
  return { ...query, archived_at: null };
}

import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import type { Doc } from "./doc.ts";
import type { DocJobs } from "./jobs-of-doc.ts";
import { requireDoc } from "./find.ts";
import { isArchivedInSql, restoreDocRow } from "./store.ts";

/** Brings an archived doc back as it was, with its own jobs; one that is not archived stays as it is. */
export async function restoreDoc(ctx: Needs<"scope" | "db">, jobs: DocJobs, id: string): Promise<Doc> {
  const { scope, db } = ctx;
  const { teamId } = scope;
  const doc = await requireDoc(ctx, id);
  const resumed = doc.archived_at === null ? [] : await jobs.resumeStatements(ctx, doc.id);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "doc.restore",
      subjectId: doc.id,
      when: isArchivedInSql(teamId, doc.id),
      before: { archived_at: doc.archived_at },
      after: { archived_at: null },
    }),
    restoreDocRow(db, teamId, doc.id),
    ...resumed,
  ]);
  return { ...doc, archived_at: null };
}

import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import type { DocJobs } from "./jobs-of-doc.ts";
import { releaseTables } from "./builds/own-tables.ts";
import { requireDoc } from "./find.ts";
import { archiveDocRow, isLiveInSql } from "./store.ts";

/**
 * Archives a doc: its runs are cancelled, its own jobs paused, and it takes no more webhooks and starts no runs until
 * it is restored. The tables that it built are anybody's. Archiving it again changes nothing.
 */
export async function deleteDoc(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  jobs: DocJobs,
  id: string,
): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const { teamId, now } = scope;
  const doc = await requireDoc(ctx, id);
  const at = now.toISOString();
  await db.batch([
    recordAuditIf(db, scope, {
      action: "doc.delete",
      subjectId: doc.id,
      when: isLiveInSql(teamId, doc.id),
      before: { archived_at: null },
      after: { archived_at: at },
    }),
    ...(doc.archived_at === null ? jobs.pauseStatements(ctx, doc.id) : []),
    archiveDocRow(db, teamId, doc.id, at),
  ]);
  await wakeUps.send("rights_lost", { teamId, id: doc.id });
  await releaseTables(ctx, doc.id);
}

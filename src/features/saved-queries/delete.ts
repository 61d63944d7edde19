import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { requireOwn, requireQuery } from "./find.ts";
import { archiveQueryRow, isArchivedInSql, selectUses } from "./store.ts";

/**
 * Archives a saved query: it runs no more until it is restored. Archiving it again changes nothing. One that others
 * depend on is `resource_conflict`.
 */
export async function deleteSavedQuery(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const query = await requireQuery(ctx, id);
  requireOwn(scope, query);
  await requireUnused(ctx, query.id);
  const at = scope.now.toISOString();
  await db.batch([
    recordAuditIf(db, scope, {
      action: "saved_query.delete",
      subjectId: query.id,
      when: isArchivedInSql(scope.teamId, query.id, false),
      before: { archived_at: null },
      after: { archived_at: at },
    }),
    archiveQueryRow(db, scope.teamId, query.id, at),
  ]);
}

const USES_NAMED_MAX = 10;

async function requireUnused({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const { items } = await selectUses(db, scope.teamId, id, { limit: USES_NAMED_MAX, offset: 0 });
  if (items.length === 0) return;
  const names = items.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  const problem = new Problem("resource_conflict", `This saved query is in use: ${names}. Take these back first.`);
  problem.conflictsWith = items.map((use) => use.id);
  throw problem;
}

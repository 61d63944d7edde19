import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedDoc, headOf, type Doc, type SentSource, type WrittenDoc } from "./doc.ts";
import { requireDoc } from "./find.ts";
import { requireStorageSpace } from "./require-storage-space.ts";
import { deleteVersionsUpTo, findVersion, hasDocVersion, insertVersion, updateDocRow } from "./store.ts";

/**
 * Puts another definition in the doc's place, as its next version; the same text again is no change. `read` is called
 * once there is such a doc. `expected` is the version the caller has seen: another one is `precondition_failed`. Runs
 * under way go on with what they began with.
 */
export async function updateDoc(
  ctx: Needs<"scope" | "db">,
  id: string,
  read: () => Promise<SentSource>,
  expected: number | undefined,
): Promise<WrittenDoc> {
  const { scope, db } = ctx;
  const before = await requireDoc(ctx, id);
  const source = await read();
  if (expected !== undefined && expected !== before.version)
    throw new Problem("precondition_failed", `The doc is at version ${before.version} now; read it again.`);
  if (before.archived_at !== null) throw new Problem("resource_conflict", "This doc is archived; restore it first.");
  const now = await findVersion(db, scope.teamId, id, before.version);
  if (now?.text === source.text && now.media_type === source.mediaType) return { ...before, warnings: source.warnings };
  await requireStorageSpace(ctx, source);

  const doc: Doc = {
    ...before,
    ...headOf(source.definition),
    version: before.version + 1,
    updated_at: scope.now.toISOString(),
  };
  const [changed] = await db.batch([
    updateDocRow(db, scope.teamId, before.version, doc),
    insertVersion(db, scope.teamId, { doc, source, userId: scope.userId }),
    deleteVersionsUpTo(db, scope.teamId, id, doc.version - LIMITS.docVersionsKeptMax),
    recordAuditIf(db, scope, {
      action: "doc.update",
      subjectId: id,
      when: hasDocVersion(scope.teamId, doc),
      before: auditedDoc(before, now?.text),
      after: auditedDoc(doc, source.text),
    }),
  ]);
  if (changed.length === 0) throw new Problem("resource_conflict", "The doc was changed meanwhile; read it again.");
  return { ...doc, warnings: source.warnings };
}

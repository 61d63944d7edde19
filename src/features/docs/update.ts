import { DOC_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedDoc, headOf, type Doc, type SentSource, type WrittenDoc } from "./doc.ts";
import { warningsOf } from "./definition/warnings.ts";
import { requireDoc } from "./find.ts";
import { addingJobs, type DocJobs, type JobsPlan } from "./jobs-of-doc.ts";
import { requireInSql } from "../../platform/db/require-in-sql.ts";
import type { DescribeDeps } from "./columns/describe.ts";
import { examineDrawing } from "./columns/examine.ts";
import { reparse } from "./definition/parse.ts";
import { releaseUnbuilt, requireFreeTables } from "./builds/own-tables.ts";
import { requireStorageSpace } from "./require-storage-space.ts";
import { deleteVersionsUpTo, findVersion, hasDocVersion, insertVersion, updateDocRow } from "./store.ts";

/**
 * Puts another definition in the doc's place, as its next version, and its jobs as that says; the same text again is no
 * change. `read` is called once there is such a doc. `expected` is the version the caller has seen: another one is
 * `precondition_failed`. Runs under way go on with what they began with.
 */
export async function updateDoc(
  ctx: Needs<"wakeUps"> & DescribeDeps,
  jobs: DocJobs,
  { id, read, expected }: { id: string; read: () => Promise<SentSource>; expected: number | undefined },
): Promise<WrittenDoc> {
  const { scope, db } = ctx;
  const before = await requireDoc(ctx, id);
  const source = await read();
  if (expected !== undefined && expected !== before.version)
    throw new Problem("precondition_failed", `The doc is at version ${before.version} now; read it again.`);
  if (before.archived_at !== null) throw new Problem("resource_conflict", "This doc is archived; restore it first.");
  const now = await findVersion(db, scope.teamId, id, before.version);
  if (now?.text === source.text && now.media_type === source.mediaType) {
    const changed = await jobs.findChanged(ctx, id, source.automations);
    return { ...before, warnings: warningsOf([...source.warnings, ...changed], source.locate) };
  }
  await requireStorageSpace(ctx, source);
  await requireFreeTables(ctx, id, source.definition);

  const doc: Doc = {
    ...before,
    ...headOf(source.definition),
    version: before.version + 1,
    updated_at: scope.now.toISOString(),
  };
  const [plan, { columns, warnings }] = await Promise.all([
    jobs.plan(ctx, doc, source.automations),
    examineDrawing(ctx, source),
  ]);
  const isSeen = hasDocVersion(scope.teamId, doc);
  const meanwhile = new Problem(
    expected === undefined ? "resource_conflict" : "precondition_failed",
    "The doc, or a job of it, was changed meanwhile; read it again.",
  );
  const results = await addingJobs(ctx, plan, (guards) =>
    db.batch([
      updateDocRow(db, scope.teamId, before.version, doc),
      insertVersion(db, scope.teamId, { doc, source, columns, userId: scope.userId }),
      deleteVersionsUpTo(db, scope.teamId, id, doc.version - DOC_LIMITS.versionsKeptMax),
      recordAuditIf(db, scope, {
        action: "doc.update",
        subjectId: id,
        when: isSeen,
        before: auditedDoc(before, now?.text),
        after: auditedDoc(doc, source.text),
      }),
      // Jobs have no part in a change that came too late.
      ...(plan.statements.length > 0 ? [requireInSql(db, isSeen)] : []),
      ...plan.statements,
      ...guards,
    ]),
  ).catch(async (error: unknown) => {
    throw plan.statements.length > 0 && (await isStale(ctx, plan, before)) ? meanwhile : error;
  });
  if (results[0].length === 0) throw meanwhile;
  await plan.finish(results);
  if (now) await releaseUnbuilt(ctx, id, reparse(now.text, now.media_type), source.definition);
  return { ...doc, warnings: warningsOf([...source.warnings, ...warnings, ...plan.warnings], source.locate) };
}

const isStale = async (ctx: Needs<"scope" | "db">, plan: JobsPlan, { id, version }: Doc): Promise<boolean> =>
  (await requireDoc(ctx, id)).version !== version || (await plan.isStale());

import { newId } from "../../core/ids.ts";
import { DOC_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { auditedDoc, headOf, type Doc, type SentSource, type WrittenDoc } from "./doc.ts";
import { warningsOf } from "./definition/warnings.ts";
import { withinPlan } from "../quotas/within-plan.ts";
import { addingJobs, type DocJobs } from "./jobs-of-doc.ts";
import type { DescribeDeps } from "./columns/describe.ts";
import { examineDrawing } from "./columns/examine.ts";
import { requireFreeTables } from "./builds/own-tables.ts";
import { requireStorageSpace } from "./require-storage-space.ts";
import { countDocs, insertDoc, insertVersion } from "./store.ts";

/** A new doc, at version 1. Names need not differ. */
export async function createDoc(
  ctx: Needs<"wakeUps"> & DescribeDeps,
  jobs: DocJobs,
  source: SentSource,
): Promise<WrittenDoc> {
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  if ((await countDocs(db, teamId)) >= DOC_LIMITS.perTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team may have at most ${DOC_LIMITS.perTeamMax} docs, archived ones included.`,
    );
  await requireStorageSpace(ctx, source);
  await requireFreeTables(ctx, undefined, source.definition);
  const at = now.toISOString();
  const doc: Doc = {
    id: newId(now),
    ...headOf(source.definition),
    version: 1,
    is_signed: false,
    created_by: userId,
    created_at: at,
    updated_at: at,
    archived_at: null,
  };
  const [plan, { columns, warnings }] = await Promise.all([
    jobs.plan(ctx, doc, source.automations),
    examineDrawing(ctx, source),
  ]);
  await withinPlan(ctx, "docs", (docGuard) =>
    addingJobs(ctx, plan, (jobGuards) =>
      db.batch([
        insertDoc(db, teamId, doc),
        insertVersion(db, teamId, { doc, source, columns, userId }),
        recordAudit(db, scope, "doc.create", { id: doc.id, after: auditedDoc(doc, source.text) }),
        ...plan.statements,
        docGuard,
        ...jobGuards,
      ]),
    ),
  );
  return { ...doc, warnings: warningsOf([...source.warnings, ...warnings, ...plan.warnings], source.locate) };
}

import { recordAuditIf } from "../../platform/db/audit.ts";
import type { Needs } from "../../clients/context.ts";
import { changedMeanwhile, requireTerm } from "./find.ts";
import { deleteTermRow, deleteVersionsUpTo, isThere } from "./store.ts";
import { auditedTerm } from "./term.ts";

/** Deletes a term for good, with its versions. */
export async function deleteGlossaryTerm(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const { teamId } = scope;
  const term = await requireTerm(ctx, id);
  const [, , deleted] = await db.batch([
    recordAuditIf(db, scope, {
      action: "glossary_term.delete",
      subjectId: term.id,
      when: isThere(teamId, term.id),
      before: { ...auditedTerm(term), definition: term.definition },
    }),
    deleteVersionsUpTo(db, teamId, term.id, Number.MAX_SAFE_INTEGER),
    deleteTermRow(db, teamId, term.id),
  ]);
  if (deleted.length === 0) throw changedMeanwhile();
}

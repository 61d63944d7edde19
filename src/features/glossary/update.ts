import { Problem } from "../../core/problem.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { changedMeanwhile, requireStorageSpace, requireTerm, termTaken } from "./find.ts";
import { GLOSSARY_LIMITS } from "./limits.ts";
import { checkLinks } from "./links/check-links.ts";
import { showLinks } from "./links/show-links.ts";
import type { NameDeps } from "./links/visible-names.ts";
import { deleteVersionsUpTo, findTerm, insertVersion, isUpdatable, updateTermRow } from "./store.ts";
import { auditedTerm, packContent, type GlossaryTerm, type GlossaryTermPatch, type KeptTerm } from "./term.ts";

/**
 * Changes the fields that are sent, as the next version; a change that changes nothing makes none. `expected` is the
 * version the caller has seen: another one is `precondition_failed`.
 */
export async function updateGlossaryTerm(
  ctx: NameDeps,
  id: string,
  { patch, expected }: { patch: GlossaryTermPatch; expected: number | undefined },
): Promise<GlossaryTerm> {
  const before = await requireTerm(ctx, id);
  if (expected !== undefined && expected !== before.version)
    throw new Problem("precondition_failed", `The term is at version ${before.version} now; read it again.`);
  const after = changeTerm(before, patch, ctx.scope);
  if (packContent(after) !== packContent(before)) {
    await checkLinks(ctx, after.links, before.links);
    await requireStorageSpace(ctx, after);
    await saveTerm(ctx, before, after);
  }
  return (await showLinks(ctx, [packContent(after) === packContent(before) ? before : after]))[0]!;
}

const changeTerm = (
  before: KeptTerm,
  patch: GlossaryTermPatch,
  { userId, now }: Pick<NameDeps["scope"], "userId" | "now">,
): KeptTerm => {
  const {
    term = before.term,
    synonyms = before.synonyms,
    definition = before.definition,
    links = before.links,
  } = patch;
  const changed = { version: before.version + 1, updated_by: userId, updated_at: now.toISOString() };
  return { ...before, term, synonyms, definition, links, ...changed };
};

/** Throws `resource_conflict` where another change has come in between, or the term is another's. */
async function saveTerm({ scope, db }: NameDeps, before: KeptTerm, after: KeptTerm): Promise<void> {
  const { teamId } = scope;
  const when = isUpdatable(teamId, before, after);
  const [, , changed] = await db.batch([
    // Before the change: after it, one that lost the race would find the row of the one that won.
    recordAuditIf(db, scope, {
      action: "glossary_term.update",
      subjectId: before.id,
      when,
      before: auditedTerm(before),
      after: auditedTerm(after),
    }),
    insertVersion(db, teamId, after, when),
    updateTermRow(db, teamId, before, after),
    deleteVersionsUpTo(db, teamId, before.id, after.version - GLOSSARY_LIMITS.termVersionsKeptMax),
  ]);
  if (changed.length > 0) return;
  const current = await findTerm(db, teamId, before.id);
  throw current?.version === before.version ? termTaken(after.term) : changedMeanwhile();
}

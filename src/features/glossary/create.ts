import { newId } from "../../core/ids.ts";
import { Problem } from "../../core/problem.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { requireStorageSpace, termTaken } from "./find.ts";
import { GLOSSARY_LIMITS } from "./limits.ts";
import { checkLinks } from "./links/check-links.ts";
import { showLinks } from "./links/show-links.ts";
import type { NameDeps } from "./links/visible-names.ts";
import { countTerms, hasTerm, insertTerm, insertVersion } from "./store.ts";
import { auditedTerm, type GlossaryTerm, type KeptTerm, type TermContent } from "./term.ts";

/** A new term of the team's glossary, at version 1. One that is there already is `resource_conflict`. */
export async function createGlossaryTerm(ctx: NameDeps, content: TermContent): Promise<GlossaryTerm> {
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  await checkLinks(ctx, content.links);
  if ((await countTerms(db, teamId)) >= GLOSSARY_LIMITS.termsPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A glossary may have at most ${GLOSSARY_LIMITS.termsPerTeamMax} terms.`,
    );
  await requireStorageSpace(ctx, content);
  const at = now.toISOString();
  const made = { created_by: userId, created_at: at, updated_by: userId, updated_at: at };
  const term: KeptTerm = { id: newId(now), ...content, version: 1, ...made };
  const when = hasTerm(teamId, term);
  const [added] = await db.batch([
    insertTerm(db, teamId, term),
    insertVersion(db, teamId, term, when),
    recordAuditIf(db, scope, { action: "glossary_term.create", subjectId: term.id, when, after: auditedTerm(term) }),
  ]);
  if (added.length === 0) throw termTaken(term.term);
  return (await showLinks(ctx, [term]))[0]!;
}

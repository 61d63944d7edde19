import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { PUBLICATION_LIMITS } from "./limits.ts";
import { KIND_WORDS, type AuditedAs, type PublicationRow } from "./publication.ts";
import { countPublications, hasRevision, insertPublication } from "./store.ts";

/** Nobody can call it before it has a key, or a secret that signs tokens. */
export async function createPublication(
  { scope, db }: Needs<"scope" | "db">,
  row: PublicationRow,
  { action, factsOf }: AuditedAs,
): Promise<void> {
  const { noun, nouns } = KIND_WORDS[row.kind];
  const countMax = PUBLICATION_LIMITS.perTeamMax[row.kind];
  if ((await countPublications(db, scope.teamId, row.kind)) >= countMax)
    throw new Problem("business_quota_exceeded", `A team may have at most ${countMax} ${nouns}.`);
  const [added] = await db.batch([
    insertPublication(db, row),
    recordAuditIf(db, scope, { action, subjectId: row.id, when: hasRevision(row), after: factsOf(row) }),
  ]);
  if (added.length > 0) return;
  const message = `The team has ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun} called ${row.name} already.`;
  throw new Problem("resource_conflict", message, [{ pointer: "/name", message }]);
}

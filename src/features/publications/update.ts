import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { changedMeanwhile } from "./find.ts";
import type { AuditedAs, PublicationRow } from "./publication.ts";
import { hasRevision, updatePublicationRow } from "./store.ts";

/** Throws `resource_conflict` where the publication is another than `before` by now. */
export async function updatePublication(
  { scope, db }: Needs<"scope" | "db">,
  { before, after }: { before: PublicationRow; after: PublicationRow },
  { action, factsOf }: AuditedAs,
): Promise<void> {
  const [, changed] = await db.batch([
    // Before the change: after it, one that lost the race would find the row of the one that won.
    recordAuditIf(db, scope, {
      action,
      subjectId: before.id,
      when: hasRevision(before),
      before: factsOf(before),
      after: factsOf(after),
    }),
    updatePublicationRow(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile(before);
}

import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import type { Db } from "../../platform/db/client.ts";
import { changedMeanwhile } from "./find.ts";
import type { AuditedAs, PublicationRow } from "./publication.ts";
import { deletePublicationStatements, findPublication, hasRevision } from "./store.ts";

/** What deletes the rows that a kind has beside its publication, and that point at it, while `isSeen` holds. */
export type DependentStatements = (db: Db, row: PublicationRow, isSeen: SQL) => readonly BatchItem<"sqlite">[];

/** Takes a publication back, with its figures: it answers nobody from now on. */
export async function deletePublication(
  { scope, db }: Needs<"scope" | "db">,
  row: PublicationRow,
  { action, factsOf, dependentStatements }: AuditedAs & { dependentStatements?: DependentStatements },
): Promise<void> {
  const isSeen = hasRevision(row);
  await db.batch([
    recordAuditIf(db, scope, { action, subjectId: row.id, when: isSeen, before: factsOf(row) }),
    ...(dependentStatements?.(db, row, isSeen) ?? []),
    ...deletePublicationStatements(db, row),
  ]);
  if (await findPublication(db, scope.teamId, row.kind, row.id)) throw changedMeanwhile(row);
}

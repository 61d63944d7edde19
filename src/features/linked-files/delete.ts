import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedLinkedFile } from "./linked-file.ts";
import { endLinkedFile, findLinkedFile, isLive } from "./store.ts";
import { viewerOf } from "./viewer.ts";

/** Revokes an address: it leads nowhere from now on, and the sweep deletes its file. Somebody else's is not found. */
export async function deleteLinkedFile({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const at = scope.now.toISOString();
  const row = await findLinkedFile(db, viewerOf(scope), id.toLowerCase(), at);
  if (!row) throw notFound("Linked file", id);
  const [, ended] = await db.batch([
    recordAuditIf(db, scope, {
      action: "linked_file.delete",
      subjectId: row.id,
      when: isLive(row, at),
      before: auditedLinkedFile(row),
    }),
    endLinkedFile(db, row, at),
  ]);
  if (ended.length === 0) throw notFound("Linked file", id);
}

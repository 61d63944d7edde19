import type { Needs } from "../../platform/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { requireDoc } from "./find.ts";
import { archiveDocRow } from "./store.ts";

/**
 * Archives a doc: it takes no more webhooks and starts no runs until it is restored. Archiving it again changes
 * nothing.
 */
export async function deleteDoc(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const doc = await requireDoc(ctx, id);
  const archived = await archiveDocRow(db, scope.teamId, doc.id, scope.now.toISOString());
  if (archived.length > 0) await recordAudit(db, scope, "doc.delete", doc.id);
}

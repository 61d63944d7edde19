import type { Needs } from "../../platform/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import type { Doc } from "./doc.ts";
import { requireDoc } from "./find.ts";
import { restoreDocRow } from "./store.ts";

/** Brings an archived doc back as it was; one that is not archived stays as it is. */
export async function restoreDoc(ctx: Needs<"scope" | "db">, id: string): Promise<Doc> {
  const { scope, db } = ctx;
  const doc = await requireDoc(ctx, id);
  const restored = await restoreDocRow(db, scope.teamId, doc.id);
  if (restored.length > 0) await recordAudit(db, scope, "doc.restore", doc.id);
  return { ...doc, archived_at: null };
}

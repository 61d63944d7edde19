import type { Needs } from "../../platform/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { deleteKvStoreRow } from "./store.ts";

/**
 * Says whether there was one: existing clients take any other status than 200 as a failure, and delete stores they
 * never committed.
 */
export async function deleteKvStore({ scope, db }: Needs<"scope" | "db">, name: string): Promise<boolean> {
  const [gone] = await deleteKvStoreRow(db, scope.teamId, name);
  if (gone) await recordAudit(db, scope, "kv_store.delete", gone.id);
  return gone !== undefined;
}

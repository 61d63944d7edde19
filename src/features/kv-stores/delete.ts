import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { deleteKvStoreRow, hasKvStore, idOfKvStore } from "./store.ts";

/**
 * Says whether there was one: existing clients take any other status than 200 as a failure, and delete stores they
 * never committed.
 */
export async function deleteKvStore({ scope, db }: Needs<"scope" | "db">, name: string): Promise<boolean> {
  const { teamId } = scope;
  const [, deleted] = await db.batch([
    recordAuditIf(db, scope, {
      action: "kv_store.delete",
      subjectId: idOfKvStore(teamId, name),
      when: hasKvStore(teamId, name),
      before: { name },
    }),
    deleteKvStoreRow(db, teamId, name),
  ]);
  return deleted.length > 0;
}

import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireCluster } from "../../integrations/trino/cluster.ts";
import { deleteLakeKeyRow, findLakeKey, hasLakeKey } from "./store.ts";

/** Revokes the key of an integration: the next request with it is refused, everywhere. */
export async function deleteLakeKey({ scope, db }: Needs<"scope" | "db">, integrationId: string): Promise<void> {
  const { id: clusterId } = await requireCluster({ scope, db }, integrationId);
  const key = await findLakeKey(db, scope.teamId, clusterId);
  if (!key) throw notFound("Key of the integration", integrationId);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "lake_key.delete",
      subjectId: key.id,
      when: hasLakeKey(scope.teamId, key.id),
      before: { integration_id: clusterId, lake_id: key.lakeId, hint: key.hint },
    }),
    deleteLakeKeyRow(db, scope.teamId, clusterId),
  ]);
}

import { newId } from "../../../core/ids.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireCluster } from "../../integrations/trino/cluster.ts";
import { mintSuffix } from "../../teams/keys/key.ts";
import { lakeProperties, type MintedLakeKey } from "./lake-key.ts";
import { hasLakeKey, replaceLakeKey } from "./store.ts";

/**
 * The key by which the integration's cluster reads its lake, and can do nothing else; the one before is gone with it.
 * The key itself is in this answer and nowhere else. It acts for who makes it, with what they may read each time.
 */
export async function createLakeKey(
  { scope, db, bucket }: Needs<"scope" | "db" | "bucket">,
  integrationId: string,
  origin: string,
): Promise<MintedLakeKey> {
  const { id: clusterId, lakeId } = await requireCluster({ scope, db }, integrationId);
  // Whoever may not read makes nothing that reads.
  if (!scope.rights.includes("query"))
    throw new Problem("forbidden_insufficient_permissions", "This needs the right query.");
  const { suffix, suffixHash } = await mintSuffix();
  const { teamId, userId, now } = scope;
  const [id, hint, createdAt] = [newId(now), suffix.slice(-4), now.toISOString()];
  const key = `${userId}-${suffix}`;
  const row = { id, teamId, integrationId: clusterId, lakeId, userId, keyHash: suffixHash, hint, createdAt };
  const [, audited] = await db.batch([
    replaceLakeKey(db, row),
    recordAuditIf(db, scope, {
      action: "lake_key.create",
      subjectId: id,
      when: hasLakeKey(teamId, id),
      after: { integration_id: clusterId, lake_id: lakeId, hint },
    }),
  ]);
  if (audited.meta.changes === 0) throw notFound("Integration", integrationId);
  const properties = lakeProperties({ origin, storage: bucket.origin, lakeId, key });
  return {
    ...{ id, integration_id: clusterId, lake_id: lakeId, hint, created_at: createdAt },
    ...{ key, lake_properties: properties },
  };
}

import { newId } from "../../core/ids.ts";
import { QUESTION_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { withinPlan } from "../quotas/within-plan.ts";
import { checkTarget } from "./checks/check-target.ts";
import { requireStorageSpace } from "./checks/require-storage-space.ts";
import {
  auditedQuery,
  namedBy,
  packDefinition,
  type SavedDefinition,
  type SavedQuery,
  type SavedQueryDetail,
} from "./saved-query.ts";
import { countQueries, insertQuery, insertVersion } from "./store.ts";

/** A new saved query of the caller's, at version 1. Names need not differ. */
export async function createSavedQuery(
  ctx: Needs<"scope" | "db">,
  definition: SavedDefinition,
): Promise<SavedQueryDetail> {
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  const text = packDefinition(definition);
  await checkTarget(ctx, definition);
  if ((await countQueries(db, teamId)) >= QUESTION_LIMITS.savedQueriesPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team may have at most ${QUESTION_LIMITS.savedQueriesPerTeamMax} saved queries, archived ones included.`,
    );
  await requireStorageSpace(ctx, text);
  const at = now.toISOString();
  const query: SavedQuery = {
    id: newId(now),
    ...namedBy(definition),
    owner_id: userId,
    version: 1,
    ...{ certified: false, certified_by: null, certified_at: null },
    created_by: userId,
    created_at: at,
    updated_at: at,
    archived_at: null,
  };
  await withinPlan(ctx, "saved_queries", (guard) =>
    db.batch([
      insertQuery(db, teamId, query, definition),
      insertVersion(db, teamId, { query, text, userId }),
      recordAudit(db, scope, "saved_query.create", { id: query.id, after: auditedQuery(query) }),
      guard,
    ]),
  );
  return { ...definition, ...query };
}

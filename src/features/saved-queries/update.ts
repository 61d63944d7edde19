import { QUESTION_LIMITS } from "./limits.ts";
import { missingAt, Problem } from "../../core/problem.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { getUser } from "../teams/users/get.ts";
import { checkTarget } from "./checks/check-target.ts";
import { mayManage, readDefinition, requireOwn, requireQuery } from "./find.ts";
import { requireStorageSpace } from "./checks/require-storage-space.ts";
import {
  auditedQuery,
  changedDefinition,
  namedBy,
  packDefinition,
  type SavedQuery,
  type SavedQueryDetail,
  type SavedQueryPatch,
} from "./saved-query.ts";
import { deleteVersionsUpTo, hasQuery, insertVersion, updateQueryRow } from "./store.ts";

/**
 * Changes the fields that are sent. A changed definition is the next version, and loses its certified mark, which
 * vouches for all words by which it is found and taken. `expected` is the version the caller has seen: another one is
 * `precondition_failed`.
 */
export async function updateSavedQuery(
  ctx: Needs<"scope" | "db">,
  id: string,
  { patch, expected }: { patch: SavedQueryPatch; expected: number | undefined },
): Promise<SavedQueryDetail> {
  const { scope, db } = ctx;
  const { teamId, userId } = scope;
  const before = await requireQuery(ctx, id);
  requireOwn(scope, before);
  requireMayManage(scope, patch);
  if (expected !== undefined && expected !== before.version)
    throw new Problem("precondition_failed", `The saved query is at version ${before.version} now; read it again.`);
  if (before.archived_at !== null)
    throw new Problem("resource_conflict", "This saved query is archived; restore it first.");
  if (patch.owner_id !== undefined) await getUser(ctx, patch.owner_id).catch(missingAt("/owner_id"));
  const seen = await readDefinition(ctx, before);
  const definition = changedDefinition(seen, patch);
  const text = packDefinition(definition);
  const isChanged = text !== packDefinition(seen);
  if (isChanged) {
    await checkTarget(ctx, definition);
    await requireStorageSpace(ctx, text);
  }
  const after: SavedQuery = {
    ...before,
    ...namedBy(definition),
    owner_id: patch.owner_id ?? before.owner_id,
    version: before.version + (isChanged ? 1 : 0),
    ...markOf(before, patch, { scope, isSame: !isChanged }),
    updated_at: scope.now.toISOString(),
  };
  const [, , changed] = await db.batch([
    // Before the change: after it, one that lost the race would find the row of the one that won.
    recordAuditIf(db, scope, {
      action: "saved_query.update",
      subjectId: before.id,
      when: hasQuery(teamId, before),
      before: auditedQuery(before),
      after: auditedQuery(after),
    }),
    insertVersion(db, teamId, { query: after, text, userId, seen: before }),
    updateQueryRow(db, teamId, { before, after, definition }),
    deleteVersionsUpTo(db, teamId, before.id, after.version - QUESTION_LIMITS.savedQueryVersionsKeptMax),
  ]);
  if (changed.length === 0)
    throw new Problem("resource_conflict", "The saved query was changed meanwhile; read it again.");
  return { ...definition, ...after };
}

function requireMayManage(scope: Scope, { certified, owner_id: ownerId }: SavedQueryPatch): void {
  if ((certified === undefined && ownerId === undefined) || mayManage(scope)) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "The certified mark and the owner are set by who has the right queries:manage.",
  );
}

type Mark = Pick<SavedQuery, "certified" | "certified_by" | "certified_at">;

/** A mark that is set together with a change is of the changed question. */
function markOf(
  before: SavedQuery,
  { certified }: SavedQueryPatch,
  { scope, isSame }: { scope: Scope; isSame: boolean },
): Mark {
  const keeps = isSame && before.certified && certified !== false;
  if (keeps) return { certified: true, certified_by: before.certified_by, certified_at: before.certified_at };
  return certified === true
    ? { certified: true, certified_by: scope.userId, certified_at: scope.now.toISOString() }
    : { certified: false, certified_by: null, certified_at: null };
}

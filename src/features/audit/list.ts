import { Problem } from "../../core/problem.ts";
import { isOperating } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { findUserNames } from "../teams/users/names.ts";
import type { AuditFilter, AuditPage, AuditPaging } from "./event.ts";
import { selectEvents } from "./store.ts";

export type AuditQuery = AuditFilter & AuditPaging & { operators: boolean };

/**
 * A page of what was changed in the caller's team, newest first; or, for operators, of what operators have changed in
 * teams that are not their own.
 */
export async function listAuditEvents(
  ctx: Needs<"scope" | "db">,
  { operators, limit, cursor, ...filter }: AuditQuery,
): Promise<AuditPage> {
  const { scope, db } = ctx;
  if (operators && !isOperating(scope))
    throw new Problem("forbidden_insufficient_permissions", "`operators` needs the right platform:operate.");
  // One more than the page: whether it goes on.
  const found = await selectEvents(db, operators ? "operators" : scope, filter, { limit: limit + 1, cursor });
  const page = found.slice(0, limit);
  const names = await findUserNames(
    ctx,
    page.map(({ actorId }) => actorId),
  );
  return {
    items: page.map(({ actorId, ...event }) => ({
      ...event,
      actor: { id: actorId, name: names.get(actorId) ?? null },
    })),
    cursor: found.length > limit ? page.at(-1)!.id : null,
  };
}

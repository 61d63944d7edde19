// An endpoint is published if its question is kept and its publisher reads what its role grants.

import { missingAt, Problem } from "../../core/problem.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { getSavedQuery } from "../saved-queries/get.ts";
import { questionOf } from "../saved-queries/saved-query.ts";
import { getSavedQueryVersion } from "../saved-queries/versions/get.ts";
import type { EndpointRow } from "./endpoint.ts";
import { findRole } from "./store.ts";

type Deps = Needs<"scope" | "db">;
type PublishedQuestion = Pick<EndpointRow, "queryId" | "queryVersion" | "question">;

/** The saved query at a version, or at its newest. Throws `validation_failed` where there is none. */
export async function readPublished(ctx: Deps, id: string, version?: number): Promise<PublishedQuestion> {
  const query = await getSavedQuery(ctx, id).catch(missingAt("/query_id"));
  if (query.archived_at !== null) {
    const message = "This saved query is archived; restore it first.";
    throw new Problem("validation_failed", message, [{ pointer: "/query_id", message }]);
  }
  const queryVersion = version ?? query.version;
  const found =
    queryVersion === query.version
      ? query
      : await getSavedQueryVersion(ctx, id, String(queryVersion)).catch(missingAt("/query_version"));
  return { queryId: query.id, queryVersion, question: JSON.stringify(questionOf(found)) };
}

/** Throws where the caller may not query: who lets others in to an endpoint's data could read it by themselves. */
export function requireReading({ rights }: Pick<Scope, "rights">): void {
  if (!rights.includes("query"))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "What opens an endpoint reads its data: this needs the right query.",
    );
}

/**
 * Throws where the role covers more than its publisher reads: an admin reads everything, a key without the right to
 * query nothing. A role whose filters name attributes is refused, because callers have none and would see no rows.
 */
export async function requirePublishable({ scope, db }: Deps, roleId: string): Promise<void> {
  if (scope.role !== "admin" || !scope.rights.includes("query"))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "An endpoint covers no more than its publisher reads: this needs an admin's key with the right query.",
    );
  const role = await findRole(db, scope.teamId, roleId);
  const message = role
    ? role.namesAttributes && "The role's filters name attributes of users, and an endpoint's callers have none."
    : `Role ${roleId} was not found.`;
  if (message) throw new Problem("validation_failed", message, [{ pointer: "/role_id", message }]);
}

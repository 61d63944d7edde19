import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedEndpoint, shownEndpoint, type Endpoint, type EndpointPatch, type EndpointRow } from "./endpoint.ts";
import { changedMeanwhile, requireEndpoint } from "./find.ts";
import { readPublished, requirePublishable } from "./publish.ts";
import { hasRevision, updateEndpointRow } from "./store.ts";

/** Changes the fields that are sent. Who changes an endpoint publishes it from then on. */
export async function updateEndpoint(ctx: Needs<"scope" | "db">, id: string, patch: EndpointPatch): Promise<Endpoint> {
  const { scope, db } = ctx;
  const before = await requireEndpoint(ctx, id);
  await requirePublishable(ctx, patch.role_id ?? before.roleId);
  const isRepublished = patch.query_id !== undefined || patch.query_version !== undefined;
  const after: EndpointRow = {
    ...before,
    ...(isRepublished && (await readPublished(ctx, patch.query_id ?? before.queryId, patch.query_version))),
    description: patch.description === undefined ? before.description : patch.description,
    roleId: patch.role_id ?? before.roleId,
    audience: patch.audience ?? before.audience,
    numbers: patch.numbers ?? before.numbers,
    ratePerMinute: patch.rate_per_minute ?? before.ratePerMinute,
    publisherId: scope.userId,
    revision: before.revision + 1,
    updatedAt: scope.now.toISOString(),
  };
  const [, changed] = await db.batch([
    // Before the change: after it, one that lost the race would find the row of the one that won.
    recordAuditIf(db, scope, {
      action: "endpoint.update",
      subjectId: before.id,
      when: hasRevision(before),
      before: auditedEndpoint(before),
      after: auditedEndpoint(after),
    }),
    updateEndpointRow(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile();
  return shownEndpoint(after);
}

import { newId } from "../../core/ids.ts";
import { ENDPOINT_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedEndpoint, shownEndpoint, type Endpoint, type EndpointRow, type NewEndpoint } from "./endpoint.ts";
import { readPublished, requirePublishable } from "./publish.ts";
import { countEndpoints, hasRevision, insertEndpoint } from "./store.ts";

/** Publishes a saved query. Nobody can call it before it has a key, or a secret that signs tokens. */
export async function createEndpoint(ctx: Needs<"scope" | "db">, input: NewEndpoint): Promise<Endpoint> {
  const { scope, db } = ctx;
  await requirePublishable(ctx, input.role_id);
  const published = await readPublished(ctx, input.query_id, input.query_version);
  if ((await countEndpoints(db, scope.teamId)) >= ENDPOINT_LIMITS.endpointsPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team may have at most ${ENDPOINT_LIMITS.endpointsPerTeamMax} endpoints.`,
    );
  const at = scope.now.toISOString();
  const row: EndpointRow = {
    id: newId(scope.now),
    teamId: scope.teamId,
    name: input.name,
    description: input.description,
    ...published,
    roleId: input.role_id,
    publisherId: scope.userId,
    audience: input.audience,
    numbers: input.numbers,
    ratePerMinute: input.rate_per_minute,
    sealedSecrets: null,
    vaultKeyId: null,
    previousSecretUntil: null,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
  const [added] = await db.batch([
    insertEndpoint(db, row),
    recordAuditIf(db, scope, {
      action: "endpoint.create",
      subjectId: row.id,
      when: hasRevision(row),
      after: auditedEndpoint(row),
    }),
  ]);
  if (added.length > 0) return shownEndpoint(row);
  const message = `The team has an endpoint called ${row.name} already.`;
  throw new Problem("resource_conflict", message, [{ pointer: "/name", message }]);
}

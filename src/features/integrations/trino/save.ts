// A cluster is kept without being connected to: it reads its lake by a key that is made once it is there.

import { LIMITS } from "../../../core/limits.ts";
import { isUuid } from "../../../core/ids.ts";
import { invalidAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { requireInSql } from "../../../platform/db/require-in-sql.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import type { NewIntegration } from "../credentials/credentials.ts";
import { changeTrinoCredentials } from "../credentials/change.ts";
import { trinoDetails } from "../credentials/trino.ts";
import { auditedIntegration, planIntegration, type Created, type Integration } from "../integration.ts";
import type { IntegrationPatch } from "../integration.ts";
import type { Connected } from "../connect.ts";
import { underFreeName } from "../names.ts";
import { sealCredentials } from "../open-source.ts";
import { findIntegration, hasIntegrationRow, insertIntegration } from "../store.ts";
import { clusterOf, openTrinoCredentials } from "./cluster.ts";

type Deps = Needs<"scope" | "db" | "vault">;

const UNTESTED =
  "The cluster was not connected to. Make its key by POST …/lake_key, put the file that this answers into the cluster, " +
  "and test the integration then.";

export async function createTrino(
  ctx: Deps,
  { name: given, credentials, lake_id: namedLake, route }: Extract<NewIntegration, { type: "trino" }>,
): Promise<Created> {
  const { scope, db } = ctx;
  const lake = await requireLake(ctx, namedLake);
  const byDefault = `trino: ${new URL(credentials.url).host}`.slice(0, LIMITS.nameCharactersMax);
  return underFreeName(ctx, given, byDefault, async (name) => {
    const details = trinoDetails(credentials, lake.id, route);
    const integration = planIntegration({
      ...{ teamId: scope.teamId, name, isDefault: false, now: scope.now },
      ...{ type: "trino", details },
    });
    const sealed = await sealCredentials(ctx, integration.id, { credentials });
    const stored = withinPlan(ctx, "integrations", (guard) =>
      db.batch([
        requireInSql(db, hasIntegrationRow(scope.teamId, lake.id)),
        insertIntegration(db, scope.teamId, integration, sealed),
        recordAudit(db, scope, "integration.create", { id: integration.id, after: auditedIntegration(integration) }),
        guard,
      ]),
    );
    await stored.catch(async (error: unknown) => {
      await requireLake(ctx, lake.id);
      throw error;
    });
    return { integration, warnings: [UNTESTED] };
  });
}

/** Throws `validation_failed` where the team has no such lake. */
async function requireLake({ scope, db }: Needs<"scope" | "db">, id: string): Promise<Integration> {
  const lake = isUuid(id) ? await findIntegration(db, scope.teamId, id.toLowerCase()) : undefined;
  if (lake?.type !== "lake") throw invalidAt("/lake_id", `The team has no lake ${id}.`);
  return lake;
}

/** The cluster's credentials and route with the given fields in place. */
export async function changeTrino(
  ctx: Deps,
  integration: Integration,
  { credentials: given, route: changed }: Pick<IntegrationPatch, "credentials" | "route">,
): Promise<Connected> {
  const stored = await openTrinoCredentials(ctx, integration);
  const credentials = given ? changeTrinoCredentials(stored, given) : stored;
  const { lakeId, route } = clusterOf(integration);
  return {
    ...{ credentials, defaultName: integration.name, warnings: given ? [UNTESTED] : [] },
    details: trinoDetails(credentials, lakeId, {
      above_bytes: changed?.above_bytes === undefined ? route.above_bytes : changed.above_bytes,
      after_memory_failure: changed?.after_memory_failure ?? route.after_memory_failure,
    }),
  };
}

// Which sync, or which run, a request means. Another team's, another integration's, and what is no id answer as a missing one.

import { isUuid } from "../../core/ids.ts";
import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { getIntegration } from "../integrations/get.ts";
import type { Run } from "./run.ts";
import { findSyncsOf } from "./store.ts";
import { findRun } from "./store-runs.ts";
import type { Sync } from "./sync.ts";

/** Tells apart the syncs of an integration that goes to more than one place. */
export type Address = { dest_schema?: string | undefined; dest_integration_id?: string | undefined };

export async function requireSync(ctx: Needs<"scope" | "db">, integrationId: string, address: Address): Promise<Sync> {
  const { id } = await getIntegration(ctx, integrationId);
  const all = await findSyncsOf(ctx.db, ctx.scope.teamId, id);
  const { dest_schema: schema, dest_integration_id: lakeId } = address;
  const meant = all.filter(
    (sync) => (schema === undefined || sync.destSchema.toLowerCase() === schema.toLowerCase()) && (lakeId === undefined || sync.lakeId === lakeId.toLowerCase()),
  );
  if (meant.length > 1) throw ambiguous(meant);
  if (meant[0]) return meant[0];
  throw new Problem("resource_not_found", all.length === 0 ? `Integration ${integrationId} has no sync.` : `Integration ${integrationId} has no sync into that place.`);
}

function ambiguous(syncs: Sync[]): Problem {
  const schemas = [...new Set(syncs.map(({ destSchema }) => destSchema))];
  const pointer = schemas.length > 1 ? "/query/dest_schema" : "/query/dest_integration_id";
  const choices = schemas.length > 1 ? schemas : syncs.map(({ lakeId }) => lakeId);
  const message = `This integration has ${syncs.length} syncs. Say which: ${choices.join(", ")}.`;
  return new Problem("validation_failed", message, [{ pointer, message }]);
}

export async function requireRun(ctx: Needs<"scope" | "db">, integrationId: string, runId: string): Promise<Run> {
  const { id } = await getIntegration(ctx, integrationId);
  const run = isUuid(runId) ? await findRun(ctx.db, ctx.scope.teamId, runId.toLowerCase()) : undefined;
  if (!run || run.sourceId !== id) throw notFound("Sync run", runId);
  return run;
}

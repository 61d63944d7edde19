// Finds the sync, or the run, that a request means. One of another team or integration, one whose tables are all hidden
// from the caller, and a text that is no id answer as a missing one.

import { foldName } from "../../../kernel/text/fold-name.ts";
import { isUuid } from "../../core/ids.ts";
import { invalidAt, notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { getIntegration } from "../integrations/get.ts";
import type { Run } from "./runs/run.ts";
import { findSyncsOf } from "./store.ts";
import { findRun } from "./runs/store.ts";
import type { Sync } from "./sync.ts";
import { openSyncViews, viewSync } from "./view.ts";

/** Tells apart the syncs of an integration that goes to more than one destination. */
export type Address = { dest_schema?: string | undefined; dest_integration_id?: string | undefined };

export async function requireSync(ctx: Needs<"scope" | "db">, integrationId: string, address: Address): Promise<Sync> {
  const { id } = await getIntegration(ctx, integrationId);
  const viewOf = openSyncViews(ctx);
  const shown = async (sync: Sync) => ((await viewOf(sync)).isThere ? [sync] : []);
  const all = (await Promise.all((await findSyncsOf(ctx.db, ctx.scope.teamId, id)).map(shown))).flat();
  const { dest_schema: schema, dest_integration_id: lakeId } = address;
  const meant = all.filter(
    (sync) =>
      (schema === undefined || foldName(sync.destSchema) === foldName(schema)) &&
      (lakeId === undefined || sync.lakeId === lakeId.toLowerCase()),
  );
  if (meant.length > 1) throw ambiguous(meant);
  if (meant[0]) return meant[0];
  if (all.length === 0) throw new Problem("resource_not_found", `Integration ${integrationId} has no sync.`);
  const destinations = all.map(({ destSchema, lakeId }) => `${destSchema} of lake ${lakeId}`);
  throw new Problem(
    "resource_not_found",
    `Integration ${integrationId} has no sync into the schema and lake asked for. Its syncs ` +
      `go into ${named(destinations)}.`,
  );
}

const NAMED_MAX = 20;
const named = (choices: string[]): string =>
  choices.slice(0, NAMED_MAX).join(", ") +
  (choices.length > NAMED_MAX ? ` and ${choices.length - NAMED_MAX} more` : "");

function ambiguous(syncs: Sync[]): Problem {
  const schemas = [...new Set(syncs.map(({ destSchema }) => destSchema))];
  const parameter = schemas.length > 1 ? "dest_schema" : "dest_integration_id";
  const choices = schemas.length > 1 ? schemas : syncs.map(({ lakeId }) => lakeId);
  const message =
    `This integration has ${syncs.length} syncs. Say which by the query parameter \`${parameter}\`, as in ` +
    `\`?${parameter}=${encodeURIComponent(choices[0]!)}\`: ${named(choices)}.`;
  return invalidAt(`/query/${parameter}`, message);
}

/** Throws `precondition_failed` for a sync that is at another version than its caller expects, or not there. */
export function requireVersion(sync: Pick<Sync, "revision"> | undefined, expected: number | undefined): void {
  if (expected === undefined || expected === sync?.revision) return;
  const now = sync ? `The sync is at version ${sync.revision} now` : "There is no such sync";
  throw new Problem("precondition_failed", `${now}; read it again.`);
}

/** For a sync that was changed while this request looked at it. */
export const changedMeanwhile = (expected: number | undefined): Problem =>
  new Problem(
    expected === undefined ? "resource_conflict" : "precondition_failed",
    "The sync was changed at the same time. Read it again and repeat what is still wanted.",
  );

/** Also of an integration that was deleted: its runs are answered as long as they are kept. */
export async function requireRun(ctx: Needs<"scope" | "db">, integrationId: string, runId: string): Promise<Run> {
  const run = isUuid(runId) ? await findRun(ctx.db, ctx.scope.teamId, runId.toLowerCase()) : undefined;
  if (run?.sourceId === integrationId.toLowerCase() && (await viewSync(ctx, run)).isThere) return run;
  await getIntegration(ctx, integrationId);
  throw notFound("Sync run", runId);
}

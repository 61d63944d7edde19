// A run that builds tables needs a user who may write to the lake, and tables that are the doc's, before it starts.

import { newId } from "../../../core/ids.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { ownerOfDoc } from "../../../lake/writers/owners.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { getLake } from "../../integrations/get.ts";
import type { Doc } from "../doc.ts";
import type { Definition } from "../definition/definition.ts";
import type { RunPlan } from "../runs/plan/plan-run.ts";
import type { BuildLakes } from "./build.ts";
import { findDoc } from "../store.ts";
import { claimTables } from "./own-tables.ts";

export type BuildDeps = Needs<"scope" | "db"> & BuildLakes;
export type PlannedBuild = { buildId: string; lakeId: string };

/**
 * Null where no dataset of the plan builds a table. Throws `forbidden_insufficient_permissions` where the user may not
 * write to the lake, and `resource_conflict` where a table is another's.
 */
export async function planBuild(
  ctx: BuildDeps,
  doc: Doc,
  definition: Definition,
  { datasets }: Pick<RunPlan, "datasets">,
): Promise<PlannedBuild | null> {
  if (!datasets.some(({ isStaged }) => isStaged)) return null;
  const { id: lakeId } = await getLake(ctx);
  await requireLakeWrite(ctx, lakeId);
  await claimTables(ctx, lakeId, doc, definition);
  // Archiving records first and releases then: a run that claims after that finds the doc archived here.
  const now = await findDoc(ctx.db, ctx.scope.teamId, doc.id);
  if (now === undefined || now.archived_at !== null) {
    await ctx.openLake(lakeId).keepTables({ owner: ownerOfDoc(doc.id), name: doc.name }, []);
    throw notFound("Doc", doc.id);
  }
  return { buildId: newId(), lakeId };
}

/** Who sees a part of the lake does not write to it, whatever the right: a part, written back, would pass for all. */
export async function requireLakeWrite({ scope, db }: Needs<"db"> & { scope: Scope }, lakeId: string): Promise<void> {
  const mayWrite = scope.rights.includes("lake:write");
  if (mayWrite && (await resolveAccess({ scope, db }, { id: lakeId })).kind === "all") return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "The doc builds tables of the lake, for which whoever runs it, or owns its schedule, needs the right lake:write.",
  );
}

import { LAKE_ADMIN_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AutomationDeps } from "../../automations/resources/kind.ts";
import { findMaintenance } from "../../automations/maintenance/find.ts";
import { takeFirstStep } from "../../automations/runs/first-step.ts";
import type { Run } from "../../automations/runs/run.ts";
import { startMaintenanceRun } from "../../automations/runs/start.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { dryRunOf, submittedOf, type MaintenanceRequest, type SubmittedMaintenance } from "./maintenance.ts";

/** `waitUntil` keeps a step alive that takes longer than its request. */
export type RunDeps = Needs<"scope" | "openLake"> & AutomationDeps & { waitUntil(work: Promise<unknown>): void };

/**
 * Begins a lake's maintenance, whose first step is taken in the request itself: its engine has the job when this
 * answers, unless it has no capacity. Throws 409 for a lake that one goes on for, and names that.
 */
export async function runMaintenance(
  ctx: RunDeps,
  integrationId: string,
  { kind, dryRun }: MaintenanceRequest,
): Promise<SubmittedMaintenance> {
  const lake = await getManagedLake(ctx, integrationId);
  if (dryRun)
    return dryRunOf(
      lake,
      kind,
      await ctx.openLake(lake.lakeId).dryRunMaintenance(kind, LAKE_ADMIN_LIMITS.healthTablesMax),
    );
  // An operator's is audited where it is done: with the lake's team.
  const scope = scopeIn(ctx.scope, lake.teamId);
  const { run, isNew } = await startMaintenanceRun({ ...ctx, scope }, { ...lake, kind });
  if (!isNew) throw inProgress([run]);
  return startNow(ctx, run);
}

export async function startNow(ctx: RunDeps, run: Run): Promise<SubmittedMaintenance> {
  await takeFirstStep(ctx, run, ctx.waitUntil);
  const found = await findMaintenance(ctx.db, run, { maintenanceId: run.id });
  return submittedOf(found?.run ?? run, found?.engineJobId ?? null);
}

export function inProgress(runs: readonly Run[]): Problem {
  const named = runs.map(({ id, resourceId }) => `${id} (of lake ${resourceId})`).join(", ");
  const message =
    runs.length === 1
      ? `Maintenance ${named} is in progress. Wait for its end, and ask again.`
      : `Maintenances ${named} are in progress. Wait for their end, and ask again.`;
  return Object.assign(new Problem("work_in_progress", message), { conflictsWith: runs.map(({ id }) => id) });
}

import { LAKE_ADMIN_LIMITS } from "../limits.ts";
import { LAKE_LIMITS } from "../../lakes/limits.ts";
import { invalidAt, notFound } from "../../../core/problem.ts";
import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { listOpenMaintenances } from "../../automations/maintenance/find.ts";
import { startMaintenanceRun } from "../../automations/runs/start.ts";
import type { TeamLake } from "../../integrations/integration.ts";
import { listTeamLakes } from "../../integrations/list.ts";
import { getTeam } from "../../teams/get.ts";
import {
  dryRunOf,
  submittedOf,
  type MaintenanceRequest,
  type SubmittedMaintenance,
} from "../maintenance/maintenance.ts";
import { inProgress, startNow, type RunDeps } from "../maintenance/run.ts";

export type SubmittedTeamMaintenance = { teamId: string; maintenances: SubmittedMaintenance[] };

/**
 * Begins the maintenance of all lakes of a team; those that its engine has no capacity for wait. Throws 404 for no such
 * team, and for one without lakes; 409 where one of them is being maintained: nothing is begun then.
 */
export async function runTeamMaintenance(
  ctx: RunDeps,
  teamId: string,
  { kind, dryRun }: MaintenanceRequest,
): Promise<SubmittedTeamMaintenance> {
  const lakes = await requireLakes(ctx, teamId);
  if (dryRun) return { teamId: lakes[0]!.teamId, maintenances: await planEach(ctx, lakes, kind) };
  const open = await listOpenMaintenances(ctx.db, lakes);
  if (open.length > 0) throw inProgress(open);
  const maintenances: SubmittedMaintenance[] = [];
  for (const [index, lake] of lakes.entries()) {
    const scope = scopeIn(ctx.scope, lake.teamId);
    const { run } = await startMaintenanceRun({ ...ctx, scope }, { ...lake, kind });
    // The rest begin with their messages, as soon as the queue brings them.
    if (index < LAKE_ADMIN_LIMITS.teamLakesStartedMax) maintenances.push(await startNow(ctx, run));
    else {
      await ctx.wakeUps.send("automation_run", run);
      maintenances.push(submittedOf(run, null));
    }
  }
  return { teamId: lakes[0]!.teamId, maintenances };
}

/** All lakes of a team, as many as one request takes. */
export async function requireLakes(ctx: Needs<"db">, teamId: string): Promise<[TeamLake, ...TeamLake[]]> {
  const team = await getTeam(ctx, teamId.toLowerCase());
  const [first, ...rest] = await listTeamLakes(ctx, team.id, LAKE_ADMIN_LIMITS.teamLakesMaintainedMax + 1);
  if (!first) throw notFound("A lake of team", teamId);
  if (rest.length < LAKE_ADMIN_LIMITS.teamLakesMaintainedMax) return [first, ...rest];
  const message = `This team has more than ${LAKE_ADMIN_LIMITS.teamLakesMaintainedMax} lakes: maintain them one by one, or by schedules.`;
  throw invalidAt("/path/team_id", message);
}

async function planEach(
  { openLake }: Pick<RunDeps, "openLake">,
  lakes: readonly TeamLake[],
  kind: MaintenanceRequest["kind"],
): Promise<SubmittedMaintenance[]> {
  const plans: SubmittedMaintenance[] = [];
  for (const lake of lakes)
    plans.push(dryRunOf(lake, kind, await openLake(lake.lakeId).dryRunMaintenance(kind, LAKE_LIMITS.summaryTablesMax)));
  return plans;
}

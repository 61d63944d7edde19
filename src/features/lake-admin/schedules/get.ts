import { Problem } from "../../../core/problem.ts";
import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { findMaintenanceJob } from "../../automations/jobs/find.ts";
import type { Job } from "../../automations/jobs/job.ts";
import { showJob } from "../../automations/jobs/show.ts";
import { getManagedLake } from "../../integrations/get.ts";
import type { MaintenanceKind } from "../maintenance/maintenance.ts";
import { scheduleOf, type MaintenanceSchedule } from "./schedule.ts";

/** Throws 404 where the lake has none of this kind. */
export async function getMaintenanceSchedule(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  kind: MaintenanceKind,
): Promise<MaintenanceSchedule> {
  const { job, own } = await requireSchedule(ctx, integrationId, kind);
  return scheduleOf(await showJob(own, job));
}

/** The job that it is, and the scope of its lake's team. */
export async function requireSchedule<Ctx extends Needs<"scope" | "db">>(
  ctx: Ctx,
  integrationId: string,
  kind: MaintenanceKind,
): Promise<{ job: Job; own: Ctx }> {
  const { teamId, lakeId } = await getManagedLake(ctx, integrationId);
  const own = { ...ctx, scope: scopeIn(ctx.scope, teamId) };
  const job = await findMaintenanceJob(own, lakeId, kind);
  if (job?.cron == null) throw new Problem("resource_not_found", `This lake has no schedule of ${kind} maintenance.`);
  return { job, own };
}

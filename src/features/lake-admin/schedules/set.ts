import { isProblem, Problem } from "../../../core/problem.ts";
import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { createAutomationJob } from "../../automations/jobs/create.ts";
import { findMaintenanceJob } from "../../automations/jobs/find.ts";
import type { Job } from "../../automations/jobs/job.ts";
import { updateAutomationJob } from "../../automations/jobs/update.ts";
import { getManagedLake } from "../../integrations/get.ts";
import type { TeamLake } from "../../integrations/integration.ts";
import type { MaintenanceKind } from "../maintenance/maintenance.ts";
import { defaultCron, scheduleOf, type MaintenanceSchedule, type NewMaintenanceSchedule } from "./schedule.ts";

/** Creates or replaces a lake's schedule of a kind. The second of two changes at the same time is 409. */
export async function setMaintenanceSchedule(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  kind: MaintenanceKind,
  asked: NewMaintenanceSchedule,
): Promise<MaintenanceSchedule> {
  const lake = await getManagedLake(ctx, integrationId);
  const own = { ...ctx, scope: scopeIn(ctx.scope, lake.teamId) };
  try {
    return await setJob(own, lake, kind, asked);
  } catch (error) {
    throw isProblem(error) ? pointedAtBody(error) : error;
  }
}

async function setJob(
  own: Needs<"scope" | "db">,
  { lakeId }: TeamLake,
  kind: MaintenanceKind,
  { cron, timezone, enabled }: NewMaintenanceSchedule,
): Promise<MaintenanceSchedule> {
  const schedule = { cron: cron ?? defaultCron(kind, lakeId), timezone };
  const job = await findMaintenanceJob(own, lakeId, kind);
  if (job && job.cron === null) throw byHand(job);
  if (job) return scheduleOf(await updateAutomationJob(own, job.id, { schedule, enabled }));
  const fresh = { resourceType: "lake_integration_maintenance" as const, resourceId: lakeId, kind, schedule, enabled };
  try {
    return scheduleOf(await createAutomationJob(own, { ...fresh, retry: {}, overlap: "skip" }));
  } catch (error) {
    // It was not there a moment ago.
    if (await findMaintenanceJob(own, lakeId, kind)) throw changedMeanwhile();
    throw error;
  }
}

/** Somebody made a job that runs by hand: to give it a schedule is a change of their job, and not one of a schedule. */
const byHand = ({ id, name, kind }: Job): Problem =>
  new Problem(
    "resource_conflict",
    `This lake has a job for its ${kind} maintenance that runs by hand alone: ${name} (${id}). Give that one a schedule, ` +
      `PATCH /v4/automations/jobs/${id}, or delete it.`,
  );

const changedMeanwhile = (): Problem =>
  new Problem("resource_conflict", "The schedule was changed at the same time. Read it again, and repeat this.");

/** The job's `/schedule/cron` is `/cron` in the body of a schedule. */
const pointedAtBody = ({ code, message, flaws }: Problem): Problem =>
  new Problem(
    code,
    message,
    flaws.map((flaw) => ({ ...flaw, pointer: flaw.pointer.replace(/^\/schedule/, "") })),
  );

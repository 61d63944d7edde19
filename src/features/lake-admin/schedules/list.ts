import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { listAutomationJobs } from "../../automations/jobs/list.ts";
import { scheduleOf, type MaintenanceSchedule } from "./schedule.ts";

/** The schedules of the current team's lakes, oldest first. */
export async function listMaintenanceSchedules(
  ctx: Needs<"scope" | "db">,
  page: Page,
): Promise<PageOf<MaintenanceSchedule>> {
  const resourceType = "lake_integration_maintenance";
  const jobs = await listAutomationJobs(ctx, { resourceType, isScheduled: true }, { ...page, ascending: true });
  return { ...jobs, items: jobs.items.map((job) => scheduleOf(job)) };
}

import type { Needs } from "../../../clients/context.ts";
import { deleteJob } from "../../automations/jobs/delete.ts";
import type { MaintenanceKind } from "../maintenance/maintenance.ts";
import { requireSchedule } from "./get.ts";

/** Deletes the automation job that the schedule is; a run of it under way is cancelled. */
export async function deleteMaintenanceSchedule(
  ctx: Needs<"scope" | "db" | "wakeUps">,
  integrationId: string,
  kind: MaintenanceKind,
): Promise<void> {
  const { job, own } = await requireSchedule(ctx, integrationId, kind);
  await deleteJob(own, job);
}

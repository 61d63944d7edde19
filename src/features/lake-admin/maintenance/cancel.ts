import { Problem } from "../../../core/problem.ts";
import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { listOpenMaintenances } from "../../automations/maintenance/find.ts";
import { cancelRun } from "../../automations/runs/cancel.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { describeMaintenance, requireMaintenance } from "./get.ts";
import type { Maintenance } from "./maintenance.ts";

/**
 * Asks for the end of the maintenance that goes on, or waits to; whether a job runs it or somebody has asked for it by
 * itself. Asked again before that has come, it answers the same. Throws 404 where none goes on.
 */
export async function cancelMaintenance(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  integrationId: string,
): Promise<Maintenance> {
  const lake = await getManagedLake(ctx, integrationId);
  const [run] = await listOpenMaintenances(ctx.db, [lake]);
  if (!run) throw new Problem("resource_not_found", "No maintenance of this lake goes on.");
  // An operator's is audited where it is done: with the lake's team.
  await cancelRun({ ...ctx, scope: scopeIn(ctx.scope, lake.teamId) }, run);
  return describeMaintenance(ctx, await requireMaintenance(ctx, lake, { maintenanceId: run.id }));
}

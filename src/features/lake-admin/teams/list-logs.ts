import type { Needs } from "../../../clients/context.ts";
import { getTeam } from "../../teams/get.ts";
import { listLogsOfFailed, listLogsOfJob, type LogQuery, type MaintenanceLogs } from "../maintenance/list-logs.ts";

type Deps = Needs<"db" | "openLog">;

/** Lists the log of any of a team's lakes, by an engine's job or a maintenance. */
export async function listTeamMaintenanceLogs(
  ctx: Deps,
  teamId: string,
  jobId: string,
  query: LogQuery,
): Promise<MaintenanceLogs> {
  const { id } = await getTeam(ctx, teamId.toLowerCase());
  return listLogsOfJob(ctx, { teamId: id }, jobId, query);
}

/** Lists the log of the latest maintenance of any of a team's lakes that failed, or ran out of time. */
export async function listLastFailedTeamMaintenanceLogs(
  ctx: Deps,
  teamId: string,
  query: LogQuery,
): Promise<MaintenanceLogs> {
  const { id } = await getTeam(ctx, teamId.toLowerCase());
  return listLogsOfFailed(ctx, { teamId: id }, query);
}

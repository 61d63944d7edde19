import { attemptOfJob } from "../../../core/job-id.ts";
import { notFound } from "../../../core/problem.ts";
import type { PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { LogLevel, SourcedLogEntry } from "../../../platform/logs/log-lines.ts";
import { findMaintenance, type MaintenanceOf, type MaintenanceRun } from "../../automations/maintenance/find.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { requireMaintenance } from "./get.ts";

type Deps = Needs<"scope" | "db" | "openLog">;
export type LogQuery = {
  limit?: number | undefined;
  offset?: number | undefined;
  ascending?: boolean | undefined;
  level?: LogLevel[] | undefined;
};

const LINES_DEFAULT = 100;
export type MaintenanceLogs = PageOf<SourcedLogEntry> & { maintenanceId: string; engineJobId: string | null };

/** `jobId`: an engine job's, whose attempt's lines are answered; or a maintenance's, with those of all its attempts. */
export async function listMaintenanceLogs(
  ctx: Deps,
  integrationId: string,
  jobId: string,
  query: LogQuery,
): Promise<MaintenanceLogs> {
  return listLogsOfJob(ctx, await getManagedLake(ctx, integrationId), jobId, query);
}

/** Lists the log of the latest maintenance that failed, or ran out of time, with all its attempts. */
export async function listLastFailedMaintenanceLogs(
  ctx: Deps,
  integrationId: string,
  query: LogQuery,
): Promise<MaintenanceLogs> {
  return listLogsOfFailed(ctx, await getManagedLake(ctx, integrationId), query);
}

export async function listLogsOfJob(
  ctx: Pick<Deps, "db" | "openLog">,
  of: MaintenanceOf,
  jobId: string,
  query: LogQuery,
): Promise<MaintenanceLogs> {
  const ofAttempt = await findMaintenance(ctx.db, of, { engineJobId: jobId });
  if (ofAttempt) return readLogs(ctx, { ...ofAttempt, engineJobId: jobId }, { ...query, ...attemptOf(jobId) });
  const found = await findMaintenance(ctx.db, of, { maintenanceId: jobId });
  if (!found) throw notFound("Maintenance job", jobId);
  return readLogs(ctx, found, query);
}

export const listLogsOfFailed = async (
  ctx: Pick<Deps, "db" | "openLog">,
  of: MaintenanceOf,
  query: LogQuery,
): Promise<MaintenanceLogs> => readLogs(ctx, await requireMaintenance(ctx, of, { isFailed: true }), query);

const attemptOf = (jobId: string): { attempt: number } => ({ attempt: attemptOfJob(jobId).attempt });

async function readLogs(
  { openLog }: Pick<Deps, "openLog">,
  { run, engineJobId }: MaintenanceRun,
  { level: levels, attempt, ...paging }: LogQuery & { attempt?: number },
): Promise<MaintenanceLogs> {
  const { limit = LINES_DEFAULT, offset = 0, ascending = true } = paging;
  const isEnd = Object.values(paging).every((value) => value === undefined);
  const page = { limit, offset, ascending: ascending && !isEnd };
  const { lines, total } = await openLog(run.teamId).query(run.id, { levels, attempt, ...page });
  const shown = isEnd
    ? { items: lines.toReversed(), offset: Math.max(0, total - lines.length) }
    : { items: lines, offset };
  return { maintenanceId: run.id, engineJobId, ...shown, total, limit };
}

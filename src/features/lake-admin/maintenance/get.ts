import { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { progressOfMaintenance } from "../../automations/resources/maintenance/attempt.ts";
import {
  findMaintenance,
  type MaintenanceOf,
  type MaintenanceRun,
  type Which,
} from "../../automations/maintenance/find.ts";
import { listAttempts } from "../../work-model/attempts.ts";
import { listWaiting } from "../../work-model/waiting/list-waiting.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { maintenanceOf, type Maintenance } from "./maintenance.ts";

type Deps = Needs<"scope" | "db" | "openLake">;

/** A lake's maintenance by its id or an engine job's, or its latest. Throws 404 where there is none. */
export async function getMaintenance(ctx: Deps, integrationId: string, which: Which): Promise<Maintenance> {
  const lake = await getManagedLake(ctx, integrationId);
  return describeMaintenance(ctx, await requireMaintenance(ctx, lake, which));
}

export async function requireMaintenance(
  { db }: Needs<"db">,
  of: MaintenanceOf,
  which: Which,
): Promise<MaintenanceRun> {
  const found = await findMaintenance(db, of, which);
  if (found) return found;
  const named = which.maintenanceId ?? which.engineJobId;
  throw named === undefined ? nothingYet(which) : notFound("Maintenance", named);
}

/** The newest; the job's own list has all. */
const ATTEMPTS_SHOWN_MAX = 20;

/**
 * Describes a maintenance by its job's report, or, where none is under way, as it was at the end of the last attempt.
 */
export async function describeMaintenance(
  { db, openLake }: Omit<Deps, "scope">,
  { run, engineJobId, progress }: MaintenanceRun,
): Promise<Maintenance> {
  const page = { limit: ATTEMPTS_SHOWN_MAX, offset: 0 };
  const [attempts, live, waitingOf] = await Promise.all([
    listAttempts({ db }, run, page),
    progressOfMaintenance({ openLake }, run),
    listWaiting({ db }, "automation_run", { runs: [run], now: new Date() }),
  ]);
  return maintenanceOf({
    run,
    waiting: waitingOf(run),
    engineJobId,
    attempts: attempts.items,
    progress: live ?? readProgress(progress),
  });
}

/** Progress that an earlier version kept in another form is not shown. */
function readProgress(text: string | null) {
  const parsed = text === null ? undefined : MaintenanceProgress.safeParse(JSON.parse(text));
  return parsed?.success ? parsed.data : null;
}

const nothingYet = ({ isFailed }: Which): Problem =>
  new Problem("resource_not_found", isFailed ? "No maintenance has failed here." : "No maintenance was asked for yet.");

// Runs of automations as a kind of work: of each, what its resource's attempts do.

import type { MaintenanceProgress } from "../../../containers/engine/contract/maintenance.ts";
import { newId } from "../../core/ids.ts";
import { newJobId } from "../../core/job-id.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Right, Scope } from "../../core/scope.ts";
import type { Needs } from "../../platform/context.ts";
import { automationRuns } from "../../platform/db/schema/work-schema.ts";
import type { MeasureDeps } from "../lakes/summaries/keep-summary.ts";
import { actAs, actAsOperator } from "../teams/users/act-as.ts";
import type { JobDeps } from "../work-model/engine-attempt/job.ts";
import { failed } from "../work-model/engine-attempt/start.ts";
import type { StepOutcome, WorkKind } from "../work-model/kind.ts";
import { startDoc, stopDoc, watchDoc } from "./attempts/doc.ts";
import { endMaintenance, startMaintenance, stopMaintenance, watchMaintenance } from "./attempts/maintenance.ts";
import { findArchivedDoc, pauseJob, type Obstacle } from "./jobs/pause.ts";
import type { Run } from "./runs/run.ts";
import { progressColumns } from "./runs/store-rows.ts";
import { startDueAutomation } from "./schedule/start-due.ts";
import { findRun, isItsTurnInSql, isTurnOf, selectWaiting } from "./runs/store.ts";

export type AutomationDeps = JobDeps & MeasureDeps & Needs<"openSandbox">;
type Outcome = StepOutcome<MaintenanceProgress>;

export const AUTOMATION_WORK: WorkKind<Run, AutomationDeps, MaintenanceProgress> = {
  wakeUp: "automation_run",
  runs: { table: automationRuns, find: findRun, isTurnOf, isItsTurn: isItsTurnInSql, progressColumns },
  policyOf: (_, { attemptsMax, backoffSeconds, timeoutSeconds, resourceType }) => ({
    attemptsMax,
    retryMsBase: backoffSeconds * 1_000,
    retryMsMax: Math.max(backoffSeconds * 1_000, LIMITS.automationRetryMsMax),
    runMsMax: timeoutSeconds * 1_000,
    overtime: { state: "timed_out", reason: `The run was given up after ${timeoutSeconds} s.` },
    worker: resourceType === "doc" ? "sandbox" : "engine",
  }),
  // A doc's run is known by an id of its own, of the form that all have.
  newJobId: ({ id, resourceType }, attempt) => (resourceType === "doc" ? newId() : newJobId(id, attempt)),
  start: startAttempt,
  watch: (deps, run) => (run.resourceType === "doc" ? watchDoc(deps, run, new Date()) : watchMaintenance(deps, run)),
  stop: (deps, run) => (run.resourceType === "doc" ? stopDoc(deps, run, new Date()) : stopMaintenance(deps, run)),
  ended: goOn,
};

/** What a run of each type needs of its owner. */
export const RIGHTS_NEEDED: Record<Run["resourceType"], Right> = {
  doc: "docs:run",
  lake_integration_maintenance: "lake:manage",
};

async function startAttempt(deps: AutomationDeps, run: Run): Promise<Outcome> {
  // Whoever asks for a maintenance by itself has shown there and then that they may.
  if (run.automationId === null) return startMaintenance(deps, run);
  const now = new Date();
  const owner = await actAsOwner(deps, run, now);
  if ("pausedReason" in owner) return failAndPause(deps, run, owner, now);
  const archived = await findArchivedDoc(deps, run);
  if (archived) return failAndPause(deps, run, archived, now);
  return run.resourceType === "doc" ? startDoc(deps, run, owner) : startMaintenance(deps, run);
}

/** The job is paused before the run's end is recorded: an alert of the run finds it so. */
async function failAndPause(deps: AutomationDeps, run: Run, obstacle: Obstacle, now: Date): Promise<Outcome> {
  await pauseJob(deps, run, obstacle, now);
  return failed(obstacle.error, false);
}

/**
 * The rights that a job's owner has now; or why they have not what it takes. A lake may be maintained by an operator of
 * another team, who has set its schedule.
 */
export async function actAsOwner(
  { db }: Needs<"db">,
  { id, teamId, ownerId, resourceType }: Pick<Run, "id" | "teamId" | "ownerId" | "resourceType">,
  now: Date,
): Promise<Scope | Obstacle> {
  const work = { requestId: id, now };
  const owner =
    (await actAs({ db, scope: { teamId } }, ownerId, work)) ??
    (resourceType === "lake_integration_maintenance" ? await actAsOperator({ db }, ownerId, work) : undefined);
  if (!owner) {
    const error = "The job's owner is not in the team any more. An admin can take the job over, and enable it.";
    return { pausedReason: "owner_gone", error };
  }
  const right = RIGHTS_NEEDED[resourceType];
  if (owner.rights.includes(right)) return owner;
  const error = `The job's owner, ${owner.userName}, has no right ${right} any more. An admin can take the job over, and enable it.`;
  return { pausedReason: "owner_lacks_right", error };
}

/** The next of its job, and of its lake, may begin. */
async function goOn(deps: AutomationDeps, run: Run, now: Date): Promise<void> {
  const { db, wakeUps } = deps;
  await wakeUps.sendAll("automation_run", await selectWaiting(db, run, LIMITS.automationRunsWaitingMax));
  await startDueAutomation(deps, run, now);
  if (run.resourceType === "lake_integration_maintenance") await endMaintenance(deps, run, now);
}

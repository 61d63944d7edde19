// Runs of automations as a kind of work. What an attempt does is for the type of its resource: `resources/`.

import type { MaintenanceProgress } from "../../../kernel/lake/maintenance.ts";
import { AUTOMATION_LIMITS } from "./limits.ts";
import { RESOURCE_FACTS } from "../../core/resource-types.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { automationRuns } from "../../platform/db/schema/work-schema.ts";
import { actAs, actAsOperator } from "../teams/users/act-as.ts";
import { failed } from "../work-model/engine-attempt/start.ts";
import type { WorkKind } from "../work-model/kind.ts";
import { pauseJob } from "./jobs/pause.ts";
import type { AutomationDeps, Obstacle, Outcome } from "./resources/kind.ts";
import { RESOURCES } from "./resources/resources.ts";
import type { Run } from "./runs/run.ts";
import { progressColumns } from "./runs/store-rows.ts";
import { startDueAutomation } from "./schedule/start-due.ts";
import { findRun, isItsTurnInSql, isTurnOf, selectWaiting } from "./runs/store.ts";

export const AUTOMATION_WORK: WorkKind<Run, AutomationDeps, MaintenanceProgress> = {
  wakeUp: "automation_run",
  runs: { table: automationRuns, find: findRun, isTurnOf, isItsTurn: isItsTurnInSql, progressColumns },
  policyOf: (_, { attemptsMax, backoffSeconds, timeoutSeconds, resourceType }) => ({
    attemptsMax,
    retryMsBase: backoffSeconds * 1_000,
    retryMsMax: Math.max(backoffSeconds * 1_000, AUTOMATION_LIMITS.retryMsMax),
    runMsMax: timeoutSeconds * 1_000,
    overtime: { state: "timed_out", reason: `The run was given up after ${timeoutSeconds} s.` },
    worker: RESOURCE_FACTS[resourceType].worker,
  }),
  newJobId: ({ id, resourceType }, attempt) => RESOURCES[resourceType].newWorkId(id, attempt),
  start: startAttempt,
  watch: (deps, run) => RESOURCES[run.resourceType].watch(deps, run),
  stop: (deps, run) => RESOURCES[run.resourceType].stop(deps, run),
  ended: goOn,
};

async function startAttempt(deps: AutomationDeps, run: Run): Promise<Outcome> {
  const kind = RESOURCES[run.resourceType];
  if (run.automationId === null) {
    if (kind.startAlone) return kind.startAlone(deps, run);
    throw new Error(`A run of ${kind.noun} has no job.`);
  }
  const now = new Date();
  const owner = await actAsOwner(deps, run, now);
  if ("pausedReason" in owner) return failAndPause(deps, run, owner, now);
  const obstacle = await kind.findObstacle(deps, run);
  return obstacle ? failAndPause(deps, run, obstacle, now) : kind.start(deps, run, owner);
}

/** The job is paused before the run's end is recorded: an alert of the run finds it so. */
async function failAndPause(deps: AutomationDeps, run: Run, obstacle: Obstacle, now: Date): Promise<Outcome> {
  await pauseJob(deps, run, obstacle, now);
  return failed(obstacle.error, false);
}

/**
 * The rights that a job's owner has now; or why they have not what it takes. An operator of another team may own jobs
 * of some types: a lake's maintenance, whose schedule they have set.
 */
export async function actAsOwner(
  { db }: Needs<"db">,
  { id, teamId, ownerId, resourceType }: Pick<Run, "id" | "teamId" | "ownerId" | "resourceType">,
  now: Date,
): Promise<Scope | Obstacle> {
  const work = { requestId: id, now };
  const owner =
    (await actAs({ db, scope: { teamId } }, ownerId, work)) ??
    (RESOURCE_FACTS[resourceType].mayBeOperators ? await actAsOperator({ db }, ownerId, work) : undefined);
  if (!owner) {
    const error = "The job's owner is not in the team any more. An admin can take the job over, and enable it.";
    return { pausedReason: "owner_gone", error };
  }
  const { right } = RESOURCES[resourceType];
  if (owner.rights.includes(right)) return owner;
  const error = `The job's owner, ${owner.userName}, has no right ${right} any more. An admin can take the job over, and enable it.`;
  return { pausedReason: "owner_lacks_right", error };
}

/** The next of its job, and of its lake, may begin. */
async function goOn(deps: AutomationDeps, run: Run, now: Date): Promise<void> {
  const { db, wakeUps } = deps;
  await wakeUps.sendAll("automation_run", await selectWaiting(db, run, AUTOMATION_LIMITS.runsWaitingMax));
  await startDueAutomation(deps, run, now);
  await RESOURCES[run.resourceType].ended(deps, run, now);
}

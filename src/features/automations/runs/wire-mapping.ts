// A run as it is kept becomes the run that the API shows. Pure.

import type { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import { RESOURCE_FACTS } from "../../../core/resource-types.ts";
import type { Run } from "./run.ts";
import type { ShownRun } from "./store.ts";
import type { Attempt } from "../../work-model/attempts.ts";
import { instantOrNull } from "../../work-model/run.ts";
import type { Waiting } from "../../work-model/waiting/waiting.ts";
import type { AutomationAttempt, AutomationRun, LastRun, RunState } from "./wire-schema.ts";

/** Callers see a run that runs, whichever step its attempt is at. */
export const stateOf = ({ state }: Pick<Run, "state">): RunState => (state === "starting" ? "running" : state);

/** The deadline counts from there. */
const beganAtMs = ({ startedAtMs, deadlineAtMs, timeoutSeconds }: Run): number | null =>
  startedAtMs === null ? null : deadlineAtMs - timeoutSeconds * 1_000;

export const lastRunOf = (run: Run): LastRun => ({
  id: run.id,
  state: stateOf(run),
  cause: run.cause,
  scheduledFor: run.scheduledFor,
  error: run.state === "cancelled" ? (run.cancelReason ?? run.error) : run.error,
  created_at: run.createdAt,
  startedAt: instantOrNull(beganAtMs(run)),
  endedAt: run.endedAt,
});

/** `progress` is known of a maintenance that is asked for by itself. */
export function wireOf(
  { run, lastWorkId }: ShownRun,
  waiting: Waiting,
  progress?: MaintenanceProgress | null,
): AutomationRun {
  const beganAt = beganAtMs(run);
  return {
    ...lastRunOf(run),
    jobId: run.automationId,
    resourceType: run.resourceType,
    resourceId: run.resourceId,
    ...(run.kind === null ? {} : { kind: run.kind }),
    ...(RESOURCE_FACTS[run.resourceType].hasDatasets ? { datasetKeys: run.datasetKeys } : {}),
    replayOf: run.replayOf,
    attempt: run.attempt,
    ...workIdOf(run, lastWorkId),
    isCancelling: run.cancelRequested && run.endedAt === null,
    cancelCode: run.cancelCode,
    durationMs: run.endedAt === null || beganAt === null ? null : Date.parse(run.endedAt) - beganAt,
    ...waiting,
    ...(progress === undefined ? {} : { progress }),
  };
}

/** The work on an attempt is an engine's job, or a run of the doc in the sandbox. */
function workIdOf(
  { resourceType, resourceId }: Pick<Run, "resourceType" | "resourceId">,
  workId: string | null,
): Pick<AutomationAttempt, "engineJobId" | "docRunId" | "resultsUrl"> {
  const { worker } = RESOURCE_FACTS[resourceType];
  const docRunId = worker === "sandbox" ? workId : null;
  return {
    engineJobId: worker === "engine" ? workId : null,
    docRunId,
    resultsUrl: docRunId === null ? null : `/v4/docs/${resourceId}/runs/${docRunId}`,
  };
}

export function attemptOf(
  run: Pick<Run, "resourceType" | "resourceId">,
  { attempt, runId, state, workId, error, startedAt, endedAt }: Attempt,
): AutomationAttempt {
  return {
    id: attempt,
    runId,
    state,
    ...workIdOf(run, workId),
    error,
    startedAt,
    endedAt,
    durationMs: endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
  };
}

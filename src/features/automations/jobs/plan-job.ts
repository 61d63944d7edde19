// The form of a new job, the changes it may have, and when it is due. This file is pure.

import { parseCron } from "../../../core/schedule/cron.ts";
import { foldText } from "../../../../kernel/text/fold-name.ts";
import { newId } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import { AUTOMATION_LIMITS } from "../limits.ts";
import { DOC_LIMITS } from "../../docs/limits.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import { RESOURCE_FACTS } from "../../../core/resource-types.ts";
import { checkEnvironment } from "../../../../kernel/text/environment-names.ts";
import {
  choiceOf,
  packPayload,
  payloadOf,
  scheduleOf,
  type AutomationJobPatch,
  type Job,
  type NewAutomationJob,
} from "./job.ts";

type JobOrigin = { teamId: string; ownerId: string; now: Date; nameDefault: string };

/** A new job at its beginning. Throws `validation_failed` for a schedule that can't be, or never comes. */
export function planJob(input: NewAutomationJob, { teamId, ownerId, now, nameDefault }: JobOrigin): Job {
  const { resourceType, resourceId, enabled, schedule, retry, timeoutSeconds, overlap } = input;
  const { kind, datasetKeys } = choiceOf(input);
  const at = now.toISOString();
  const name = input.name ?? nameDefault.slice(0, LIMITS.nameCharactersMax);
  const job: Job = {
    id: newId(now),
    teamId,
    name,
    nameFolded: foldText(name),
    isEnabled: enabled,
    resourceType,
    resourceId: resourceId.toLowerCase(),
    kind,
    datasetKeys: uniqueOrNull(datasetKeys),
    cron: schedule?.cron ?? null,
    timezone: schedule?.timezone ?? null,
    attemptsMax: retry.attempts ?? AUTOMATION_LIMITS.attemptsDefault[resourceType],
    backoffSeconds: retry.backoffSeconds ?? AUTOMATION_LIMITS.backoffSecondsDefault,
    timeoutSeconds: timeoutSeconds ?? AUTOMATION_LIMITS.timeoutSecondsDefault[resourceType],
    overlap,
    ownerId,
    nextRunAt: null,
    pausedReason: null,
    docEntry: null,
    payload: checkedPayload(payloadOf(input)),
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
  return { ...job, nextRunAt: nextRunOf(job, now) };
}

const uniqueOrNull = (keys: string[] | null): string[] | null => (keys ? [...new Set(keys)] : null);

/**
 * The job with what is changed of it. It is planned anew from now on only where its schedule changes: a time that has
 * come and that no tick has seen yet stays due. Throws `validation_failed` as {@link planJob}, and for a field of
 * another type of job.
 */
export function patchJob(job: Job, patch: AutomationJobPatch, { userId, now }: { userId: string; now: Date }): Job {
  if (patch.datasetKeys !== undefined && !RESOURCE_FACTS[job.resourceType].hasDatasets)
    throw invalidAt("/datasetKeys", "Only a job of a doc has datasets.");
  if (patch.ownerId !== undefined && patch.ownerId.toLowerCase() !== userId)
    throw invalidAt("/ownerId", "A job can be taken over, and not given away: name yourself, or leave this out.");
  if (
    (patch.data !== undefined || patch.environmentVariables !== undefined) &&
    !RESOURCE_FACTS[job.resourceType].hasDatasets
  )
    throw invalidAt("/data", "Only a job of a doc hands its runs data and variables.");
  const { schedule = scheduleOf(job) } = patch;
  const { data = job.payload?.data, environmentVariables = job.payload?.environmentVariables } = patch;
  const name = patch.name ?? job.name;
  const next: Job = {
    ...job,
    name,
    nameFolded: foldText(name),
    isEnabled: patch.enabled ?? job.isEnabled,
    pausedReason: patch.enabled === undefined ? job.pausedReason : null,
    payload: checkedPayload(packPayload(data, environmentVariables)),
    datasetKeys: patch.datasetKeys === undefined ? job.datasetKeys : uniqueOrNull(patch.datasetKeys),
    cron: schedule?.cron ?? null,
    timezone: schedule?.timezone ?? null,
    attemptsMax: patch.retry?.attempts ?? job.attemptsMax,
    backoffSeconds: patch.retry?.backoffSeconds ?? job.backoffSeconds,
    timeoutSeconds: patch.timeoutSeconds ?? job.timeoutSeconds,
    overlap: patch.overlap ?? job.overlap,
    ownerId: patch.ownerId === undefined ? job.ownerId : userId,
    revision: job.revision + 1,
    updatedAt: now.toISOString(),
  };
  return isPlannedAnew(job, next) ? { ...next, nextRunAt: nextRunOf(next, now) } : next;
}

/** Throws `validation_failed` for what is too much, and for variables that no caller may set. */
function checkedPayload(payload: Job["payload"]): Job["payload"] {
  const bytes = new TextEncoder().encode(JSON.stringify(payload)).byteLength;
  const { automationPayloadBytesMax: max } = DOC_LIMITS;
  if (bytes > max) throw invalidAt("/data", `Data and variables have ${bytes} bytes as JSON; ${max} are allowed.`);
  const flaws = checkEnvironment(payload?.environmentVariables ?? {}).map(({ pointer, message }) => ({
    pointer,
    message: `It ${message}.`,
  }));
  if (flaws.length > 0) throw new Problem("validation_failed", flaws[0]!.message, flaws);
  return payload;
}

/** Whether a change makes the time of the next run another. */
export const isPlannedAnew = (before: Job, after: Job): boolean =>
  before.cron !== after.cron || before.timezone !== after.timezone || before.isEnabled !== after.isEnabled;

/** When a job is due next after an instant; null for one that is disabled, or runs by hand alone. */
export function nextRunOf(job: Job, after: Date): string | null {
  const schedule = scheduleOf(job);
  if (!schedule) return null;
  const parsed = parseCron(schedule.cron, schedule.timezone);
  if ("reason" in parsed) throw invalidAt(`/schedule/${parsed.field}`, `The ${NAMES[parsed.field]} ${parsed.reason}.`);
  return job.isEnabled ? parsed.next(after).toISOString() : null;
}

const NAMES = { cron: "cron expression", timezone: "timezone" };

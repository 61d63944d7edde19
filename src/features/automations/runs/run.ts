// The noun: one run of an automation job, or of a lake's maintenance by itself, as it is kept. Pure.

import { newId } from "../../../core/ids.ts";
import { AUTOMATION_LIMITS } from "../limits.ts";
import type { automationRuns } from "../../../platform/db/schema/work-schema.ts";
import { newWorkRun, type KeptRun } from "../../work-model/run.ts";
import type { Job } from "../jobs/job.ts";

export type Row = typeof automationRuns.$inferSelect;

/** The subject and bounds of a run: a job, or a lake whose maintenance was asked for without a job. */
export type RunSubject = Pick<
  Row,
  | "teamId"
  | "automationId"
  | "resourceType"
  | "resourceId"
  | "kind"
  | "datasetKeys"
  | "ownerId"
  | "attemptsMax"
  | "backoffSeconds"
  | "timeoutSeconds"
>;

export type RunRequest = Pick<Row, "cause" | "scheduledFor" | "replayOf">;

/** A run as it is kept: what all kinds of work have, and what it is a run of. */
export type Run = KeptRun & RunSubject & RunRequest;

export const subjectOfJob = (job: Job): RunSubject => ({
  teamId: job.teamId,
  automationId: job.id,
  resourceType: job.resourceType,
  resourceId: job.resourceId,
  kind: job.kind,
  datasetKeys: job.datasetKeys,
  ownerId: job.ownerId,
  attemptsMax: job.attemptsMax,
  backoffSeconds: job.backoffSeconds,
  timeoutSeconds: job.timeoutSeconds,
});

type Maintenance = { teamId: string; lakeId: string; kind: NonNullable<Row["kind"]>; ownerId: string };

/** A lake's maintenance without a job; `ownerId` is who asked for it. */
export const subjectOfMaintenance = ({ teamId, lakeId, kind, ownerId }: Maintenance): RunSubject => ({
  teamId,
  automationId: null,
  resourceType: "lake_integration_maintenance",
  resourceId: lakeId,
  kind,
  datasetKeys: null,
  ownerId,
  attemptsMax: AUTOMATION_LIMITS.attemptsDefault.lake_integration_maintenance,
  backoffSeconds: AUTOMATION_LIMITS.backoffSecondsDefault,
  timeoutSeconds: AUTOMATION_LIMITS.timeoutSecondsDefault.lake_integration_maintenance,
});

/** A run at its beginning, due at once. */
export const planRun = (subject: RunSubject, asked: RunRequest, now: Date): Run => ({
  ...newWorkRun({ id: newId(now), teamId: subject.teamId }, now, subject.timeoutSeconds * 1_000),
  ...subject,
  ...asked,
});

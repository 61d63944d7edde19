// The subject of alerts: a sync or a job, reduced to the facts that a verdict and a message need. This file is pure.

import { RESOURCE_FACTS } from "../../../core/resource-types.ts";
import type { EPISODE_CAUSES } from "../../../platform/db/schema/alert-schema.ts";
import type { FailedTest } from "../../../platform/db/schema/schema.ts";
import { isScheduled, overdueByOf as overdueByOfJob, type JobFacts } from "../../automations/overview/job-facts.ts";
import type { SyncFacts } from "../../syncs/overview/facts.ts";
import { overdueByOf } from "../../syncs/overview/health.ts";
import type { AlertDetails, AlertEvent } from "./event.ts";

/** What messages tell of. */
export type AlertedChange = (typeof EPISODE_CAUSES)[number] | "recovered";

export type Subject = {
  type: "sync" | "job";
  id: string;
  teamId: string;
  success: { id: string; endedAt: string } | null;
  /** The last success, where tests of the tables that it built failed whose severity is `warn`. */
  warning: { id: string; endedAt: string } | null;
  failure: { id: string; endedAt: string; error: string | null } | null;
  isScheduled: boolean;
  /** When its schedule began, or was changed last. */
  scheduledSince: string;
  /** By when it should have succeeded again, where that is past. */
  overdueBy: Date | null;
  /** Where the API has it, and a run of it. */
  pathOf(runId: string | null): string;
  /** The message about it. */
  eventOf(what: AlertedChange, timestamp: string, details: AlertDetails): AlertEvent;
};

export function subjectOfSync(facts: SyncFacts, now: Date): Subject {
  const { sync, success, failure, sourceName, lakeName } = facts;
  const base = `/v1/api/integrations/${sync.sourceId}`;
  const at = new URLSearchParams({ dest_schema: sync.destSchema, dest_integration_id: sync.lakeId });
  return {
    type: "sync",
    id: sync.id,
    teamId: sync.teamId,
    success,
    warning: null,
    failure,
    isScheduled: sync.status === "active",
    scheduledSince: sync.updatedAt,
    overdueBy: overdueByOf(facts, now),
    pathOf: (runId) => (runId === null ? `${base}/sync?${at.toString()}` : `${base}/syncs/${runId}`),
    eventOf: (what, timestamp, details) => ({
      type: `sync.${requireOfSync(what)}`,
      timestamp,
      data: {
        sync_id: sync.id,
        source_id: sync.sourceId,
        source_name: sourceName,
        lake_id: sync.lakeId,
        lake_name: lakeName,
        dest_schema: sync.destSchema,
        ...details,
      },
    }),
  };
}

function requireOfSync(what: AlertedChange): Exclude<AlertedChange, "warned"> {
  if (what === "warned") throw new Error("A sync has no tests.");
  return what;
}

/** The tests that failed, by the run of a doc that they failed in. */
type FailedTests = ReadonlyMap<string, FailedTest[]>;

/** The doc's run that a job's run was. */
export const docRunOf = ({ job }: JobFacts, run: { attemptJobId: string | null } | null): string | null =>
  RESOURCE_FACTS[job.resourceType].subject === "doc" ? (run?.attemptJobId ?? null) : null;

export function subjectOfJob(facts: JobFacts, failedTests: FailedTests, now: Date): Subject {
  const { job, success, failure } = facts;
  const testsOf = (run: JobFacts["success"]): FailedTest[] => failedTests.get(docRunOf(facts, run) ?? "") ?? [];
  const base = `/v4/automations/jobs/${job.id}`;
  return {
    type: "job",
    id: job.id,
    teamId: job.teamId,
    success,
    warning: testsOf(success).length > 0 ? success : null,
    failure,
    isScheduled: isScheduled(job),
    scheduledSince: job.updatedAt,
    overdueBy: overdueByOfJob(facts, now),
    pathOf: (runId) => (runId === null ? base : `${base}/runs/${runId}`),
    eventOf: (what, timestamp, details) => ({
      type: `job.${what}`,
      timestamp,
      data: {
        job_id: job.id,
        job_name: job.name,
        resource_type: job.resourceType,
        resource_id: job.resourceId,
        kind: job.kind,
        paused_reason: job.pausedReason,
        tests: what === "failed" ? testsOf(failure) : what === "warned" ? testsOf(success) : [],
        ...details,
      },
    }),
  };
}

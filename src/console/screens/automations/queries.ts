// The job screens ask the API for these, and tell the state of a job beyond that of its last run.

import { queryOptions } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { isUnderWay, POLL_MS, SELDOM_MS } from "../../ui/runs/run-state.tsx";

export type Job = components["schemas"]["AutomationJob"];
export type Run = components["schemas"]["AutomationRun"];

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["jobs", jobId],
    queryFn: () => dataOf(api.GET("/v4/automations/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    refetchInterval: ({ state }) => (state.data?.lastRun && isUnderWay(state.data.lastRun.state) ? POLL_MS : SELDOM_MS),
  });

export const runQuery = (jobId: string, runId: string) =>
  queryOptions({
    queryKey: ["jobs", jobId, "runs", runId],
    queryFn: () =>
      dataOf(
        api.GET("/v4/automations/jobs/{job_id}/runs/{run_id}", { params: { path: { job_id: jobId, run_id: runId } } }),
      ),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data.state) ? false : POLL_MS),
  });

const LATE_MS = 120_000;

/** A job is late when its next time is past and no run goes on. */
export const isLate = ({ enabled, nextRunAt, lastRun }: Job, now: number): boolean =>
  enabled && nextRunAt !== null && Date.parse(nextRunAt) + LATE_MS < now && !(lastRun && isUnderWay(lastRun.state));

export const RESOURCES: Record<Job["resourceType"], string> = {
  doc: "doc",
  delivery: "delivery",
  lake_integration_maintenance: "lake maintenance",
};

export const PAUSES: Record<NonNullable<Job["pausedReason"]>, string> = {
  doc_archived: "its doc is archived",
  owner_gone: "its owner has left",
  owner_lacks_right: "its owner lacks the right",
};

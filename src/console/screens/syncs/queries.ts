// The screen of syncs asks the API for these, within two seconds while something runs.

import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "../../api/client.ts";
import { isUnderWay, type SyncSummary } from "./sync-state.ts";

const ALL_MAX = 1_000;
const RUNS_MAX = 100;
const BUSY_MS = 2_000;
const IDLE_MS = 20_000;

export const syncsQuery = (integrationId?: string) =>
  queryOptions({
    queryKey: ["syncs", "all", integrationId ?? null],
    queryFn: () =>
      bodyOf(
        api.GET("/v1/api/syncs", {
          params: { query: { limit: ALL_MAX, ...(integrationId !== undefined && { integration_id: integrationId }) } },
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ last_run: run }) => run && isUnderWay(run.state)) ? BUSY_MS : IDLE_MS,
  });

export const runsQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["sync-runs", integrationId],
    queryFn: () =>
      bodyOf(
        api.GET("/v1/api/integrations/{integration_id}/syncs", {
          params: { path: { integration_id: integrationId }, query: { limit: RUNS_MAX, desc: true } },
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ details }) => isUnderWay(details.state)) ? BUSY_MS : IDLE_MS,
  });

export const runQuery = (integrationId: string, runId: string) =>
  queryOptions({
    queryKey: ["sync-run", runId],
    queryFn: () =>
      bodyOf(
        api.GET("/v1/api/integrations/{integration_id}/syncs/{run_id}", {
          params: { path: { integration_id: integrationId, run_id: runId } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data.run.details.state) ? false : 1_500),
  });

/** Which of an integration's syncs is meant: its destination, as the API's operations take it. */
export const destinationOf = (sync: Pick<SyncSummary, "dest_schema" | "dest_integration_id">) => ({
  dest_schema: sync.dest_schema,
  dest_integration_id: sync.dest_integration_id,
});

export const syncQuery = (sync: SyncSummary) =>
  queryOptions({
    queryKey: ["syncs", "one", sync.id, sync.version],
    queryFn: () =>
      bodyOf(
        api.GET("/v1/api/integrations/{integration_id}/sync", {
          params: { path: { integration_id: sync.integration_id }, query: destinationOf(sync) },
        }),
      ),
  });

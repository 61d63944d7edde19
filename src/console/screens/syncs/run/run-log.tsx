// A run's log, read on from where it was left: no line is fetched twice, and none is lost where a request fails.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, bodyOf } from "../../../api/client.ts";
import { ErrorNote, LoadingLines } from "../../../ui/feedback/states.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { ofLevels } from "../../../ui/runs/log-lines.ts";
import { LogView } from "../../../ui/runs/log-view.tsx";

const PAGE_LINES = 500;
const FOLLOW_MS = 2_000;

type RunLogProps = { integrationId: string; runId: string; isRunning: boolean };

export function RunLog({ integrationId, runId, isRunning }: RunLogProps) {
  const log = useInfiniteQuery({
    queryKey: ["sync-run-log", runId],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/api/integrations/{integration_id}/syncs/{run_id}/logs", {
          params: {
            path: { integration_id: integrationId, run_id: runId },
            query: { limit: PAGE_LINES, offset: pageParam },
          },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ data, offset }) => offset + data.length,
    // Pages that were read are not asked for again: a log only grows.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const { fetchNextPage, isFetching } = log;
  const last = log.data?.pages.at(-1);
  const hasMore = last !== undefined && last.offset + last.data.length < last.total;
  useEffect(() => {
    if (last === undefined || isFetching || (!isRunning && !hasMore)) return undefined;
    const timer = setTimeout(() => void fetchNextPage(), hasMore ? 0 : FOLLOW_MS);
    return () => clearTimeout(timer);
  }, [last, isFetching, isRunning, hasMore, fetchNextPage]);
  const lines = log.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel title="Log">
      {log.isPending && <LoadingLines />}
      {log.error && <ErrorNote error={log.error} onRetry={() => void fetchNextPage()} />}
      {log.data && <LogView label="Log of the run" lines={ofLevels(lines)} isLive={isRunning} />}
    </Panel>
  );
}

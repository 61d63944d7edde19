// One run of a job: its attempts as a timeline, the log of the chosen one, cancel and replay.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "wouter";
import { api, dataOf } from "../../../api/client.ts";
import { useMay } from "../../../api/me.ts";
import { Alert, Button, Group, SegmentedControl, Text } from "../../../ui/controls.ts";
import { Duration, Time } from "../../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { ofLevels } from "../../../ui/runs/log-lines.ts";
import { PagedLog } from "../../../ui/runs/paged-log.tsx";
import { isUnderWay, POLL_MS, RunState } from "../../../ui/runs/run-state.tsx";
import { Timeline } from "../../../ui/runs/timeline.tsx";
import { jobQuery, runQuery, type Run } from "../queries.ts";
import { useAction } from "../../../ui/feedback/use-action.ts";

export function RunPage({ jobId, runId }: { jobId: string; runId: string }) {
  return <Loaded query={useQuery(runQuery(jobId, runId))}>{(run) => <RunView jobId={jobId} run={run} />}</Loaded>;
}

function RunView({ jobId, run }: { jobId: string; run: Run }) {
  const job = useQuery(jobQuery(jobId));
  const [search, setSearch] = useSearchParams();
  const isLive = isUnderWay(run.state);
  const path = { job_id: jobId, run_id: run.id };
  const attempts = useQuery({
    queryKey: ["jobs", jobId, "runs", run.id, "attempts", run.state],
    queryFn: async () =>
      (
        await dataOf(
          api.GET("/v4/automations/jobs/{job_id}/runs/{run_id}/attempts", {
            params: { path, query: { limit: 100, ascending: true } },
          }),
        )
      ).items,
    refetchInterval: isLive ? POLL_MS : false,
  });
  const asked = Number(search.get("attempt"));
  const chosen = attempts.data?.find(({ id }) => id === asked) ?? attempts.data?.at(-1);
  const name = job.data?.name ?? "a deleted job";
  return (
    <Page
      title={`Run of ${name}`}
      trail={
        <>
          <Link href="/automations">Jobs</Link> / <Link href={`/automations/${jobId}`}>{name}</Link>
        </>
      }
      actions={<Actions jobId={jobId} run={run} />}
    >
      <Group gap="md">
        <RunState state={run.state} isCancelling={run.isCancelling} />
        <Text size="sm">
          ordered <Time at={run.created_at} /> by {run.cause}
        </Text>
        <Text size="sm">
          took <Duration ms={run.durationMs} />
        </Text>
        {run.docRunId && run.resourceType === "doc" && (
          <Link href={`/docs/${run.resourceId}/runs/${run.docRunId}`}>the doc's run, with its results</Link>
        )}
      </Group>
      {run.waitingFor && (
        <Alert color="gray" title="It waits">
          {run.waitingFor.message}
        </Alert>
      )}
      {run.error && (
        <Alert color="red" title={run.cancelCode ? "It was cancelled" : "It failed"}>
          {run.error}
        </Alert>
      )}
      <Panel title="Attempts">
        <Loaded query={attempts}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState title="No attempt has begun" />
            ) : (
              <>
                <Timeline
                  label="Attempts"
                  bars={items.map(({ id, state, startedAt, endedAt }) => ({
                    key: `attempt ${id}`,
                    state,
                    from: startedAt,
                    to: endedAt,
                  }))}
                />
                {items.length > 1 && (
                  <SegmentedControl
                    size="xs"
                    aria-label="Attempt"
                    style={{ justifySelf: "start" }}
                    value={String(chosen?.id ?? "")}
                    onChange={(value) => setSearch({ attempt: value }, { replace: true })}
                    data={items.map(({ id, state }) => ({ value: String(id), label: `${id}: ${state}` }))}
                  />
                )}
                {chosen?.error && <Text size="sm">{chosen.error}</Text>}
                {chosen && <AttemptLog key={chosen.id} path={{ ...path, attempt_id: chosen.id }} isLive={isLive} />}
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

type LogPath = { job_id: string; run_id: string; attempt_id: number };
const PAGE_LINES = 100;

function AttemptLog({ path, isLive }: { path: LogPath; isLive: boolean }) {
  const url = "/v4/automations/jobs/{job_id}/runs/{run_id}/attempts/{attempt_id}/logs";
  return (
    <PagedLog
      label="Log of the attempt"
      queryKey={["jobs", path.job_id, "runs", path.run_id, "log", path.attempt_id]}
      fetchPage={async (from) => {
        const params = { path, query: { offset: from, limit: PAGE_LINES } };
        const { items, offset: first, total } = await dataOf(api.GET(url, { params }));
        return { items: ofLevels(items.map((line, at) => ({ ...line, offset: first + at }))), total };
      }}
      isLive={isLive}
    />
  );
}

function Actions({ jobId, run }: { jobId: string; run: Run }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("jobs:write");
  const params = { path: { job_id: jobId, run_id: run.id } };
  const cancel = useAction(() => dataOf(api.POST("/v4/automations/jobs/{job_id}/runs/{run_id}/cancel", { params })), {
    renews: ["jobs", jobId],
  });
  const replay = useAction(() => dataOf(api.POST("/v4/automations/jobs/{job_id}/runs/{run_id}/replay", { params })), {
    renews: ["jobs", jobId],
    onRenewed: ({ id }) => navigate(`/automations/${jobId}/runs/${id}`),
  });
  if (!mayWrite) return null;
  return isUnderWay(run.state) ? (
    <ConfirmButton
      question="It ends, and all that it has started."
      verb="Cancel the run"
      isBusy={cancel.isPending || run.isCancelling}
      onConfirm={() => cancel.mutate()}
    >
      Cancel
    </ConfirmButton>
  ) : (
    <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate()}>
      Replay
    </Button>
  );
}

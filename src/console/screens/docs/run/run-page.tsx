// One run of a doc, live: how it goes, its datasets, and of the chosen one the log, the tests and the result.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "wouter";
import { api, dataOf } from "../../../api/client.ts";
import { useMay } from "../../../api/me.ts";
import type { components } from "../../../api/schema.d.ts";
import { Alert, Button, Group, Text } from "../../../ui/controls.ts";
import { Duration, Time } from "../../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { isUnderWay, RunState } from "../../../ui/runs/run-state.tsx";
import { docQuery } from "../../../api/docs.ts";
import { runQuery } from "../queries.ts";
import { ExecutionPanel } from "./execution-panel.tsx";
import { RunGraph } from "./run-graph.tsx";
import { RunNow } from "./run-now.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";

type RunDetail = components["schemas"]["DocRunDetail"];

export function RunPage({ docId, runId }: { docId: string; runId: string }) {
  return <Loaded query={useQuery(runQuery(docId, runId))}>{(run) => <Run run={run} />}</Loaded>;
}

function Run({ run }: { run: RunDetail }) {
  const doc = useQuery(docQuery(run.doc_id));
  const [search, setSearch] = useSearchParams();
  const asked = search.get("dataset");
  const chosen =
    run.executions.find(({ dataset_key }) => dataset_key === asked) ??
    run.executions.find(({ state }) => state === "failed") ??
    run.executions.find(({ state }) => state === "running") ??
    run.executions.at(-1);
  return (
    <Page
      title={`Run of ${run.doc_name}`}
      trail={
        <>
          <Link href="/docs">Docs</Link> / <Link href={`/docs/${run.doc_id}`}>{run.doc_name}</Link>
        </>
      }
      actions={
        <>
          <RunActions run={run} />
          {doc.data && !isUnderWay(run.state) && <RunNow doc={doc.data} title="Run with other data" />}
        </>
      }
    >
      <Group gap="md">
        <RunState state={run.state} isCancelling={run.is_cancelling} deadlineAt={run.deadline_at} />
        <Text size="sm">
          Ordered <Time at={run.created_at} /> by {run.rerun_of ? "rerun" : run.cause}, version {run.doc_version}
        </Text>
        {run.started_at && (
          <Text size="sm">
            took <Duration ms={(run.ended_at ? Date.parse(run.ended_at) : Date.now()) - Date.parse(run.started_at)} />
          </Text>
        )}
        {run.rerun_of && <Link href={`/docs/${run.doc_id}/runs/${run.rerun_of}`}>the run it goes on from</Link>}
      </Group>
      {run.waiting_for && (
        <Alert color="gray" title="It waits">
          {run.waiting_for.message}
        </Alert>
      )}
      {run.error && (
        <Alert color="red" title={run.cancel_code ? "It was cancelled" : "It failed"}>
          {run.error}
        </Alert>
      )}
      <Panel title="Datasets">
        {doc.data ? (
          <RunGraph
            definition={doc.data.definition}
            docId={run.doc_id}
            runId={run.id}
            onOpen={(key) => setSearch({ dataset: key }, { replace: true })}
          />
        ) : null}
      </Panel>
      {chosen ? (
        <ExecutionPanel key={chosen.id} docId={run.doc_id} runId={run.id} execution={chosen} />
      ) : (
        <EmptyState title="No dataset has begun">What they print and answer comes here as they run.</EmptyState>
      )}
    </Page>
  );
}

function RunActions({ run }: { run: RunDetail }) {
  const [, navigate] = useLocation();
  const mayRun = useMay("docs:run");
  const params = { path: { doc_id: run.doc_id, run_id: run.id } };
  const cancel = useAction(() => dataOf(api.POST("/v4/docs/{doc_id}/runs/{run_id}/cancel", { params })), {
    renews: ["docs", run.doc_id],
  });
  const rerun = useAction(() => dataOf(api.POST("/v4/docs/{doc_id}/runs/{run_id}/rerun", { params })), {
    renews: ["docs", run.doc_id],
    onRenewed: ({ id }) => navigate(`/docs/${run.doc_id}/runs/${id}`),
  });
  if (!mayRun) return null;
  if (isUnderWay(run.state))
    return (
      <ConfirmButton
        question="What has run stays; nothing is published."
        verb="Cancel the run"
        isBusy={cancel.isPending || run.is_cancelling}
        onConfirm={() => cancel.mutate()}
      >
        Cancel
      </ConfirmButton>
    );
  if (run.state === "succeeded") return null;
  return (
    <Button size="xs" loading={rerun.isPending} onClick={() => rerun.mutate()}>
      Go on from here
    </Button>
  );
}

// A doc at a glance: its datasets as the newest run left them, and its runs.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Stack } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Duration, Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { RunState, POLL_MS, SELDOM_MS, isUnderWay } from "../../ui/runs/run-state.tsx";
import type { DocDetail } from "../../api/docs.ts";
import { lastRunQuery } from "./queries.ts";
import { RunGraph } from "./run/run-graph.tsx";

export function DocOverview({ doc }: { doc: DocDetail }) {
  const last = useQuery(lastRunQuery(doc.id));
  const [, navigate] = useLocation();
  const isBusy = last.data ? isUnderWay(last.data.state) : false;
  const pages = usePages(
    ["docs", doc.id, "runs"],
    (offset) =>
      dataOf(api.GET("/v4/docs/{doc_id}/runs", { params: { path: { doc_id: doc.id }, query: { offset, limit: 20 } } })),
    isBusy ? POLL_MS : SELDOM_MS,
  );
  return (
    <Stack gap="lg">
      <Panel title="Datasets">
        <RunGraph
          definition={doc.definition}
          docId={doc.id}
          runId={last.data?.id}
          onOpen={(key) =>
            last.data && navigate(`/docs/${doc.id}/runs/${last.data.id}?dataset=${encodeURIComponent(key)}`)
          }
        />
      </Panel>
      <Panel title="Runs">
        <PagedTable
          label="Runs of the doc"
          pages={pages}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "State",
              cell: ({ id, state, is_cancelling, deadline_at }) => (
                <Link href={`/docs/${doc.id}/runs/${id}`}>
                  <RunState state={state} isCancelling={is_cancelling} deadlineAt={deadline_at} />
                </Link>
              ),
            },
            { name: "Began", cell: ({ created_at }) => <Time at={created_at} /> },
            { name: "Took", isNumber: true, cell: (run) => <Duration ms={tookMs(run)} /> },
            { name: "By", cell: ({ cause, rerun_of }) => (rerun_of ? "rerun" : cause) },
            { name: "Version", isNumber: true, cell: ({ doc_version }) => doc_version },
            { name: "", cell: ({ error, waiting_for }) => error ?? waiting_for?.message ?? "" },
          ]}
          empty={<EmptyState title="It never ran">Run it now, or give it a schedule under Jobs.</EmptyState>}
        />
      </Panel>
    </Stack>
  );
}

/** The duration of a run that goes on is that so far. */
const tookMs = ({ started_at, ended_at }: { started_at: string | null; ended_at: string | null }): number | null =>
  started_at === null ? null : (ended_at ? Date.parse(ended_at) : Date.now()) - Date.parse(started_at);

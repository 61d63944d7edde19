// One dataset of a run: how it went, what it printed, what its tests found, and the first rows of its result.

import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../../api/client.ts";
import type { components } from "../../../api/schema.d.ts";
import { Code, Group, Stack, Text } from "../../../ui/controls.ts";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { Bytes, Count, Duration, State } from "../../../ui/data/values.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { ResultRows } from "../../../ui/runs/result-rows.tsx";
import { PagedLog } from "../../../ui/runs/paged-log.tsx";
import { isUnderWay, RunState } from "../../../ui/runs/run-state.tsx";
import { runTablesQuery } from "../queries.ts";

type Summary = components["schemas"]["ExecutionSummary"];
type ExecutionPanelProps = { docId: string; runId: string; execution: Summary };

export function ExecutionPanel({ docId, runId, execution }: ExecutionPanelProps) {
  const detail = useQuery({
    queryKey: ["executions", execution.id, execution.state],
    queryFn: () =>
      dataOf(api.GET("/v4/executions/{execution_id}", { params: { path: { execution_id: execution.id } } })),
  });
  const isLive = isUnderWay(execution.state);
  return (
    <Panel title={execution.dataset_key} actions={<RunState state={execution.state} />}>
      {execution.error && <Text size="sm">{execution.error}</Text>}
      <Loaded query={detail}>
        {({ traceback, duration_ms, peak_bytes, result }) => (
          <Stack gap="sm">
            <Group gap="lg">
              <Text size="sm">
                took <Duration ms={duration_ms} />
              </Text>
              {peak_bytes !== null && (
                <Text size="sm">
                  memory <Bytes value={peak_bytes} />
                </Text>
              )}
              {result && (
                <Text size="sm">
                  {result.rows === null ? (
                    result.kind
                  ) : (
                    <>
                      rows <Count value={result.rows} />
                    </>
                  )}
                  , <Bytes value={result.bytes} />
                </Text>
              )}
            </Group>
            {traceback && (
              <Code block style={{ whiteSpace: "pre-wrap" }}>
                {traceback}
              </Code>
            )}
            {result?.download_url && <ResultRows url={result.download_url} kind={result.kind} />}
          </Stack>
        )}
      </Loaded>
      <Tests docId={docId} runId={runId} datasetKey={execution.dataset_key} isLive={isLive} />
      {execution.engine === "python" && <ExecutionLog id={execution.id} isLive={isLive} />}
    </Panel>
  );
}

const PAGE_LINES = 1_000;

const ExecutionLog = ({ id, isLive }: { id: string; isLive: boolean }) => (
  <PagedLog
    label="What it printed"
    queryKey={["executions", id, "log"]}
    fetchPage={async (offset) => {
      const params = { path: { execution_id: id }, query: { offset, limit: PAGE_LINES } };
      const { items, total } = await dataOf(api.GET("/v4/executions/{execution_id}/logs", { params }));
      return { items: items.map(({ stream: source, ...line }) => ({ ...line, source })), total };
    }}
    isLive={isLive}
  />
);

type TestsProps = { docId: string; runId: string; datasetKey: string; isLive: boolean };

function Tests({ docId, runId, datasetKey, isLive }: TestsProps) {
  const tables = useQuery({ ...runTablesQuery(docId, runId), enabled: !isLive });
  const built = tables.data?.items.find(({ dataset_key }) => dataset_key === datasetKey);
  if (!built || built.tests.length === 0) return null;
  return (
    <ListTable
      label={`Tests of ${built.schema}.${built.name}`}
      rows={built.tests}
      keyOf={({ name }) => name}
      columns={[
        { name: "Test", cell: ({ name }) => name },
        {
          name: "State",
          cell: ({ state, severity }) => (
            <State tone={state === "passed" ? "good" : severity === "warn" ? "warn" : "bad"}>{state}</State>
          ),
        },
        { name: "Rows", isNumber: true, cell: ({ rows }) => <Count value={rows} /> },
        {
          name: "Such as",
          cell: ({ error, sample }) =>
            error ??
            sample?.rows
              .slice(0, 3)
              .map((row) => row.join(" · "))
              .join("; ") ??
            "",
        },
      ]}
    />
  );
}

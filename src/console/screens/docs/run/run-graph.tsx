// The graph of a doc's datasets, each with how it went in a run and what its tests found.

import { useQuery } from "@tanstack/react-query";
import type { components } from "../../../api/schema.d.ts";
import type { Tone } from "../../../ui/data/values.tsx";
import { EmptyState } from "../../../ui/feedback/states.tsx";
import { DatasetGraph, type ShownDataset } from "../../../ui/runs/dataset-graph.tsx";
import { datasetsOf, type ShownDefinition } from "../datasets.ts";
import { runQuery, runTablesQuery } from "../queries.ts";

type Execution = components["schemas"]["ExecutionSummary"];
type RunTable = components["schemas"]["RunTable"];

type RunGraphProps = {
  definition: Readonly<Record<string, unknown>>;
  docId: string;
  /** Without a run, every dataset is as it is defined. */
  runId: string | undefined;
  onOpen: (datasetKey: string) => void;
};

export function RunGraph({ definition, docId, runId, onOpen }: RunGraphProps) {
  const run = useQuery({ ...runQuery(docId, runId ?? ""), enabled: runId !== undefined });
  const datasets = datasetsOf(definition);
  const hasTables = datasets.some(({ table }) => table !== undefined);
  const tables = useQuery({ ...runTablesQuery(docId, runId ?? ""), enabled: hasTables && run.data?.ended_at != null });
  if (datasets.length === 0) return <EmptyState title="It has no datasets" />;
  return (
    <DatasetGraph
      datasets={datasets.map((dataset) =>
        shown(
          dataset,
          run.data?.executions.find(({ dataset_key }) => dataset_key === dataset.key),
          tables.data?.items.find(({ dataset_key }) => dataset_key === dataset.key),
          onOpen,
        ),
      )}
    />
  );
}

const TONES: Record<Execution["state"], Tone> = {
  queued: "quiet",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  skipped: "quiet",
};

function shown(
  { key, needs, engine, table }: ShownDefinition,
  execution: Execution | undefined,
  built: RunTable | undefined,
  onOpen: (key: string) => void,
): ShownDataset {
  const failed = built?.tests.filter(({ state }) => state !== "passed") ?? [];
  const tests =
    !built || built.tests.length === 0 ? "" : ` · ${built.tests.length - failed.length}/${built.tests.length} tests`;
  const tone: Tone = !execution
    ? "quiet"
    : failed.some(({ severity }) => severity === "error")
      ? "bad"
      : failed.length > 0
        ? "warn"
        : TONES[execution.state];
  const note = `${table ?? engine}${tests || (execution ? ` · ${execution.state}` : "")}`;
  return { key, needs, tone, note, ...(execution && { onOpen: () => onOpen(key) }) };
}

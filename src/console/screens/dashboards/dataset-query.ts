// The result of a dataset under the filters and the reader's rights, once for all tiles that draw it.

import { api, dataOf } from "../../api/client.ts";
import { askQuery } from "../../api/statement.ts";
import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { sentBy, takenBy, type Dataset, type FilterValues } from "../../ui/dashboard/filter-values.ts";
import { resultOf } from "../../ui/dashboard/result-of.ts";
import type { TileQuery, DatasetResult } from "../../ui/dashboard/tile-source.ts";

export type DatasetSource = {
  doc: { id: string; version: number };
  key: string;
  dataset: Dataset;
  filters: readonly Filter[];
  values: FilterValues;
};

const DEADLINE_MS = 120_000;

export function datasetQuery({
  doc: { id, version },
  key,
  dataset,
  filters,
  values,
}: DatasetSource): TileQuery<DatasetResult> {
  const isComputed = dataset.engine === "python" || "incremental" in dataset;
  const sent = sentBy(takenBy(key, dataset, filters), values);
  return {
    queryKey: ["dashboards", id, version, key, sent],
    queryFn: ({ signal }) => (isComputed ? readRun(id, key) : ask(id, key, sent, signal)),
  };
}

async function ask(docId: string, key: string, filters: object, signal: AbortSignal): Promise<DatasetResult> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  const found = await askQuery({ filters }, bounded, `/v4/docs/${docId}/datasets/${key}/query`);
  return { table: resultOf(found), notes: found.truncated ? ["The result was cut off."] : [] };
}

/** What runs compute is not run for a reader: what the last one answered is shown. */
async function readRun(docId: string, key: string): Promise<DatasetResult> {
  const path = { doc_id: docId };
  const { items } = await dataOf(api.GET("/v4/docs/{doc_id}/runs", { params: { path, query: { limit: 10 } } }));
  const ended = items.find(({ state }) => state === "succeeded");
  if (!ended) throw new Error("It is made by runs of the doc, and none has succeeded yet. Run the doc.");
  const params = { path: { ...path, run_id: ended.id } };
  const { executions } = await dataOf(api.GET("/v4/docs/{doc_id}/runs/{run_id}", { params }));
  const execution = executions.find(({ dataset_key }) => dataset_key === key);
  if (!execution) throw new Error("The last run did not make it.");
  const { result } = await dataOf(
    api.GET("/v4/executions/{execution_id}", { params: { path: { execution_id: execution.id } } }),
  );
  if (!result?.download_url || result.kind !== "frame") throw new Error("The last run left no rows of it.");
  const bytes = await fetch(result.download_url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  if (!bytes.ok) throw new Error(`The result of the last run could not be read: ${bytes.status}.`);
  const { readArrow } = await import("../../ui/grid/arrow-result.ts");
  return {
    table: readArrow(new Uint8Array(await bytes.arrayBuffer())),
    notes: [`As of the run of ${ended.created_at}.`],
  };
}

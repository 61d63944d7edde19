// The doc screens ask the API for these, and keep the answers under these names.

import { queryOptions } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import type { EditorFlaw } from "../../ui/editor/lazy.ts";
import { asProblem } from "../../api/problem.ts";
import { isUnderWay, POLL_MS, SELDOM_MS } from "../../ui/runs/run-state.tsx";

export type DocRun = components["schemas"]["DocRun"];

export const runQuery = (docId: string, runId: string) =>
  queryOptions({
    queryKey: ["docs", docId, "runs", runId],
    queryFn: () =>
      dataOf(api.GET("/v4/docs/{doc_id}/runs/{run_id}", { params: { path: { doc_id: docId, run_id: runId } } })),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data.state) ? false : POLL_MS),
  });

/** The newest run of a doc; null where it never ran. */
export const lastRunQuery = (docId: string) =>
  queryOptions({
    queryKey: ["docs", docId, "last-run"],
    queryFn: async () => {
      const params = { path: { doc_id: docId }, query: { limit: 1 } };
      return (await dataOf(api.GET("/v4/docs/{doc_id}/runs", { params }))).items[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.state) ? POLL_MS : SELDOM_MS),
  });

export const runTablesQuery = (docId: string, runId: string) =>
  queryOptions({
    queryKey: ["docs", docId, "runs", runId, "tables"],
    queryFn: () =>
      dataOf(api.GET("/v4/docs/{doc_id}/runs/{run_id}/tables", { params: { path: { doc_id: docId, run_id: runId } } })),
  });

/** What the platform found wrong with a text, at its places. */
export const flawsOf = (error: unknown): EditorFlaw[] =>
  asProblem(error).flaws.flatMap(({ line, column = 1, message }) =>
    line === undefined ? [] : [{ line, column, message, severity: "error" as const }],
  );

const PLACE = /^(?<pointer>\S*) \(line (?<line>\d+), column (?<column>\d+)\): (?<message>.*)$/s;

/** A warning names its place in its own sentence. */
export const warningsAt = (warnings: readonly string[]): EditorFlaw[] =>
  warnings.flatMap((warning) => {
    const found = PLACE.exec(warning)?.groups;
    if (!found) return [];
    return [
      { line: Number(found["line"]), column: Number(found["column"]), message: found["message"]!, severity: "warning" },
    ];
  });

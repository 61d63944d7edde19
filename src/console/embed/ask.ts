// A reader asks a published dashboard by its token alone: no cookie goes along, and none is kept.

import { problemOf } from "../api/problem.ts";
import type { components } from "../api/schema.d.ts";
import type { Dashboard, Tile } from "../../../kernel/docs/dashboard.ts";
import { resultOf } from "../ui/dashboard/result-of.ts";
import type { TileQuery, DatasetResult } from "../ui/dashboard/tile-source.ts";

type Schemas = components["schemas"];

/** As it is answered, in the grammar's types: it was checked when the doc was saved. */
export type Definition = Omit<Schemas["DashboardDefinition"], "filters" | "layout"> & {
  filters: NonNullable<Dashboard["filters"]>;
  layout: { columns?: number; tiles: Tile[] };
};

/** `path`: the dashboard's, below `/v1/dashboards/`. */
export type Reader = { path: string; token: string };
export type Sent = Readonly<Record<"filters" | "parameters", Readonly<Record<string, unknown>>>>;

const DEADLINE_MS = 120_000;

export const definitionQuery = (reader: Reader): TileQuery<Definition> => ({
  queryKey: ["definition", reader],
  queryFn: ({ signal }) => answerOf<Definition>(reader, "", { signal }),
});

export const datasetQuery = (reader: Reader, key: string, sent: Sent): TileQuery<DatasetResult> => ({
  queryKey: ["dataset", reader, key, sent],
  queryFn: async ({ signal }) => {
    const { types, data, truncated } = await answerOf<Schemas["QueryResult"]>(
      reader,
      `/datasets/${encodeURIComponent(key)}`,
      { signal, method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) },
    );
    const table = resultOf({ columns: types, rows: (data ?? []) as Readonly<Record<string, unknown>>[] });
    return { table, notes: truncated ? ["The result was cut off."] : [] };
  },
});

type Init = RequestInit & { signal: AbortSignal; headers?: Record<string, string> };

/** Throws `FjordProblem`. */
async function answerOf<Answer>({ path, token }: Reader, more: string, { signal, ...init }: Init): Promise<Answer> {
  const response = await fetch(`/v1/dashboards/${path}${more}`, {
    ...init,
    headers: { ...init.headers, Accept: "application/json", Authorization: `Bearer ${token}` },
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
  });
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as Answer;
}

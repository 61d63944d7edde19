import { z } from "@hono/zod-openapi";
import { notFound, Problem } from "../../../core/problem.ts";
import { flawsOfQuestion } from "../../saved-queries/question.ts";
import { runQuestion } from "../../saved-queries/run.ts";
import type { Life } from "../../query/run.ts";
import type { QueryDeps, Writing } from "../../query/prepare-query.ts";
import { filtersOf, requireRead } from "../filters/filters-of.ts";
import { filtersTaken, narrowDataset } from "../filters/narrow.ts";
import { readFilterValues, SentFilters } from "../filters/read-values.ts";
import { readSource, requireLiveDoc } from "../find.ts";
import { datasetQuestion, refuseComputed } from "./dataset-question.ts";

export const DatasetQuery = z
  .strictObject({ filters: SentFilters })
  .openapi("DatasetQuery", { example: { filters: { country: ["NO", "SE"], period: { from: "2026-01-01" } } } });
export type DatasetQuery = z.infer<typeof DatasetQuery>;

const POINTER = "/filters";

/**
 * Asks one dataset of a doc, as it is now, with the rights of whoever asks and under the values of filters. Answers the
 * engine's Response, streaming. Throws `validation_failed` for what only the doc's runs compute.
 */
export async function queryDataset(
  ctx: QueryDeps,
  { id, key }: { id: string; key: string },
  { query: { filters: sent }, writing, life }: { query: DatasetQuery; writing: Writing; life: Life },
): Promise<Response> {
  if (!ctx.scope.rights.includes("docs:read"))
    throw new Problem("forbidden_insufficient_permissions", "Who asks a doc reads it: this needs the right docs:read.");
  const { definition } = await readSource(ctx, await requireLiveDoc(ctx, id));
  const dataset = Object.hasOwn(definition.datasets, key) ? definition.datasets[key] : undefined;
  if (dataset === undefined) throw notFound("Dataset", key);
  const read = filtersOf(definition);
  requireRead(read);
  const { filters, drawn } = read;
  const asked = datasetQuestion(dataset) ?? refuseComputed(key);
  const taken = filtersTaken(asked, { key, filters, drawn }).map(({ filter }) => filter);
  const values = readFilterValues(filters, { sent, taken, pointer: POINTER }, ctx.scope.now);
  const flaws = asked.question.cube_query ? flawsOfQuestion(asked.question) : [];
  if (flaws.length > 0) throw new Problem("validation_failed", "The dataset can't be asked as it is written.", flaws);
  const { question, fixed } = narrowDataset(asked, { key, filters, drawn, values, pointer: POINTER });
  const options = asked.timeoutMs === undefined ? {} : { timeout_ms: asked.timeoutMs };
  return runQuestion(ctx, question, { sent: {}, fixed, pointer: POINTER, options, writing, life });
}

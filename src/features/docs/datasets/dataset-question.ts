// A dataset as a question that is asked by itself, beside the runs of its doc. Pure.

import { LIMITS } from "../../../core/limits.ts";
import { readParameter } from "../../../core/parameters.ts";
import { invalidAt } from "../../../core/problem.ts";
import type { QuestionParameters } from "../../saved-queries/parameters/declaration.ts";
import type { RunnableQuestion } from "../../saved-queries/question.ts";
import type { Dataset } from "../definition/definition.ts";
import { partParameters, type FilterParameter } from "../filters/filter-parameter.ts";
import { cubeQueryOf } from "../runs/plan/cube-query.ts";

/**
 * `filtered`: the parameters that have the value of a filter, which are none of the question's; `cube`: of a dataset of
 * the semantic layer, the cube of dimensions that name none.
 */
export type DatasetQuestion = {
  question: RunnableQuestion;
  cube?: string | undefined;
  timeoutMs?: number;
  filtered?: Readonly<Record<string, FilterParameter>>;
};

/** Null for what the doc's runs compute, such as a dataset of Python. */
export function datasetQuestion(dataset: Dataset): DatasetQuestion | null {
  if (dataset.engine === "python") return null;
  const { timeoutMs: given } = dataset;
  const timeout = given === undefined ? {} : { timeoutMs: Math.min(given, LIMITS.queryDeadlineMsMax) };
  const where = { integration_id: dataset.integrationId ?? null };
  if (dataset.engine === "cube")
    return { question: { cube_query: cubeQueryOf(dataset), ...where, parameters: {} }, cube: dataset.cube, ...timeout };
  // Its rows are those that came since its last build, whose watermark is not a reader's.
  if (dataset.incremental) return null;
  const { own, filtered } = partParameters(dataset.parameters);
  return {
    question: { sql: dataset.sql, ...where, parameters: declaredBy(own) },
    ...timeout,
    ...(Object.keys(filtered).length > 0 && { filtered }),
  };
}

/** A doc's value declares its parameter: another value has to be of its type, and a list where it is one. */
function declaredBy(parameters: Readonly<Record<string, unknown>>): QuestionParameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, raw]) => {
      const read = readParameter(raw);
      if ("flaw" in read) throw new Error(`The parameter ${name} was not checked`);
      const { type, isList, values } = read.parameter;
      return [name, { type, list: isList, nullable: values.includes(null), default: valueIn(raw) }];
    }),
  );
}

/** The value of `{type, value}`, or the value that stands by itself. */
const valueIn = (raw: unknown): unknown =>
  typeof raw === "object" && raw !== null && !Array.isArray(raw) ? (raw as { value: unknown }).value : raw;

export function refuseComputed(key: string): never {
  const message = `The dataset ${key} is computed by the doc's runs, and can't be read here.`;
  throw invalidAt("/path/dataset_key", message);
}

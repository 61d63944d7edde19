// A published dashboard keeps what its doc draws, and the question of each dataset that is drawn. Pure.

import type { BoundParameter } from "../../../kernel/wire/parameters.ts";
import { LIMITS } from "../../core/limits.ts";
import { readParameter } from "../../core/parameters.ts";
import { Problem, type Flaw } from "../../core/problem.ts";
import { datasetsDrawnBy, type DrawnDashboard } from "../docs/definition/drawn-dashboard.ts";
import type { Dataset, Definition } from "../docs/definition/definition.ts";
import { cubeQueryOf } from "../docs/runs/plan/cube-query.ts";
import type { PublicationRow } from "../publications/publication.ts";
import type { AskedParameters } from "../saved-queries/parameters/declaration.ts";
import { flawsOfQuestion, type AskedQuestion } from "../saved-queries/question.ts";

/** A dataset as it is asked. */
export type PublishedDataset = { question: AskedQuestion; timeoutMs?: number };

/** A dataset that is not asked here, such as one of Python, is null: its tiles are drawn without rows. */
export type DashboardContent = {
  title: string;
  drawn: DrawnDashboard;
  datasets: Record<string, PublishedDataset | null>;
};

export const contentOf = ({ content }: Pick<PublicationRow, "content">): DashboardContent =>
  JSON.parse(content) as DashboardContent;

/** Throws `validation_failed` for a dataset that can't be asked as it is written. */
export function publishedContent(definition: Definition, drawn: DrawnDashboard): DashboardContent {
  const keys = datasetsDrawnBy(drawn.layout.tiles);
  const datasets = keys.map((key) => [key, publishedDataset(definition.datasets[key]!)] as const);
  const flaws = datasets.flatMap(([key, dataset]) => flawsOfDataset(key, dataset));
  if (flaws.length > 0) throw new Problem("validation_failed", "The doc has datasets that can't be published.", flaws);
  return { title: definition.metadata.name, drawn, datasets: Object.fromEntries(datasets) };
}

function publishedDataset(dataset: Dataset): PublishedDataset | null {
  if (dataset.engine === "python") return null;
  const { timeoutMs: given } = dataset;
  const timeout = given === undefined ? {} : { timeoutMs: Math.min(given, LIMITS.queryDeadlineMsMax) };
  const where = { integration_id: dataset.integrationId ?? null };
  if (dataset.engine === "cube")
    return { question: { cube_query: cubeQueryOf(dataset), ...where, parameters: {} }, ...timeout };
  // Its rows are those that came since its last build, whose watermark is not a reader's.
  if (dataset.incremental) return null;
  const { sql, parameters = {} } = dataset;
  return { question: { sql, ...where, parameters: declaredBy(parameters) }, ...timeout };
}

/** A doc's value declares its parameter: another value has to be of its type, and a list where it is one. */
function declaredBy(parameters: Readonly<Record<string, unknown>>): AskedParameters {
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

/** A parameter's place in a query of the semantic layer would be left out of it, since such a dataset declares none. */
const flawsOfDataset = (key: string, dataset: PublishedDataset | null): Flaw[] =>
  dataset?.question.cube_query === undefined
    ? []
    : flawsOfQuestion(dataset.question).map(({ message }) => ({
        pointer: "/doc_id",
        message: `The dataset ${key}: ${message}`,
      }));

/** The names of all parameters, with the type of each in the datasets that have it. */
export function parametersOf({ datasets }: DashboardContent): Map<string, BoundParameter["type"]> {
  const all = Object.values(datasets).flatMap((dataset) => Object.entries(dataset?.question.parameters ?? {}));
  return new Map(all.map(([name, { type }]) => [name, type]));
}

/** A dataset's parameters of a set of names. */
export const pickParameters = <Value>(
  parameters: Readonly<Record<string, Value>>,
  has: (name: string) => boolean,
): Record<string, Value> => Object.fromEntries(Object.entries(parameters).filter(([name]) => has(name)));

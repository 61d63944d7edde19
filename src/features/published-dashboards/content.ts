// A published dashboard keeps what its doc draws, and the question of each dataset that is drawn. Pure.

import type { BoundParameter } from "../../../kernel/wire/parameters.ts";
import { Problem, type Flaw } from "../../core/problem.ts";
import { datasetQuestion, type DatasetQuestion } from "../docs/datasets/dataset-question.ts";
import { datasetsDrawnBy, type DrawnDashboard } from "../docs/definition/drawn-dashboard.ts";
import type { DrawnVersion } from "../docs/versions/read-drawn.ts";
import type { PublicationRow } from "../publications/publication.ts";
import { flawsOfQuestion } from "../saved-queries/question.ts";

/**
 * A dataset that is not asked here, such as one of Python, is null: its tiles are drawn without rows. `pages` are those
 * of HTML tiles, by the tile's id, as their files were when it was published.
 */
export type DashboardContent = {
  title: string;
  drawn: DrawnDashboard;
  datasets: Record<string, DatasetQuestion | null>;
  pages?: Record<string, string>;
};

export const contentOf = ({ content }: Pick<PublicationRow, "content">): DashboardContent =>
  JSON.parse(content) as DashboardContent;

/** Throws `validation_failed` for a dataset that can't be asked as it is written. */
export function publishedContent({ definition, drawn }: DrawnVersion, pages: Record<string, string>): DashboardContent {
  const keys = datasetsDrawnBy(drawn.layout.tiles);
  const datasets = keys.map((key) => [key, datasetQuestion(definition.datasets[key]!)] as const);
  const flaws = datasets.flatMap(([key, dataset]) => flawsOfDataset(key, dataset));
  if (flaws.length > 0) throw new Problem("validation_failed", "The doc has datasets that can't be published.", flaws);
  return { title: definition.metadata.name, drawn, datasets: Object.fromEntries(datasets), pages };
}

/** A parameter's place in a query of the semantic layer would be left out of it, since such a dataset declares none. */
const flawsOfDataset = (key: string, dataset: DatasetQuestion | null): Flaw[] =>
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

// A reader may see and ask of a published dashboard what is open, and what the reader's token does not bind. Pure.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { notFound, Problem, type Flaw } from "../../../core/problem.ts";
import { refuseComputed } from "../../docs/datasets/dataset-question.ts";
import { filtersTaken, narrowDataset } from "../../docs/filters/narrow.ts";
import { readFilterValues } from "../../docs/filters/read-values.ts";
import type { PublishedQuestion } from "../../publications/call/ask.ts";
import type { TokenClaims } from "../../publications/call/token.ts";
import type { PublicationRow } from "../../publications/publication.ts";
import { contentOf, parametersOf, pickParameters, type DashboardContent } from "../content.ts";

/** `isOpen`, `isOpenFilter`: whether a reader may send a value for the parameter, or the filter. */
export type BoundContent = {
  content: DashboardContent;
  isOpen: (name: string) => boolean;
  isOpenFilter: (filter: Filter) => boolean;
  fixed: TokenClaims;
};

/**
 * Throws `validation_failed` where the token binds what no dataset has: a doc that renames a parameter or a filter does
 * not show to everybody what its tokens were to narrow.
 */
export function bindContent(
  publication: Pick<PublicationRow, "content" | "openParameters">,
  fixed: TokenClaims,
): BoundContent {
  const content = contentOf(publication);
  const known = { parameters: parametersOf(content), filters: filtersThatAct(content) };
  const lacking = (["parameters", "filters"] as const).flatMap((claim) =>
    Object.keys(fixed[claim])
      .filter((name) => !known[claim].has(name))
      .map((name) => ({
        pointer: `/token/${claim}${pointerStep(name)}`,
        message: `No dataset has a ${claim === "filters" ? "filter" : "parameter"} ${name}.`,
      })),
  );
  const flaws = [...lacking, ...parametersOfFilters(content, fixed)];
  if (flaws.length > 0) throw new Problem("validation_failed", "The token binds what this dashboard lacks.", flaws);
  const open = new Set(publication.openParameters ?? []);
  return {
    content,
    fixed,
    isOpen: (name) => open.has(name) && !Object.hasOwn(fixed.parameters, name),
    isOpenFilter: ({ id, display }) => display !== "hidden" && !Object.hasOwn(fixed.filters, id),
  };
}

/** What is bound by the name of a parameter does not reach a dataset in which a filter has that parameter. */
function parametersOfFilters({ datasets }: DashboardContent, fixed: TokenClaims): Flaw[] {
  return Object.entries(datasets).flatMap(([key, dataset]) =>
    Object.entries(dataset?.filtered ?? {})
      .filter(([name, { filter }]) => Object.hasOwn(fixed.parameters, name) && !Object.hasOwn(fixed.filters, filter))
      .map(([name, { filter }]) => ({
        pointer: `/token/parameters${pointerStep(name)}`,
        message: `The dataset ${key} has the filter ${filter} as its parameter ${name}: bind that filter, too.`,
      })),
  );
}

function filtersThatAct({ drawn: { filters }, datasets }: DashboardContent): Set<string> {
  const drawn = Object.keys(datasets);
  const taken = Object.entries(datasets).flatMap(([key, dataset]) =>
    dataset === null ? [] : filtersTaken(dataset, { key, filters, drawn }),
  );
  return new Set(taken.map(({ filter }) => filter.id));
}

/** `filters`: the values that the reader sent. */
type DatasetCall = { key: string; filters: Readonly<Record<string, unknown>>; now: Date };

/** The question of a dataset that is drawn. One that is not drawn answers as one that is not there. */
export function questionOfDataset(
  { content, isOpen, isOpenFilter, fixed }: BoundContent,
  { key, filters: sent, now }: DatasetCall,
): PublishedQuestion {
  const dataset = Object.hasOwn(content.datasets, key) ? content.datasets[key] : undefined;
  if (dataset === undefined) throw notFound("Dataset", key);
  const asked = dataset ?? refuseComputed(key);
  const { filters } = content.drawn;
  const pointer = "/filters";
  const drawn = Object.keys(content.datasets);
  const taken = filtersTaken(asked, { key, filters, drawn }).map(({ filter }) => filter);
  const values = readFilterValues(filters, { sent, fixed: fixed.filters, isOpen: isOpenFilter, taken, pointer }, now);
  const isFixed = (id: string) => Object.hasOwn(fixed.filters, id);
  const narrowed = narrowDataset(asked, { key, filters, drawn, values, isFixed, pointer });
  const { parameters } = asked.question;
  const closed = pickParameters(parameters, (name) => !isOpen(name));
  const preset = Object.fromEntries(Object.entries(closed).map(([name, { default: value }]) => [name, value]));
  const bound = pickParameters(fixed.parameters, (name) => Object.hasOwn(parameters, name));
  return {
    question: narrowed.question,
    fixed: { ...preset, ...bound, ...narrowed.fixed },
    ...(asked.timeoutMs !== undefined && { options: { timeout_ms: asked.timeoutMs } }),
  };
}

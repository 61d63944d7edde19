// A reader may see and ask of a published dashboard what is open, and what the reader's token does not bind. Pure.

import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { PublishedQuestion } from "../../publications/call/ask.ts";
import type { PublicationRow } from "../../publications/publication.ts";
import { contentOf, parametersOf, pickParameters, type DashboardContent } from "../content.ts";

/** `isOpen`: whether a reader may send a value for the parameter. */
export type BoundContent = {
  content: DashboardContent;
  isOpen: (name: string) => boolean;
  fixed: Readonly<Record<string, unknown>>;
};

/**
 * Throws `validation_failed` where the token binds what no dataset has: a doc that renames a parameter does not show to
 * everybody what its tokens were to narrow.
 */
export function bindContent(
  publication: Pick<PublicationRow, "content" | "openParameters">,
  fixed: Readonly<Record<string, unknown>>,
): BoundContent {
  const content = contentOf(publication);
  const known = parametersOf(content);
  const flaws = Object.keys(fixed).flatMap((name) =>
    known.has(name)
      ? []
      : [{ pointer: `/token/parameters${pointerStep(name)}`, message: `No dataset has a parameter ${name}.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", "The token binds what this dashboard lacks.", flaws);
  const open = new Set(publication.openParameters ?? []);
  return { content, fixed, isOpen: (name) => open.has(name) && !Object.hasOwn(fixed, name) };
}

/** The question of a dataset that is drawn. One that is not drawn answers as one that is not there. */
export function questionOfDataset({ content, isOpen, fixed }: BoundContent, key: string): PublishedQuestion {
  const dataset = Object.hasOwn(content.datasets, key) ? content.datasets[key] : undefined;
  if (dataset === undefined) throw notFound("Dataset", key);
  if (dataset === null) {
    const message = `The dataset ${key} is computed by the doc's runs, and can't be read here.`;
    throw new Problem("validation_failed", message, [{ pointer: "/path/dataset_key", message }]);
  }
  const { question, timeoutMs } = dataset;
  const { parameters } = question;
  const closed = pickParameters(parameters, (name) => !isOpen(name));
  const preset = Object.fromEntries(Object.entries(closed).map(([name, { default: value }]) => [name, value]));
  return {
    question,
    fixed: { ...preset, ...pickParameters(fixed, (name) => Object.hasOwn(parameters, name)) },
    ...(timeoutMs !== undefined && { options: { timeout_ms: timeoutMs } }),
  };
}

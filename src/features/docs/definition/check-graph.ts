// The datasets of a definition are checked to have an order. Pure.

import type { Flaw } from "../../../core/problem.ts";
import { needsOf, type Dataset } from "./definition.ts";

/** A flaw for each reference to nothing, then for each circle, named by the datasets on it. */
export function checkGraph(datasets: Record<string, Dataset>): Flaw[] {
  const unknown = Object.entries(datasets).flatMap(([key, dataset]) => findUnknown(key, dataset, datasets));
  return unknown.length > 0 ? unknown : findCircles(datasets);
}

function findUnknown(key: string, dataset: Dataset, datasets: Record<string, Dataset>): Flaw[] {
  const isUnknown = (ref: string) => !Object.hasOwn(datasets, ref);
  const flaw = (at: string, ref: string): Flaw => ({
    pointer: `/datasets/${key}/${at}`,
    message: `There is no dataset ${ref}.`,
  });
  const depended = (dataset.dependsOn ?? []).flatMap((ref, index) =>
    isUnknown(ref) ? [flaw(`dependsOn/${index}`, ref)] : [],
  );
  const read =
    dataset.engine !== "python"
      ? []
      : (dataset.inputs ?? []).flatMap(({ ref }, index) => (isUnknown(ref) ? [flaw(`inputs/${index}/ref`, ref)] : []));
  return [...depended, ...read];
}

/**
 * Depth first: a dataset that is already on the current path closes a circle, which is the path from there on. Each
 * circle is reported at its first dataset.
 */
function findCircles(datasets: Record<string, Dataset>): Flaw[] {
  const done = new Set<string>();
  const path: string[] = [];
  const flaws: Flaw[] = [];
  const visit = (key: string): void => {
    if (done.has(key)) return;
    const at = path.indexOf(key);
    if (at >= 0) {
      const circle = [...path.slice(at), key].join(" → ");
      return void flaws.push({
        pointer: `/datasets/${key}`,
        message: `These datasets wait for each other: ${circle}.`,
      });
    }
    path.push(key);
    for (const need of needsOf(datasets[key]!)) visit(need);
    path.pop();
    done.add(key);
  };
  for (const key of Object.keys(datasets)) visit(key);
  return flaws;
}

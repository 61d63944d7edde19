// An order is checked for what its schema can't say: keys are distinct, references name datasets, and none waits for
// itself.

import type { RunDataset, RunOrder } from "../../../kernel/wire/sandbox.ts";
import { Failure } from "../core/failure.ts";

/** The keys of the datasets that one waits for. */
export const neededBy = (dataset: RunDataset): string[] => [
  ...new Set([...dataset.dependsOn, ...(dataset.engine === "python" ? dataset.inputs.map(({ ref }) => ref) : [])]),
];

/** Throws `bad_request`. */
export function checkOrder({ datasets }: RunOrder): void {
  const needs = new Map(datasets.map((dataset) => [dataset.key, neededBy(dataset)]));
  if (needs.size !== datasets.length) throw new Failure("bad_request", "Two datasets have the same key.");
  const done = new Set<string>();
  const under = new Set<string>();
  const visit = (key: string): void => {
    if (done.has(key)) return;
    if (under.has(key)) throw new Failure("bad_request", `The dataset ${key} depends on itself.`);
    under.add(key);
    for (const needed of needs.get(key) ?? []) {
      if (!needs.has(needed))
        throw new Failure("bad_request", `The dataset ${key} needs ${needed}, which is not part of the order.`);
      visit(needed);
    }
    under.delete(key);
    done.add(key);
  };
  for (const key of needs.keys()) visit(key);
}

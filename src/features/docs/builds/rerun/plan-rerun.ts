// Plans a run that goes on from where another failed: which of its stages are taken over, and what runs again. Pure.

import type { Definition } from "../../definition/definition.ts";
import { needsOf } from "../../definition/definition.ts";
import { planRun, type PlannedDataset, type RunPlan } from "../../runs/plan/plan-run.ts";
import type { Execution } from "../../runs/run.ts";
import { isBuilt } from "../build.ts";

type Earlier = {
  definition: Definition;
  executions: readonly Execution[];
  /** The executions whose stages are there. */
  stagedIds: ReadonlySet<string>;
  /** The executions whose rows were read from a table of the lake that has changed since. */
  outdatedIds: ReadonlySet<string>;
};

/** `takenOver`: the earlier execution of each dataset whose stage is used again, by its key. */
export type Rerun = { plan: RunPlan; takenOver: Map<string, string> };

/**
 * A dataset's outcome stands where it succeeded, neither it nor what it needs is defined otherwise by now or was read
 * from what has changed since, and its table fails no test. What stands and builds a table is taken over; the rest runs
 * again as far as anything needs it.
 */
export function planRerun(
  definition: Definition,
  { definition: before, executions, stagedIds, outdatedIds }: Earlier,
): Rerun {
  const earlier = new Map(executions.map((execution) => [execution.datasetKey, execution]));
  const known = new Map<string, boolean>();
  const stands = (key: string): boolean => {
    const found = known.get(key) ?? (isCurrent(earlier.get(key)) && isSame(key) && needs(key).every(stands));
    known.set(key, found);
    return found;
  };
  const isCurrent = (execution: Execution | undefined): boolean =>
    hasSucceeded(execution) && !outdatedIds.has(execution.id);
  const needs = (key: string): string[] => needsOf(definition.datasets[key]!);
  const isSame = (key: string): boolean =>
    JSON.stringify([definition.datasets[key], definition.requirements]) ===
    JSON.stringify([before.datasets[key], before.requirements]);
  const isTakenOver = (key: string): boolean =>
    isBuilt(definition.datasets[key]) && stands(key) && stagedIds.has(earlier.get(key)!.id);

  const selected = executions.filter(({ isSelected }) => isSelected).map(({ datasetKey }) => datasetKey);
  const whole = planRun(
    definition,
    selected.filter((key) => Object.hasOwn(definition.datasets, key)),
  );
  const wanted = new Set<string>();
  const want = (key: string): void => {
    if (wanted.has(key)) return;
    wanted.add(key);
    if (!isTakenOver(key)) needs(key).forEach(want);
  };
  for (const { key } of whole.datasets) if (isBuilt(definition.datasets[key]) || !stands(key)) want(key);
  const datasets = whole.datasets
    .filter(({ key }) => wanted.has(key))
    .map((dataset) => (isTakenOver(dataset.key) ? stagedOf(dataset) : dataset));
  const takenOver = new Map([...wanted].filter(isTakenOver).map((key) => [key, earlier.get(key)!.id]));
  return { plan: { ...whole, datasets }, takenOver };
}

/** It has done its work, whether or not the run came to publish it. */
const hasSucceeded = (execution: Execution | undefined): execution is Execution =>
  execution !== undefined && (execution.state === "succeeded" || execution.errorCode === "not_published");

const stagedOf = ({ key, executionId, timeoutMs, isSelected, engine }: PlannedDataset): PlannedDataset => ({
  ...{ key, executionId, timeoutMs, isSelected, dependsOn: [], isStaged: true },
  engine: "staged",
  ranAs: engine === "staged" ? "sql" : engine,
});

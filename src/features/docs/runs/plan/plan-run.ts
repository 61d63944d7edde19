// Plans a run's datasets, each after the ones that it needs, and how long they may take. This file is pure.

import type { RunDataset } from "../../../../../kernel/wire/sandbox.ts";
import { newId } from "../../../../core/ids.ts";
import { DOC_LIMITS } from "../../limits.ts";
import { LIMITS } from "../../../../core/limits.ts";
import { Problem, type Flaw } from "../../../../core/problem.ts";
import { needsOf, type Dataset, type Definition } from "../../definition/definition.ts";
import { cubeQueryOf } from "./cube-query.ts";

/** `ranAs`: the engine of a dataset that an earlier run has staged. */
export type PlannedDataset = RunDataset & { isSelected: boolean; ranAs?: Dataset["engine"] };
export type RunPlan = { datasets: PlannedDataset[]; deadlineMs: number };

/**
 * The keys a webhook runs: those asked for, each of which must be a Python dataset, or else all Python datasets.
 * Throws `validation_failed` with a flaw at each key that is none.
 */
export function choosePython({ datasets }: Definition, asked: readonly string[] | null): string[] {
  const isPython = (key: string) => Object.hasOwn(datasets, key) && datasets[key]!.engine === "python";
  if (asked === null) {
    const all = Object.keys(datasets).filter(isPython);
    if (all.length === 0) throw new Problem("validation_failed", "This doc has no Python dataset to run.", []);
    return all;
  }
  const flaws = asked.flatMap((key, index): Flaw[] =>
    isPython(key) ? [] : [{ pointer: `/datasetKeys/${index}`, message: `The doc has no Python dataset ${key}.` }],
  );
  if (asked.length === 0)
    flaws.push({ pointer: "/datasetKeys", message: "Name at least one dataset, or leave this out for all." });
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
  return [...new Set(asked)];
}

/** The keys a run by hand takes: those asked for, of any engine, or else all. */
export function chooseAny({ datasets }: Definition, asked: readonly string[] | undefined): string[] {
  const flaws = (asked ?? []).flatMap((key, index): Flaw[] =>
    Object.hasOwn(datasets, key)
      ? []
      : [{ pointer: `/datasetKeys/${index}`, message: `The doc has no dataset ${key}.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
  const keys = [...new Set(asked ?? Object.keys(datasets))];
  if (keys.length === 0) throw new Problem("validation_failed", "This doc has no dataset to run.", []);
  return keys;
}

/** Everything the selected datasets need runs too. The definition is free of circles. */
export function planRun(definition: Definition, selected: readonly string[]): RunPlan {
  const ordered: string[] = [];
  const add = (key: string): void => {
    if (ordered.includes(key)) return;
    for (const need of needsOf(definition.datasets[key]!)) add(need);
    ordered.push(key);
  };
  selected.forEach(add);
  const datasets = ordered.map((key) => ({
    ...orderOf(key, definition.datasets[key]!, definition.requirements),
    isSelected: selected.includes(key),
  }));
  const installs = datasets.some((dataset) => dataset.engine === "python" && dataset.requirements.length > 0);
  const frames = datasets.filter(({ engine, isStaged }) => engine === "python" && isStaged).length;
  const publishMs = datasets.some(({ isStaged }) => isStaged) ? DOC_LIMITS.publishMsMax : 0;
  const clocksMs = datasets.reduce(
    (sum, { timeoutMs }) => sum + timeoutMs,
    frames * DOC_LIMITS.stageFrameMsMax + publishMs,
  );
  return {
    datasets,
    deadlineMs: Math.min(
      DOC_LIMITS.runMsMax,
      clocksMs + DOC_LIMITS.runSlackMs + (installs ? DOC_LIMITS.runInstallMs : 0),
    ),
  };
}

/** A dataset's own requirements stand in for the doc's. */
function orderOf(key: string, dataset: Dataset, docRequirements: string[] = []): RunDataset {
  const isStaged = dataset.engine !== "cube" && dataset.materialize !== undefined;
  const common = { key, executionId: newId(), dependsOn: dataset.dependsOn ?? [], ...(isStaged && { isStaged }) };
  const queryMs = dataset.timeoutMs ?? LIMITS.queryDeadlineMsDefault;
  switch (dataset.engine) {
    case "python": {
      const {
        code,
        inputs = [],
        requirements = docRequirements,
        timeoutMs = DOC_LIMITS.datasetTimeoutMsDefault,
      } = dataset;
      return { ...common, engine: "python", code, inputs, requirements, timeoutMs };
    }
    case "sql":
      return {
        ...common,
        engine: "sql",
        sql: dataset.sql,
        ...(dataset.parameters && { parameters: dataset.parameters }),
        integrationId: dataset.integrationId ?? null,
        timeoutMs: queryMs,
      };
    case "cube":
      return {
        ...common,
        engine: "cube",
        query: cubeQueryOf(dataset),
        integrationId: dataset.integrationId ?? null,
        timeoutMs: queryMs,
      };
  }
}

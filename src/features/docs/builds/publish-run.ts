// Publishes what a run has staged: its engine runs the tests and makes the one commit, and what became of it is kept.

import type { PublishRequest, TestResult } from "../../../../kernel/wire/builds.ts";
import type { PublishedResult } from "../../../../kernel/wire/run-builds.ts";
import { newId } from "../../../core/ids.ts";
import { DOC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Definition } from "../definition/definition.ts";
import { ordersOf } from "../definition/builds/tests.ts";
import { selectExecutions } from "../runs/store.ts";
import {
  isBuilt,
  sendingOf,
  testsOf,
  lastResultsKey,
  publishedKey,
  watermarkKey,
  type BuildLakes,
  type BuildRun,
  type KeptStage,
  type PublishedBuild,
} from "./build.ts";
import { findPublished, findResults, keepPublished, requireStages, resultsKey } from "./kept-stages.ts";
import { describeFailure } from "./describe-tests.ts";
import { definitionOf, grantBuild, readableOf, requireBuilder, type StageDeps } from "./stage-dataset.ts";
import { recordBuild } from "./record-build.ts";

/**
 * Answers once the tables are published, or kept back by their tests. Throws `work_in_progress` while an earlier call
 * is at it. After any other Problem nothing is published yet; it may be called again, until the run ends.
 */
export async function publishRun(deps: StageDeps, run: BuildRun): Promise<PublishedResult> {
  const [definition, known] = await Promise.all([definitionOf(deps, run), findPublished(deps, run)]);
  if (known) return resultOf(known, definition);
  const stages = await stagesOf(deps, run, definition);
  const published = await publish(deps, run, definition, stages).catch((error: unknown) => settle(deps, run, error));
  // Recorded first: once the publishing is kept, nothing comes back to record it.
  await recordBuild(deps.db, run, { stages, published, definition }, new Date());
  await keepPublished(deps, run, published);
  return resultOf(published, definition);
}

async function publish(
  deps: StageDeps,
  run: BuildRun,
  definition: Definition,
  stages: readonly KeptStage[],
): Promise<PublishedBuild> {
  const scope = await requireBuilder(deps, run, run.id);
  const deadlineMs = DOC_LIMITS.publishMsMax;
  const { expects, state } = notesOf(run, definition, stages);
  const resultsId = newId();
  const request: PublishRequest = {
    ...{ id: run.id, sender: run.userId, deadlineMs, expects },
    state: [...state, { key: lastResultsKey(run.docId), value: resultsId }],
    testsUrl: deps.bucket.signPut(resultsKey(run, resultsId)),
    lake: await grantBuild(deps, run, { id: run.id, author: scope.userName, deadlineMs }),
    stages: stages.map((stage) => readableOf(deps, run, stage)),
    tests: stages.flatMap(({ staged: { dataset } }) => ordersOf(dataset, testsOf(definition, dataset))),
    message: `Built by the doc ${run.docName}, version ${run.docVersion}`,
  };
  if (JSON.stringify(request).length > DOC_LIMITS.publishBytesMax)
    throw new Problem("validation_failed", "The run's tables have more files and columns than one commit takes.");
  return deps.openEngine(run.teamId).publishTables(request);
}

/** Every dataset of the run that builds a table, in the order of the run. */
async function stagesOf(deps: Needs<"db" | "bucket">, run: BuildRun, definition: Definition): Promise<KeptStage[]> {
  const executions = (await selectExecutions(deps.db, run)).filter(({ datasetKey }) =>
    isBuilt(definition.datasets[datasetKey]),
  );
  const missing = "Not all datasets of the run are staged.";
  if (executions.length === 0) throw new Problem("resource_conflict", missing);
  return requireStages(
    deps,
    run,
    executions.map(({ id }) => id),
    missing,
  );
}

/**
 * The tables' notes as they were when the rows were read, and as they are with these rows: which run published a table
 * last, and its watermark. A run that was staged from others does not match any more, and is refused.
 */
function notesOf(
  run: BuildRun,
  { datasets }: Definition,
  stages: readonly KeptStage[],
): Pick<PublishRequest, "expects" | "state"> {
  const followed = stages.flatMap(({ staged, since }) => {
    const dataset = datasets[staged.dataset];
    const column = isBuilt(dataset) ? dataset.incremental?.column : undefined;
    if (column === undefined) return [];
    return [{ key: watermarkKey(run.docId, staged.target, column), since, watermark: staged.watermark }];
  });
  const tables = stages.map(({ staged, publishedBy }) => ({
    key: publishedKey(run.docId, staged.target),
    publishedBy,
  }));
  return {
    expects: [
      ...tables.map(({ key, publishedBy }) => ({ key, value: publishedBy })),
      ...followed.map(({ key, since }) => ({ key, value: since })),
    ],
    state: [
      ...tables.map(({ key }) => ({ key, value: run.id })),
      ...followed.map(({ key, watermark }) => ({ key, value: watermark && JSON.stringify(watermark) })),
    ],
  };
}

/** A publishing that was not answered well may have committed: the catalog knows. It may come again. */
async function settle(deps: Needs<"bucket" | "openLake">, run: BuildRun, error: unknown): Promise<PublishedBuild> {
  const snapshotId = await deps.openLake(run.lakeId).writtenBy(sendingOf(run, run.id).key);
  if (snapshotId === null) throw error;
  return { snapshotId, tests: await findLostResults(deps, run) };
}

/**
 * How the tests went of a run whose commit is made, and whose answer was lost. The commit's note says which results are
 * its own; they are null where a later run of the doc has published since, and the note is of that one.
 */
async function findLostResults(deps: Needs<"bucket"> & BuildLakes, run: BuildRun): Promise<TestResult[] | null> {
  const key = lastResultsKey(run.docId);
  const resultsId = (await deps.openLake(run.lakeId).notesOf([key]))[key];
  return resultsId ? findResults(deps, run, resultsId) : null;
}

/** Keeps that a run has published, where whoever published it died before that was kept. */
export async function keepLatePublished(
  deps: Needs<"db" | "bucket"> & BuildLakes,
  run: BuildRun,
  snapshotId: number,
  now: Date,
): Promise<void> {
  if (await findPublished(deps, run)) return;
  const definition = await definitionOf(deps, run);
  const published: PublishedBuild = { snapshotId, tests: await findLostResults(deps, run) };
  await recordBuild(deps.db, run, { stages: await stagesOf(deps, run, definition), published, definition }, now);
  await keepPublished(deps, run, published);
}

function resultOf({ snapshotId, tests }: PublishedBuild, definition: Definition): PublishedResult {
  if (snapshotId !== null) return { isPublished: true, failures: [] };
  const failed = (tests ?? []).filter((result) => result.severity === "error" && result.state !== "passed");
  const failures = Map.groupBy(failed, ({ dataset }: TestResult) => dataset);
  return {
    isPublished: false,
    failures: [...failures].map(([key, results]) => ({
      key,
      error: results.map((result) => describeFailure(result, testsOf(definition, key)[result.index])).join(" "),
    })),
  };
}

// A run's outcome is recorded for each table that it staged, and shown beside the table.

import { foldName } from "../../../../kernel/text/fold-name.ts";
import {
  TEST_SEVERITIES,
  type ColumnLineage,
  type StagedTable,
  type TestResult,
} from "../../../../kernel/wire/builds.ts";
import { DOC_LIMITS } from "../limits.ts";
import { targetOf } from "../definition/builds/materialize.ts";
import type { Definition } from "../definition/definition.ts";
import { isBuilt, sourcesOf, testsOf, type BuildRun, type KeptStage, type PublishedBuild } from "./build.ts";
import { nameOf } from "./describe-tests.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { FailedTest } from "../../../platform/db/schema/schema.ts";
import { recordTestsEnd } from "../runs/events/store-outbound.ts";
import { deleteOtherBuilds, setFailedTests, upsertBuild, type TableBuild } from "./store.ts";

type Outcome = { stages: readonly KeptStage[]; published: PublishedBuild; definition: Definition };

/** Records the outcome of every table that the run has staged, and forgets those that its doc builds no more. */
export async function recordBuild(
  db: Db,
  run: BuildRun,
  { stages, published, definition }: Outcome,
  now: Date,
): Promise<void> {
  // Tests of the severity `error` held where the outcomes are lost: the tables are published.
  const tests = published.tests ?? [];
  const rows = stages.flatMap((stage): TableBuild[] => {
    const { staged, lineage } = stage;
    const dataset = definition.datasets[staged.dataset];
    if (!isBuilt(dataset)) return [];
    const { schema, name } = targetOf(dataset.materialize);
    const failed = tests.filter((test) => test.dataset === staged.dataset && test.state !== "passed");
    const isPublished = published.snapshotId !== null;
    return [
      {
        ...{ teamId: run.teamId, lakeId: run.lakeId, schemaName: schema, tableName: name },
        ...{ docId: run.docId, datasetKey: staged.dataset, runId: run.id, triedAt: now.toISOString() },
        state: isPublished ? "published" : "tests_failed",
        testsFailed: failed.filter(({ severity }) => severity === "error").length,
        testsWarned: failed.filter(({ severity }) => severity === "warn").length,
        publishedAt: isPublished ? now.toISOString() : null,
        publishedRunId: isPublished ? run.id : null,
        rowsWritten: isPublished ? staged.rows : null,
        sources: isPublished ? JSON.stringify(sourcesOf(stage)) : null,
        columns: isPublished ? JSON.stringify(columnsOf(staged, lineage)) : null,
      },
    ];
  });
  const built = Object.values(definition.datasets).filter(isBuilt);
  const targets = built.map(({ materialize }) => targetOf(materialize));
  const failed = failedTestsOf(tests, definition);
  await db.batch([
    deleteOtherBuilds(db, run, targets),
    setFailedTests(db, run, failed),
    ...(tests.length > 0 ? [recordTestsEnd(db, run, { docId: run.docId, tests, failed }, now)] : []),
    ...rows.map((row) => upsertBuild(db, row)),
  ]);
}

/** Tests of the severity `error` come first. */
function failedTestsOf(tests: readonly TestResult[], definition: Definition): FailedTest[] {
  const failed = tests.filter(({ state }) => state !== "passed");
  return TEST_SEVERITIES.flatMap((severity) => failed.filter((test) => test.severity === severity))
    .slice(0, DOC_LIMITS.failedTestsNamedMax)
    .flatMap(({ dataset: key, index, severity }): FailedTest[] => {
      const dataset = definition.datasets[key];
      const test = testsOf(definition, key)[index];
      if (!isBuilt(dataset) || !test) return [];
      const { schema, name: table } = targetOf(dataset.materialize);
      return [{ schema, table, name: nameOf(test).slice(0, DOC_LIMITS.testNameCharactersMax), severity }];
    });
}

/** Every column of the dataset, as far as there is room for their sources. */
function columnsOf({ columns }: StagedTable, lineage: readonly ColumnLineage[] = []): ColumnLineage[] {
  const known = new Map(lineage.map(({ column, sources }) => [foldName(column), sources]));
  let charactersLeft = DOC_LIMITS.lineageCharactersMax;
  return columns.map(({ name: column }) => {
    const sources = known.get(foldName(column)) ?? null;
    charactersLeft -= JSON.stringify(sources).length;
    return { column, sources: charactersLeft >= 0 ? sources : null };
  });
}

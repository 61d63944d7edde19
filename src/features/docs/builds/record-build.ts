// How each table of a run went, for whoever looks at the table.

import { targetOf } from "../definition/builds/materialize.ts";
import type { Definition } from "../definition/definition.ts";
import { isBuilt, sourcesOf, type BuildRun, type KeptStage, type PublishedBuild } from "./build.ts";
import type { Db } from "../../../platform/db/client.ts";
import { upsertBuild, type TableBuild } from "./store.ts";

type Outcome = { stages: readonly KeptStage[]; published: PublishedBuild; definition: Definition };

/** Records the outcome of every table that the run has staged. */
export async function recordBuild(
  db: Db,
  run: BuildRun,
  { stages, published, definition }: Outcome,
  now: Date,
): Promise<void> {
  const rows = stages.flatMap((stage): TableBuild[] => {
    const { staged } = stage;
    const dataset = definition.datasets[staged.dataset];
    if (!isBuilt(dataset)) return [];
    const { schema, name } = targetOf(dataset.materialize);
    const failed = published.tests.filter((test) => test.dataset === staged.dataset && test.state !== "passed");
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
      },
    ];
  });
  const [first, ...others] = rows.map((row) => upsertBuild(db, row));
  if (first) await db.batch([first, ...others]);
}

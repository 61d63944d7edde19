import type { Needs } from "../../../clients/context.ts";
import type { PageOf } from "../../../core/page.ts";
import type { Definition } from "../definition/definition.ts";
import { targetOf } from "../definition/builds/materialize.ts";
import type { DatasetTest } from "../definition/builds/tests.ts";
import { openRunReader } from "../executions/read-output.ts";
import { requireDocRun } from "../runs/find.ts";
import type { Execution } from "../runs/run.ts";
import { selectExecutions } from "../runs/store.ts";
import { isBuild, isBuilt, sourcesOf, testsOf, type BuildRun, type PublishedBuild } from "./build.ts";
import { nameOf } from "./describe-tests.ts";
import { findPublished, findStage } from "./kept-stages.ts";
import { definitionOf } from "./stage-dataset.ts";
import type { RunTable, RunTest } from "./run-table.ts";

type Ctx = Needs<"scope" | "db" | "bucket">;

/** The tables that a run builds, in its order: what each was read from, and how its tests went. */
export async function listRunTables(ctx: Ctx, docId: string, runId: string): Promise<PageOf<RunTable>> {
  const run = await requireDocRun(ctx, docId, runId);
  const items = isBuild(run) ? await tablesOf(ctx, run) : [];
  return { items, total: items.length, limit: items.length, offset: 0 };
}

async function tablesOf(ctx: Ctx, run: BuildRun): Promise<RunTable[]> {
  const [definition, executions, published, mayRead] = await Promise.all([
    definitionOf(ctx, run),
    selectExecutions(ctx.db, run),
    findPublished(ctx, run),
    openRunReader(ctx),
  ]);
  const built = executions.filter(({ datasetKey }) => isBuilt(definition.datasets[datasetKey]));
  const shown = { definition, published, isReadable: mayRead(run) };
  return Promise.all(built.map((execution) => tableOf(ctx, run, execution, shown)));
}

type Shown = { definition: Definition; published: PublishedBuild | undefined; isReadable: boolean };

async function tableOf(ctx: Ctx, run: BuildRun, { id, datasetKey }: Execution, shown: Shown): Promise<RunTable> {
  const dataset = shown.definition.datasets[datasetKey];
  if (!isBuilt(dataset)) throw new Error(`${datasetKey} builds no table.`);
  const { schema, name, mode } = targetOf(dataset.materialize);
  const stage = await findStage(ctx, run, id);
  return {
    ...{ dataset_key: datasetKey, execution_id: id, schema, name, mode },
    is_published: typeof shown.published?.snapshotId === "number",
    rows: shown.isReadable ? (stage?.staged.rows ?? null) : null,
    sources: shown.isReadable && stage ? sourcesOf(stage) : [],
    tests: testsShown(datasetKey, shown),
  };
}

function testsShown(key: string, { definition, published, isReadable }: Shown): RunTest[] {
  const tests = testsOf(definition, key);
  if (published?.tests === null) return tests.map(unknownTest);
  return (published?.tests ?? [])
    .filter(({ dataset, index }) => dataset === key && index < tests.length)
    .map(({ index, severity, state, rows, error, sample }) => ({
      ...{ name: nameOf(tests[index]!), severity, state },
      rows: isReadable ? rows : null,
      error: isReadable ? error : null,
      sample: isReadable ? sample : null,
    }));
}

/** Without the results nobody knows how a test went that warns; the others passed, as the tables are published. */
const unknownTest = (test: DatasetTest): RunTest => {
  const { severity } = test;
  const state = severity === "error" ? "passed" : "unknown";
  return { name: nameOf(test), severity, state, rows: null, error: null, sample: null };
};

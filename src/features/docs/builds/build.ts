// The noun: what one run of a doc builds in the lake. Pure.

import type { StageAnswer, TableRead, TestResult, Watermark } from "../../../../kernel/wire/builds.ts";
import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import { statementKey, type SentStatement, type StatementEnd } from "../../../lake/commit/statements.ts";
import type { OwnedTable, Owner } from "../../../lake/writers/owners.ts";
import { needsOf, type Dataset, type Definition } from "../definition/definition.ts";
import type { Materialize } from "../definition/builds/materialize.ts";
import type { DatasetTest } from "../definition/builds/tests.ts";
import type { Run } from "../runs/run.ts";

/** A run that builds tables: `buildId` names its staged files. */
export type BuildRun = Run & { buildId: string; lakeId: string };

/** A lake by what a run that builds tables asks of it: to make them the doc's, to end its publishing, and its notes. */
export type BuildLakes = {
  openLake(lakeId: string): {
    keepTables(owner: Owner, tables: LakeTableName[]): Promise<OwnedTable[]>;
    endStatement(sent: SentStatement): Promise<StatementEnd>;
    notesOf(keys: string[]): Promise<Record<string, string | null>>;
  };
};

export const isBuild = (run: Run): run is BuildRun => run.buildId !== null && run.lakeId !== null;

/** A dataset of SQL or Python that builds a table. */
export type BuiltDataset = Exclude<Dataset, { engine: "cube" }> & { materialize: Materialize };

export const isBuilt = (dataset: Dataset | undefined): dataset is BuiltDataset =>
  dataset !== undefined && dataset.engine !== "cube" && dataset.materialize !== undefined;

/** The tests of a dataset, if it has any. */
export const testsOf = ({ datasets }: Definition, key: string): readonly DatasetTest[] => {
  const dataset = datasets[key];
  return isBuilt(dataset) ? (dataset.tests ?? []) : [];
};

/**
 * What is kept of a published run, or of one whose tests kept its tables back. `tests` is null where the tables are
 * published and the answer that said how the tests went was lost for good.
 */
export type PublishedBuild = { snapshotId: number | null; tests: TestResult[] | null };

/** A stage as it is kept: what the engine has answered, and the note of the watermark that the rows were read by. */
export type KeptStage = StageAnswer & {
  since: string | null;
  /** The run that had published the table last when the rows were read. */
  publishedBy: string | null;
  /**
   * What Python's inputs that build no table were read from; null or absent where that is not known, and the rows are
   * then never taken over. Empty of SQL.
   */
  inputReads?: TableRead[] | null;
  /** When its files were begun, in Unix milliseconds; a rerun that takes the stage over keeps that. */
  stagedAt: number;
};

/** The tables that a stage's rows were read from. */
export const sourcesOf = ({ reads }: Pick<KeptStage, "reads">): LakeTableName[] =>
  reads.map(({ schema, name }) => ({ schema, name }));

type Sending = SentStatement & { statementId: string };

/** One statement of a build in the lake's catalog: a stage by the execution's id, or the publishing by the run's. */
export function sendingOf({ docId, buildId }: Pick<BuildRun, "docId" | "buildId">, id: string): Sending {
  const statementId = `doc/${docId}/${id}`;
  return { statementId, key: statementKey(statementId), jobId: buildId };
}

/** Where the lake keeps how far a table has read its source. It goes with the doc, the table, and the column. */
export const watermarkKey = (
  docId: string,
  { schema, name }: { schema: string; name: string },
  column: string,
): string => `${watermarkPrefix(docId)}${JSON.stringify([schema, name, column])}`;

/** Where the lake keeps which run published a table last: what was read before that one is not published any more. */
export const publishedKey = (docId: string, { schema, name }: { schema: string; name: string }): string =>
  `${watermarkPrefix(docId)}${JSON.stringify([schema, name])}`;

/** Where the lake keeps which call to publish the doc's tables was the last to commit, by the id of its results. */
export const lastResultsKey = (docId: string): string => `${watermarkPrefix(docId)}tests`;

export const watermarkPrefix = (docId: string): string => `build/${docId}/`;

export const readWatermark = (note: string | null): Watermark | null =>
  note === null ? null : (JSON.parse(note) as Watermark);

/** The datasets that build tables among those a dataset needs, however far: in the order of `keys`. */
export function builtBefore({ datasets }: Definition, key: string, keys: readonly string[]): string[] {
  const needed = new Set<string>();
  const add = (one: string): void => {
    for (const need of needsOf(datasets[one]!)) {
      if (needed.has(need)) continue;
      needed.add(need);
      add(need);
    }
  };
  add(key);
  return keys.filter((one) => needed.has(one) && isBuilt(datasets[one]));
}

// The steps of a run share the run, a table of it, and the table once it has been prepared.

import type { ReadAs, SourceTable } from "../../extract/source-table.ts";
import type { ListedTable, SourceSnapshot } from "../../sources/snapshot.ts";
import type { StagingDatabase } from "../../extract/staging-database.ts";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import type { SyncWork } from "../../../../kernel/jobs/work.ts";
import type { JobPlatform } from "../../platform/job-platform.ts";
import type { Cursor } from "./tables/cursor.ts";
import type { ColumnPlan } from "./tables/plan-columns.ts";
import type { TableProgress } from "./progress/progress.ts";
import type { Checkpoint } from "./commit/checkpoint.ts";

/** The state that the tables of a run share. */
export type SyncRun = {
  work: SyncWork;
  platform: JobPlatform;
  sourceSnapshot: SourceSnapshot;
  staging: StagingDatabase;
  signal: AbortSignal;
  /**
   * How many rows make a range, where a source's rows are compared range by range. Set by tests that want many ranges
   * of a small table.
   */
  rangeRows: number | undefined;
};

export type TableTask = {
  run: SyncRun;
  source: ListedTable;
  /** The lake's table of that name, as the run found it. */
  lake: LakeTable | undefined;
  checkpoint: Checkpoint | undefined;
  progress: TableProgress;
};

/** Whether rows are added to those of the lake's table, which stay as they are. */
export const isAppending = ({ run: { work }, lake }: TableTask): boolean =>
  work.loadMethod === "append" && !work.full && lake !== undefined;

/** A table about to be written: what is read, and what it becomes. */
export type PreparedTable = TableTask & {
  table: SourceTable;
  readAs: ReadonlyMap<string, ReadAs>;
  columnPlan: Exclude<ColumnPlan, { kind: "refused" }>;
  cursor: Cursor | undefined;
  /** Whether the lake has values that an earlier version read otherwise, so that all of them have to be read again. */
  isReadOtherwise: boolean;
};

/** Whether the run's commit makes the table: there is none of its name in the lake, or none that the columns fit. */
export const isMade = ({ columnPlan, lake }: PreparedTable): boolean => columnPlan.kind === "create" || !lake;

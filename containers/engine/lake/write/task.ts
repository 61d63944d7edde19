// The inputs of a statement that writes, and what it has to commit.

import type { LakeDescription, LakeTable, TablePlan } from "../../../../kernel/lake/lake.ts";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { Phases } from "../../core/phases.ts";
import type { Lake } from "../read/lake.ts";
import type { WriteAnswer } from "./answer-write.ts";
import type { Writer } from "./writer.ts";

/** `directory` takes its files; it is relative to the cache's. */
export type WriteTask = {
  lake: Lake;
  sql: string;
  /** The values of its parameters, `$1` to the last; absent where it may have none. */
  values: readonly BoundValue[] | undefined;
  writer: Writer;
  grant: LakeGrant;
  description: LakeDescription;
  directory: string;
  phases: Phases;
  signal: AbortSignal;
};

/**
 * The changes to commit, and the answer after that. Without changes there is nothing to do. `holds`: the changes can be
 * made from a later snapshot as well, as long as the table is unchanged there, and these files have the same deleted
 * rows.
 */
export type Written = {
  changes: LakeChange[];
  answer: WriteAnswer;
  holds?: { table: LakeTable; files: TablePlan["files"] };
};

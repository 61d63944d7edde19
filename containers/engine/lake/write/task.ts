// What a statement that writes works with, and what it has to commit.

import type { LakeDescription, LakeTable, TablePlan } from "../../contract/lake.ts";
import type { LakeChange } from "../../contract/commit.ts";
import type { LakeGrant } from "../../contract/protocol.ts";
import type { Phases } from "../../core/phases.ts";
import type { Lake } from "../read/lake.ts";
import type { WriteAnswer } from "./answer-write.ts";
import type { Writer } from "./writer.ts";

/** `directory` takes its files; it is relative to the cache's. */
export type WriteTask = {
  lake: Lake;
  sql: string;
  writer: Writer;
  grant: LakeGrant;
  description: LakeDescription;
  directory: string;
  phases: Phases;
  signal: AbortSignal;
};

/**
 * What is to be committed, and what to answer then. No changes: there is nothing to do. `holds`: the changes can be
 * made from a later snapshot as well, as long as it has the table as it was, and these files with the same rows
 * deleted.
 */
export type Written = {
  changes: LakeChange[];
  answer: WriteAnswer;
  holds?: { table: LakeTable; files: TablePlan["files"] };
};

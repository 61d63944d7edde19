// One statement's rows, wherever its target is, for a taker in this process.

import { isLakeStatement, type Statement } from "../../core/statement.ts";
import type { RowTaker } from "../../formats/result.ts";
import type { Lake } from "../../lake/read/lake.ts";
import { readRows } from "../../lake/read/run-read.ts";
import { runSourceRows } from "../../sources/run-statement.ts";

/** Runs a statement that reads. Rejects with a Failure, or the signal's reason. */
export async function runRows(statement: Statement, lake: Lake, signal: AbortSignal, taker: RowTaker): Promise<void> {
  if (isLakeStatement(statement)) await readRows(lake, statement, signal, taker);
  else await runSourceRows(statement, signal, taker);
}

// One statement on the lake writes or reads; what it will read can be told before.

import type { ByteSink } from "../core/sink.ts";
import { Failure, reasonOf } from "../core/failure.ts";
import type { LakeStatement } from "../core/statement.ts";
import type { ReadEstimate } from "../../../kernel/wire/engine.ts";
import { estimateRead, type EstimatedStatement } from "./read/estimate-read.ts";
import type { Lake } from "./read/lake.ts";
import { runRead } from "./read/run-read.ts";
import { parseWrite } from "./write/parse/parse-statement.ts";

/**
 * Answers a statement on the lake. Rejects with a Failure, or the signal's reason, while nothing was written;
 * afterwards a JSON document is ended here with `success:false`, and other formats reject.
 */
export async function runLakeStatement(
  statement: LakeStatement,
  lake: Lake,
  signal: AbortSignal,
  sink: ByteSink,
): Promise<void> {
  try {
    const write = parseWrite(statement.sql);
    if (write) {
      const { runWrite } = await import("./write/run-write.ts");
      await runWrite({ lake, write, statement, grant: statement.target.lake, signal }, sink);
    } else {
      await runRead(lake, statement, signal, sink).catch((error: unknown) =>
        Promise.reject(reasonOf(error, signal).ofRead()),
      );
    }
  } catch (error) {
    throw error instanceof Failure ? inCharacters(error, statement.sql) : error;
  }
}

/** Says what a statement on the lake will read. Rejects with a Failure where it may not run. */
export async function estimateLakeStatement(
  lake: Lake,
  statement: EstimatedStatement,
  signal: AbortSignal,
): Promise<ReadEstimate> {
  try {
    if (parseWrite(statement.sql)) return { tables: [], readsDrive: false, writes: true };
    return await estimateRead(lake, statement, signal);
  } catch (error) {
    throw error instanceof Failure ? inCharacters(error, statement.sql) : error;
  }
}

/** Within the lake a position counts JavaScript's UTF-16 units; callers count Unicode's characters. */
const inCharacters = (failure: Failure, sql: string): Failure => {
  const { message, position } = failure;
  return failure.reworded(message, position && [...sql.slice(0, position - 1)].length + 1);
};

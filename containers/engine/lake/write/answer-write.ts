// The answer of a statement that writes: how many rows, in the format that was asked for.

import type { Column } from "../../formats/result.ts";
import { createRowPacker } from "../../formats/row-packer.ts";
import { createWriter } from "../../formats/writers.ts";
import type { Statement } from "../../core/statement.ts";

/**
 * A write's answer, as DuckDB gives it: a count of rows, or one column without rows where a table was created or
 * altered.
 */
export type WriteAnswer = { count: number } | "created" | "altered";

const COUNT: Column = { name: "count", type: "BIGINT", kind: "bigint" };
const SUCCESS: Column = { name: "success", type: "BOOLEAN", kind: "boolean" };

export function answerOf({ id, result, phases }: Statement, answer: WriteAnswer, startedAt: number): Uint8Array {
  const writer = createWriter({ columns: [answer === "altered" ? SUCCESS : COUNT], result, requestId: id });
  if (typeof answer === "object") writer.write(createRowPacker(1)([String(answer.count)]));
  return writer.end({ durationMs: Math.round(performance.now() - startedAt), phases });
}

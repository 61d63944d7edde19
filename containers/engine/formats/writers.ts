// The formats a result can be written in.

import { isBatchFormat } from "../../../kernel/wire/engine-program.ts";
import { createBatchWriter } from "./arrow/row-writer.ts";
import type { RowWriter, WriterOptions } from "./result.ts";
import { createTextWriter } from "./text-writers.ts";

/** A writer of one result. Throws `sql_error` where a format of record batches has no form for the columns. */
export function createWriter(options: WriterOptions): RowWriter {
  const { format } = options.result;
  return isBatchFormat(format) ? createBatchWriter(format, options) : createTextWriter(format, options);
}

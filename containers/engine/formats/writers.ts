// The formats a result can be written in.

import { createArrowWriter } from "./arrow/row-writer.ts";
import type { RowWriter, WriterOptions } from "./result.ts";
import { createTextWriter } from "./text-writers.ts";

/** A writer of one result. Throws `sql_error` where a column can't be written in the format (Arrow only). */
export function createWriter(options: WriterOptions): RowWriter {
  const { format } = options.result;
  return format === "arrow" ? createArrowWriter(options) : createTextWriter(format, options);
}

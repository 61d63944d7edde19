// The formats a result can be written in.

import type { Format } from "../contract/protocol.ts";
import { createArrowWriter } from "./arrow/row-writer.ts";
import { createCsvWriter } from "./csv.ts";
import { createJsonWriter } from "./json.ts";
import { createNdjsonWriter } from "./ndjson.ts";
import type { RowWriter, WriterOptions } from "./result.ts";

const WRITERS: Record<Format, (options: WriterOptions) => RowWriter> = {
  json: createJsonWriter,
  csv: createCsvWriter,
  ndjson: createNdjsonWriter,
  arrow: createArrowWriter,
};

/** A writer of one result. Throws `sql_error` where a column can't be written in the format (Arrow only). */
export const createWriter = (options: WriterOptions): RowWriter => WRITERS[options.result.format](options);

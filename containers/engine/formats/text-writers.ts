// The formats that are text. Arrow is apart, as its library is large and not every program writes it.

import type { Format } from "../../../kernel/wire/engine.ts";
import { createCsvWriter } from "./csv.ts";
import { createJsonWriter } from "./json.ts";
import { createNdjsonWriter } from "./ndjson.ts";
import type { RowWriter, WriterOptions } from "./result.ts";

const WRITERS: Record<Exclude<Format, "arrow">, (options: WriterOptions) => RowWriter> = {
  json: createJsonWriter,
  csv: createCsvWriter,
  ndjson: createNdjsonWriter,
};

/** A writer of one result in this format, whatever the options say. */
export const createTextWriter = (format: Exclude<Format, "arrow">, options: WriterOptions): RowWriter =>
  WRITERS[format](options);

// A result as JSON objects, one a line.

import { jsonRows } from "./json.ts";
import { Output } from "./output.ts";
import type { RowWriter, WriterOptions } from "./result.ts";

export function createNdjsonWriter(options: WriterOptions): RowWriter {
  const out = new Output();
  const putRow = jsonRows(options);
  return {
    write(row) {
      putRow(out, row);
      out.byte(0x0a);
      return true;
    },
    get pending() {
      return out.length;
    },
    take: () => out.take(),
    end: () => out.take(),
  };
}

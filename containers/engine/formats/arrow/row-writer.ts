// Rows of canonical text as record batches of typed columns.

import type { BatchFormat } from "../../../../kernel/wire/engine-program.ts";
import { createBatchStream } from "../batch-stream.ts";
import type { RowWriter, WriterOptions } from "../result.ts";
import { BATCH_BYTES_MAX, batchRowsMax } from "./stream.ts";
import { createTextColumn } from "./text-column.ts";
import { cannotHold, schemaOf } from "./schema.ts";

/** A cell its type can't hold throws `sql_error`. */
export function createBatchWriter(format: BatchFormat, { columns }: WriterOptions): RowWriter {
  const schema = schemaOf(columns);
  const rowsMax = batchRowsMax(columns.length);
  const parts = schema.fields.map(({ name, type }) => createTextColumn(name, type, rowsMax));
  const stream = createBatchStream(format, schema);
  let rows = 0;

  const flush = () => {
    if (rows === 0) return;
    const children = parts.map((part) => part.data(rows));
    stream.write(children, rows);
    for (const part of parts) part.clear();
    rows = 0;
  };

  return {
    write({ bytes, starts, ends }) {
      const from = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let size = 0;
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i]!;
        const end = ends[i]!;
        if (end < 0) part.putNull(rows);
        else if (!part.put(rows, from, starts[i]!, end)) throw cannotHold(columns[i]!.name, part.type);
        size += part.size();
      }
      rows++;
      if (rows === rowsMax || size >= BATCH_BYTES_MAX) flush();
      return true;
    },
    get pending() {
      return stream.pending;
    },
    take: () => stream.take(),
    end({ failure }) {
      if (!failure) {
        flush();
        stream.finish();
      }
      return stream.take();
    },
  };
}

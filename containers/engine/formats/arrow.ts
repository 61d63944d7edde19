// A result as an Arrow IPC stream: record batches of typed columns.

import { DataType, Field, RecordBatch, RecordBatchStreamWriter, Schema, Struct, makeData } from "apache-arrow";
import { Failure } from "../core/failure.ts";
import { createArrowColumn } from "./arrow-column.ts";
import { Output } from "./output.ts";
import type { RowWriter, WriterOptions } from "./result.ts";

const BATCH_ROWS_MAX = 16_384;
/** Of all columns together, so that a wide result's batches stay small. */
const BATCH_CELLS_MAX = 1_000_000;
/** Bytes of strings after which a batch is closed early. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/**
 * | kind | Arrow |
 * |---|---|
 * | boolean | Bool |
 * | integer | Int32, or Uint32 where the source's type is unsigned |
 * | bigint | Int64, or Uint64; Decimal128(38, 0) for 128-bit integers |
 * | decimal | Decimal128(p, s) where both are known and p ≤ 38, else Utf8 |
 * | float | Float64 |
 * | date, time | Date32, Time64 (µs) |
 * | timestamp, timestamptz | Timestamp (µs), the latter in UTC |
 * | binary | Binary |
 * | json, text | Utf8 |
 *
 * A cell its type can't hold (`infinity`, a zero date, NaN in a decimal) throws `sql_error`; none becomes NULL. Each
 * field's metadata says the source's `type` and the `kind`.
 */
export function createArrowWriter({ columns }: WriterOptions): RowWriter {
  const rowsMax = Math.max(256, Math.min(BATCH_ROWS_MAX, Math.floor(BATCH_CELLS_MAX / Math.max(1, columns.length))));
  const parts = columns.map((column) => createArrowColumn(column, rowsMax));
  const schema = new Schema(
    columns.map(
      ({ name, type, kind }, i) =>
        new Field(
          name,
          parts[i]!.type,
          true,
          new Map([
            ["type", type],
            ["kind", kind],
          ]),
        ),
    ),
  );
  const stream = new IpcStream();
  stream.reset(undefined, schema);
  let rows = 0;

  const flush = () => {
    if (rows === 0) return;
    const children = parts.map((part) => part.data(rows));
    stream.write(
      new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children })),
    );
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
      return stream.out.length;
    },
    take: () => stream.out.take(),
    end({ failure }) {
      if (!failure) {
        flush();
        stream.finish();
      }
      return stream.out.take();
    },
  };
}

const cannotHold = (name: string, type: DataType) => {
  const typeName = DataType.isDecimal(type) ? `Decimal(${type.precision}, ${type.scale})` : String(type);
  return new Failure(
    "sql_error",
    `Column "${name}" has a value that Arrow's type ${typeName} can't hold. ` +
      "Cast the column to text in the statement, or ask for another format.",
  );
};

/** The library's encoder, writing into our bytes at once, so that columns can be used again for the next batch. */
class IpcStream extends RecordBatchStreamWriter {
  readonly out = new Output();

  protected override _write(chunk: ArrayBufferView): this {
    if (this._started) {
      this.out.copy(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this._position += chunk.byteLength;
    }
    return this;
  }
}

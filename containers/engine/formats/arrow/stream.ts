// Record batches as the bytes of an Arrow IPC stream.

import { makeData, RecordBatch, RecordBatchStreamWriter, Struct, type Data, type Schema } from "apache-arrow";
import { isAscii, isUtf8 } from "node:buffer";
import { Failure } from "../../core/failure.ts";
import { Output } from "../output.ts";

const BATCH_ROWS_MAX = 16_384;
/** Cells of a batch, all columns together: a wide result's batches stay small. */
const BATCH_CELLS_MAX = 1_000_000;
/** Bytes of strings after which a batch is closed early. */
export const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/** About as many bytes as a batch has besides its columns. */
const BATCH_HEADER_BYTES = 4096;
/** Bytes for the padding after a buffer and for the buffer's description. */
const BUFFER_EXTRA_BYTES = 128;

/** About as many bytes as a column takes of a batch. */
const bytesOf = ({ values, valueOffsets, nullBitmap, children }: Data): number =>
  [values, valueOffsets, nullBitmap].reduce(
    (sum, buffer: ArrayBufferView | undefined) => sum + (buffer?.byteLength ?? 0) + BUFFER_EXTRA_BYTES,
    children.reduce((sum, child) => sum + bytesOf(child), 0),
  );

/** Rows of a batch of so many columns. */
export const batchRowsMax = (columns: number): number =>
  Math.max(256, Math.min(BATCH_ROWS_MAX, Math.floor(BATCH_CELLS_MAX / Math.max(1, columns))));

/** See {@link BatchStream}. */
export class ArrowStream {
  readonly #schema: Schema;
  readonly #struct: Struct;
  readonly #writer = new IpcWriter();

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#struct = new Struct(schema.fields);
    this.#writer.reset(undefined, schema);
  }

  write(children: Data[], length: number): void {
    this.#writer.out.reserve(children.reduce((sum, child) => sum + bytesOf(child), BATCH_HEADER_BYTES));
    this.#writer.write(new RecordBatch(this.#schema, makeData({ type: this.#struct, length, nullCount: 0, children })));
  }

  get pending(): number {
    return this.#writer.out.length;
  }

  take(): Uint8Array {
    return this.#writer.out.take();
  }

  takeReused(): Uint8Array {
    return this.#writer.out.takeReused();
  }

  finish(): void {
    this.#writer.finish();
  }
}

/** The library's encoder, writing into our bytes at once, so that columns can be used again for the next batch. */
class IpcWriter extends RecordBatchStreamWriter {
  readonly out = new Output();

  protected override _write(chunk: ArrayBufferView): this {
    if (this._started) {
      this.out.copy(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this._position += chunk.byteLength;
    }
    return this;
  }
}

/**
 * Throws where bytes sent as UTF-8 are not: a batch is checked as a whole, and each value has to begin with a
 * character.
 */
export function checkText(name: string, data: Uint8Array, valueOffsets: Int32Array, rows: number): void {
  if (isAscii(data)) return;
  let isText = isUtf8(data);
  for (let row = 1; isText && row < rows; row++) isText = (data[valueOffsets[row]!]! & 0xc0) !== 0x80;
  if (isText) return;
  throw new Failure(
    "sql_error",
    `Column "${name}" holds text that is not UTF-8. ` +
      "Correct it at the source, or cast it to bytes in the statement.",
  );
}

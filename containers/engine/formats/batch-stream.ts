// The formats that are made of record batches: a batch's columns are filled once, whatever they are written as.

import type { Data, Schema } from "apache-arrow";
import type { BatchFormat } from "../../../kernel/wire/engine-program.ts";
import { ArrowStream } from "./arrow/stream.ts";
import { ParquetStream } from "./parquet/parquet-stream.ts";

export type BatchStream = {
  /** Appends a batch of `length` rows. The columns' memory may be used again at once. */
  write(children: Data[], length: number): void;
  /** Bytes pending. */
  readonly pending: number;
  /** Takes what is pending; the caller owns the bytes. */
  take(): Uint8Array;
  /** Takes what is pending. The bytes are the caller's until the next call, which may reuse their memory. */
  takeReused(): Uint8Array;
  /** Writes the end, without which readers know that something is missing. */
  finish(): void;
};

const STREAMS: Record<BatchFormat, new (schema: Schema) => BatchStream> = {
  arrow: ArrowStream,
  parquet: ParquetStream,
};

/** Throws `sql_error` where the format has no form for such columns. */
export const createBatchStream = (format: BatchFormat, schema: Schema): BatchStream => new STREAMS[format](schema);

// One consistent view of a source, whatever kind of database it is: what extraction needs of it, and all readers of a
// run share.

import type { Chunk, ODD_FLOAT } from "./chunk-builder.ts";
import type { ReadAs, SourceColumn, SourceTable, SourceTableName } from "./source-table.ts";
import type { VectorColumn } from "./vector-column.ts";

export type ReadRequest = {
  table: SourceTable;
  columns: readonly SourceColumn[];
  /** A condition in the source's SQL, made by the engine itself. */
  where?: string;
  signal: AbortSignal;
  /** Gives columns for a chunk. */
  emptyColumns(): VectorColumn[];
  /** Takes a chunk; a promise holds the source back. `oddFloats`, per column: the {@link ODD_FLOAT}s so far. */
  take(chunk: Chunk, oddFloats: readonly number[]): Promise<void> | undefined;
};

/** `rows` were read and are as many as the source says it sent, where it says so; `bytes` as it sent them. */
export type ReadReport = { rows: number; bytes: number; notes: string[] };

export type ReadableSnapshot = {
  /** The moment that all is read from, in words for people. */
  readonly consistency: string;
  /** Reads at once that gain something. */
  readonly readersMax: number;
  /** Looks a table up. `readAs`, by the source's column names, overrules what its declaration suggests. */
  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<SourceTable>;
  /**
   * Reads rows. Rejects with a Failure, a TypeMismatch, or the signal's reason; then the statement was cancelled at the
   * source.
   */
  read(request: ReadRequest): Promise<ReadReport>;
  /** Never rejects. A statement that still runs is cancelled at the source. */
  close(): Promise<void>;
};

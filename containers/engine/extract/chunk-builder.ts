// Rows on their way into DuckDB: filled column by column, handed over a chunk at a time.

import { Failure } from "../core/failure.ts";
import type { Reading, SourceColumn } from "./source-table.ts";
import { CHUNK_ROWS, VectorColumn } from "./vector-column.ts";

/** A chunk of wide rows is handed over before it is full. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/**
 * The most bytes of a row on the wire. While DuckDB writes it, about five copies of it exist, which fit into its
 * memory.
 */
export const ROW_BYTES_MAX = 64 * 1024 * 1024;

/** To be asked before a row is taken apart, or put together. Throws a Failure. */
export function checkRow(bytes: number): void {
  if (bytes > ROW_BYTES_MAX) throw rowTooLargeToSync();
}

export const rowTooLargeToSync = (): Failure =>
  new Failure(
    "resources_exceeded",
    `A row is larger than the ${ROW_BYTES_MAX / 1024 / 1024} MiB that a sync takes: ` +
      "leave its large values out by a view.",
  );

/** Rows in vector memory; `bytes` are what they took on the wire. */
export type Chunk = { columns: VectorColumn[]; rows: number; bytes: number };

/**
 * The kinds of values that a float column has had, in bits: values that may be NaN (infinities are taken for it too),
 * and -0.
 */
export const ODD_FLOAT = { nan: 1, negativeZero: 2 } as const;

/** Takes a chunk for good. A promise holds the source back. */
export type TakeChunk = (chunk: Chunk) => Promise<void> | undefined;

export class ChunkBuilder {
  /** The columns of the chunk that fills. */
  columns: VectorColumn[];
  /** Where the next row goes. */
  row = 0;
  rowsTotal = 0;
  bytesTotal = 0;

  readonly #empty: () => VectorColumn[];
  readonly #take: TakeChunk;
  #bytes = 0;

  /** `empty` gives columns for a new chunk; {@link makeColumns} makes them. */
  constructor(empty: () => VectorColumn[], take: TakeChunk) {
    this.#empty = empty;
    this.columns = empty();
    this.#take = take;
  }

  /** Ends a row that took `bytes` on the wire. A promise: nothing more may be put until it settles. */
  endRow(bytes: number): Promise<void> | undefined {
    this.row++;
    this.#bytes += bytes;
    return this.row === CHUNK_ROWS || this.#bytes >= CHUNK_BYTES ? this.flush() : undefined;
  }

  /** The rows, and their bytes on the wire, that can be added before the chunk has to be handed over. */
  get room(): { rowsMax: number; bytesMax: number } {
    return { rowsMax: CHUNK_ROWS - 1 - this.row, bytesMax: CHUNK_BYTES - 1 - this.#bytes };
  }

  /** Ends rows for which there is {@link room}. */
  addRows(rows: number, bytes: number): void {
    this.row += rows;
    this.#bytes += bytes;
  }

  /** Hands over what is left. */
  flush(): Promise<void> | undefined {
    const { columns, row: rows } = this;
    const bytes = this.#bytes;
    if (rows === 0) return undefined;
    this.columns = this.#empty();
    this.row = 0;
    this.#bytes = 0;
    this.rowsTotal += rows;
    this.bytesTotal += bytes;
    return this.#take({ columns, rows, bytes });
  }
}

export const makeColumns = (columns: readonly SourceColumn[]): VectorColumn[] =>
  columns.map(({ name, reading, width }) => {
    const child =
      reading.as === "list" ? new VectorColumn(name, reading.element.width, isText(reading.element)) : undefined;
    return new VectorColumn(name, width, isText(reading), child);
  });

const isText = ({ as }: Reading): boolean => as === "text" || as === "jsonb";

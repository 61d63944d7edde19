// The cells of one column are read from DuckDB's vectors and put into lines: numbers, dates and texts from their
// entries, rarer types from the text that DuckDB makes of them.

import { DuckDBDecimalType, DuckDBTypeId as Id, VARCHAR, type DuckDBType } from "@duckdb/node-api";
import duckdb, { type DataChunk } from "@duckdb/node-bindings";
import { CellColumn, type CellFrame } from "../../../../formats/lines/cell-column.ts";
import { putBare, putCsvText, putJsonText, type PutText, QUOTES_BYTES } from "../../../../formats/lines/text-cells.ts";
import type { Output } from "../../../../formats/output.ts";
import { cellOf, kindOf, type LineFormat } from "../../canonical-text.ts";
import { HIGH_HALF, putBigInt, putNumber } from "./number-cells.ts";
import { DateWriter, putTimestamp } from "./time-cells.ts";
import { VarcharColumn } from "./varchar-column.ts";

export type ColumnOrder = {
  type: DuckDBType;
  /** Its name in DuckDB. */
  ref: string;
  frame: CellFrame;
  format: LineFormat;
};

/** The column of a result as cells. */
export function vectorCellsOf(order: ColumnOrder): VectorCells {
  const { type, ref, format } = order;
  const kind = kindOf(type);
  const isCsv = format.format === "csv";
  if (kind === "text" && type.typeId === Id.VARCHAR)
    return new TextColumn(order, { select: ref, put: isCsv ? putCsvText : putJsonText });
  const isWide = kind === "bigint" || kind === "decimal";
  const quotes = !isCsv && (isWide ? format.numbers === "string" : kind !== "integer");
  return (
    entryColumnOf({ ...order, quotes }) ?? new TextColumn(order, { select: cellOf(type, ref, format), put: putBare })
  );
}

type EntryOrder = ColumnOrder & {
  /** Whether the cells stand in quotes. */
  quotes: boolean;
};

function entryColumnOf(order: EntryOrder): VectorCells | undefined {
  const { type } = order;
  if (type instanceof DuckDBDecimalType) {
    if (type.width <= 9) return new NumberColumn(order, type.width <= 4 ? Int16Array : Int32Array, type.scale);
    return type.width <= 18 ? new Int64Column(order, type.scale) : undefined;
  }
  const entries = NUMBERS[type.typeId];
  if (entries) return new NumberColumn(order, entries, 0);
  if (type.typeId === Id.BIGINT) return new Int64Column(order, 0);
  if (type.typeId === Id.DATE) return new DateColumn(order);
  if (type.typeId === Id.TIMESTAMP) return new TimestampColumn(order, "");
  return type.typeId === Id.TIMESTAMP_TZ ? new TimestampColumn(order, "Z") : undefined;
}

type NumberEntries = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;
type EntriesOf = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, at: number, count: number): NumberEntries;
};

const NUMBERS: Partial<Record<Id, EntriesOf>> = {
  [Id.TINYINT]: Int8Array,
  [Id.UTINYINT]: Uint8Array,
  [Id.SMALLINT]: Int16Array,
  [Id.USMALLINT]: Uint16Array,
  [Id.INTEGER]: Int32Array,
  [Id.UINTEGER]: Uint32Array,
};

/** One column of the current chunk. */
export abstract class VectorCells extends CellColumn {
  /** The SQL expression of the column's name that DuckDB is asked for. */
  readonly select: string;
  /** The type of what is asked for. */
  abstract readonly type: DuckDBType;
  /** A bit for each row, 0 for NULL; null where no row is NULL. */
  protected mask: Uint8Array | null = null;

  constructor({ frame }: ColumnOrder, select: string, quote: string) {
    super(frame, quote);
    this.select = select;
  }

  /** Takes the vector of a chunk. */
  abstract open(chunk: DataChunk, index: number, rows: number): void;

  /** The entries of the vector; those of NULLs are any. */
  protected openVector(chunk: DataChunk, index: number, bytes: number, rows: number): Uint8Array<ArrayBuffer> {
    const vector = duckdb.data_chunk_get_vector(chunk, index);
    // Whole words of 64 rows. The binding has null where the vector has no mask.
    this.mask = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null;
    return duckdb.vector_get_data(vector, bytes) as Uint8Array<ArrayBuffer>;
  }

  protected isNull(row: number): boolean {
    const { mask } = this;
    return mask !== null && ((mask[row >> 3]! >> (row & 7)) & 1) === 0;
  }
}

const QUOTE = 0x22;

/** A column whose entries are numbers. */
abstract class EntryColumn extends VectorCells {
  readonly type: DuckDBType;
  readonly #quotes: boolean;

  constructor(order: EntryOrder) {
    super(order, order.ref, order.quotes ? '"' : "");
    this.type = order.type;
    this.#quotes = order.quotes;
  }

  put(out: Output, at: number, row: number): number {
    if (this.isNull(row)) return this.missing.put(out.view, at);
    const end = this.putEntry(out, this.before.put(out.view, at), row);
    if (!this.#quotes) return end;
    out.bytes[end] = QUOTE;
    return end + 1;
  }

  protected abstract putEntry(out: Output, at: number, row: number): number;
}

class NumberColumn extends EntryColumn {
  readonly #entriesOf: EntriesOf;
  readonly #scale: number;
  #entries: NumberEntries = new Int32Array(0);

  constructor(order: EntryOrder, entriesOf: EntriesOf, scale: number) {
    super(order);
    this.#entriesOf = entriesOf;
    this.#scale = scale;
  }

  open(chunk: DataChunk, index: number, rows: number): void {
    const { buffer, byteOffset } = this.openVector(chunk, index, rows * this.#entriesOf.BYTES_PER_ELEMENT, rows);
    this.#entries = new this.#entriesOf(buffer, byteOffset, rows);
  }

  protected putEntry(out: Output, at: number, row: number): number {
    return putNumber(out, at, this.#entries[row]!, this.#scale);
  }
}

/** The entries are int64s, taken as their halves: a BigInt for each would cost more than all the rest. */
abstract class HalvesColumn extends EntryColumn {
  protected halves = new Int32Array(0);

  open(chunk: DataChunk, index: number, rows: number): void {
    const { buffer, byteOffset } = this.openVector(chunk, index, rows * 8, rows);
    this.halves = new Int32Array(buffer, byteOffset, rows * 2);
  }
}

class Int64Column extends HalvesColumn {
  readonly #scale: number;

  constructor(order: EntryOrder, scale: number) {
    super(order);
    this.#scale = scale;
  }

  protected putEntry(out: Output, at: number, row: number): number {
    const { halves } = this;
    const low = halves[row * 2]!;
    const high = halves[row * 2 + 1]!;
    if (high === low >> 31) return putNumber(out, at, low, this.#scale);
    const value = high * HIGH_HALF + (low >>> 0);
    if (Number.isSafeInteger(value)) return putNumber(out, at, value, this.#scale);
    return putBigInt(out, at, (BigInt(high) << 32n) | BigInt(low >>> 0), this.#scale);
  }
}

class TimestampColumn extends HalvesColumn {
  readonly #zone: Uint8Array;

  constructor(order: EntryOrder, zone: string) {
    super(order);
    this.#zone = Buffer.from(zone);
  }

  protected putEntry(out: Output, at: number, row: number): number {
    return putTimestamp(out, at, { low: this.halves[row * 2]!, high: this.halves[row * 2 + 1]!, zone: this.#zone });
  }
}

class DateColumn extends EntryColumn {
  readonly #writer = new DateWriter();
  #days = new Int32Array(0);

  open(chunk: DataChunk, index: number, rows: number): void {
    const { buffer, byteOffset } = this.openVector(chunk, index, rows * 4, rows);
    this.#days = new Int32Array(buffer, byteOffset, rows);
  }

  protected putEntry(out: Output, at: number, row: number): number {
    return this.#writer.put(out, at, this.#days[row]!);
  }
}

class TextColumn extends VectorCells {
  readonly type = VARCHAR;
  readonly #put: PutText;
  #texts: VarcharColumn | undefined;

  constructor(order: ColumnOrder, { select, put }: { select: string; put: PutText }) {
    super(order, select, "");
    this.#put = put;
  }

  open(chunk: DataChunk, index: number, rows: number): void {
    const data = this.openVector(chunk, index, rows * VarcharColumn.ENTRY_BYTES, rows);
    this.#texts = new VarcharColumn(data, rows, this.mask);
  }

  put(out: Output, at: number, row: number): number {
    if (this.isNull(row)) return this.missing.put(out.view, at);
    const texts = this.#texts!;
    texts.seek(row);
    const start = this.before.put(out.view, at);
    out.reserve(texts.length + QUOTES_BYTES, start);
    return this.#put(out, start, texts);
  }
}

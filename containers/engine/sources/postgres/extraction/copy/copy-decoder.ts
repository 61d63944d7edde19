// Rows of PostgreSQL's binary COPY as cells of a chunk.

import { protocolViolation } from "../../connection/messages.ts";
import { checkRow, ODD_FLOAT, type ChunkBuilder } from "../../../../extract/chunk-builder.ts";
import type { SourceColumn } from "../../../../extract/source-table.ts";
import { TypeMismatch } from "../../../../extract/type-mismatch.ts";
import type { VectorColumn } from "../../../../extract/vector-column.ts";
import { CELL, cellOf, DAYS, EXACT_HIGH, MICROSECONDS_TO_2000, MINUS_ZERO, type Cell } from "./cell-kinds.ts";
import { putColumnOf } from "./put-columns.ts";
import { RowBatch, type PutColumn, type PutRare } from "./row-batch.ts";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** The signature, flags and the length of an extension, before the first row. */
const HEADER_BYTES = SIGNATURE.length + 8;
const MICROSECONDS_MIN = -211_813_488_000_000_000n;
const DAY_MICROSECONDS = 86_400_000_000n;
const LARGEST = 9_223_372_036_854_775_807n;

/**
 * The header of a list holds its dimensions, whether there are NULLs, and the elements' type; that of a dimension its
 * length and first index.
 */
const LIST_BYTES = 12;
const DIMENSION_BYTES = 8;

export class PostgresDecoder {
  /** Per column, its {@link ODD_FLOAT}s. */
  readonly oddFloats: number[];
  /** Arrays whose first index was not 1; the lake's lists can't keep it. */
  rebasedLists = 0;

  readonly #builder: ChunkBuilder;
  readonly #cells: Cell[];
  readonly #batch: RowBatch;
  readonly #columns: { put: PutColumn; putRare: PutRare }[];
  #isFirst = true;
  #sawTrailer = false;

  /** `oddFloats` are those of the rows so far, which the decoders of a table's ranges share. */
  constructor(columns: readonly SourceColumn[], builder: ChunkBuilder, oddFloats: number[]) {
    this.#builder = builder;
    this.#cells = columns.map((column) => cellOf(column.reading, column.width, column));
    this.oddFloats = oddFloats;
    this.#batch = new RowBatch(columns.length);
    this.#columns = this.#cells.map((cell, i) => ({
      put: putColumnOf(cell),
      putRare: (row, at, length) => this.#putCell(i, row, this.#batch.memory, at, length),
    }));
  }

  /** Whether the trailer has come. */
  get isEnded(): boolean {
    return this.#sawTrailer;
  }

  /**
   * Takes the body of one CopyData message: a row, with the header before the first, or the trailer. A promise: see
   * {@link ChunkBuilder.endRow}.
   * Throws a Failure where the row's cells are not the columns', or a value has not the form of its type.
   */
  take(bytes: Buffer, from: number, to: number): Promise<void> | undefined {
    let at = this.#isFirst ? this.#afterHeader(bytes, from, to) : from;
    if (this.#sawTrailer) protocolViolation("rows go on after their end");
    if (at === to) return undefined;
    if (to - at === 2 && bytes[at] === 0xff && bytes[at + 1] === 0xff) {
      this.#sawTrailer = true;
      return undefined;
    }
    checkRow(to - at);
    const cells = this.#cells;
    const builder = this.#builder;
    const { row } = builder;
    const start = at;
    if (to - at < 2 || ((bytes[at]! << 8) | bytes[at + 1]!) !== cells.length)
      protocolViolation("a row has another number of cells than was asked for");
    at += 2;
    for (let i = 0; i < cells.length; i++) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      // A head beyond the row has a length of whatever lies there: either way it is past the end.
      if (length < -1 || length > to - at || at > to) protocolViolation("a cell is longer than its row");
      this.#putCell(i, row, bytes, at, length);
      if (length > 0) at += length;
    }
    if (at !== to) protocolViolation("a row goes on after its cells");
    return builder.endRow(to - start);
  }

  /** A length of -1 is NULL. */
  #putCell(index: number, row: number, bytes: Buffer, at: number, length: number): void {
    const to = this.#builder.columns[index]!;
    if (length < 0) to.putNull(row);
    else this.#put(this.#cells[index]!, to, row, bytes, at, length, index);
  }

  /**
   * Takes rows that are plainly right out of the messages in `bytes[from .. to)`, column by column, and none that would
   * end the chunk. Returns where the first message begins that {@link take} has to see. Throws as `take` does.
   */
  takeBatch(bytes: Buffer, from: number, to: number): number {
    if (this.#isFirst || this.#sawTrailer) return from;
    const batch = this.#batch;
    const builder = this.#builder;
    const next = batch.fill(bytes, from, to, builder.room);
    if (batch.rows === 0) return from;
    const { columns, row } = builder;
    for (let i = 0; i < columns.length; i++) {
      const { put, putRare } = this.#columns[i]!;
      // Rare values note theirs while the column is put.
      const odd = put(batch, batch.placesOf(i), columns[i]!, row, putRare);
      this.oddFloats[i]! |= odd;
    }
    builder.addRows(batch.rows, batch.bytes);
    return next;
  }

  #afterHeader(bytes: Buffer, from: number, to: number): number {
    if (to - from < HEADER_BYTES || SIGNATURE.compare(bytes, from, from + SIGNATURE.length) !== 0)
      protocolViolation("rows begin without their header");
    const extension = bytes.readUInt32BE(from + HEADER_BYTES - 4);
    // The upper half of the flags marks features that a reader must know: none is known here.
    if (bytes.readUInt16BE(from + SIGNATURE.length) !== 0 || extension > to - from - HEADER_BYTES)
      protocolViolation("rows begin with a header that can't be right");
    this.#isFirst = false;
    return from + HEADER_BYTES + extension;
  }

  #put(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number, index: number): void {
    switch (cell.kind) {
      case CELL.byte:
        if (length !== 1 || bytes[at]! > 1) invalidValue();
        to.u8[row] = bytes[at]!;
        return;
      case CELL.int16:
        if (length !== 2) invalidValue();
        to.i16[row] = (bytes[at]! << 8) | bytes[at + 1]!;
        return;
      case CELL.int32:
        if (length !== 4) invalidValue();
        to.i32[row] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        return;
      case CELL.time: {
        const time = length === 8 ? bytes.readBigInt64BE(at) : -1n;
        if (time < 0n || time > DAY_MICROSECONDS) invalidValue();
        to.i64[row] = time;
        return;
      }
      case CELL.int64:
        if (length !== 8) invalidValue();
        to.i32[row * 2 + 1] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        to.i32[row * 2] = (bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!;
        return;
      case CELL.float32: {
        if (length !== 4) invalidValue();
        const bits = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        to.i32[row] = bits;
        if ((bits & 0x7f80_0000) === 0x7f80_0000) this.oddFloats[index]! |= ODD_FLOAT.nan;
        else if (bits === MINUS_ZERO) this.oddFloats[index]! |= ODD_FLOAT.negativeZero;
        return;
      }
      case CELL.float64: {
        if (length !== 8) invalidValue();
        const high = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        to.i32[row * 2 + 1] = high;
        const low = (bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!;
        to.i32[row * 2] = low;
        if ((high & 0x7ff0_0000) === 0x7ff0_0000) this.oddFloats[index]! |= ODD_FLOAT.nan;
        else if (high === MINUS_ZERO && low === 0) this.oddFloats[index]! |= ODD_FLOAT.negativeZero;
        return;
      }
      case CELL.decimal: {
        const what = cell.numeric!(to, row, bytes, at, length);
        if (what !== undefined) throw this.#mismatch(cell, what);
        return;
      }
      case CELL.date: {
        const days = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        if (length !== 4 || ((days < DAYS.min || days > DAYS.max) && days !== 0x7fff_ffff && days !== -0x8000_0000))
          invalidValue();
        // Infinities are the largest number and its negative in DuckDB.
        to.i32[row] = days === 0x7fff_ffff ? days : days === -0x8000_0000 ? -0x7fff_ffff : days + DAYS.to2000;
        return;
      }
      case CELL.timestamp:
        if (length !== 8) invalidValue();
        return this.#putTimestamp(cell, to, row, bytes, at);
      case CELL.uuid: {
        if (length !== 16) invalidValue();
        const entry = row * 16;
        for (let i = 0; i < 16; i++) to.u8[entry + 15 - i] = bytes[at + i]!;
        // DuckDB keeps it as a signed number that sorts as the uuid does.
        to.u8[entry + 15]! ^= 0x80;
        return;
      }
      case CELL.bytes:
        return to.putBytes(row, bytes, at, length);
      case CELL.jsonb:
        // After its version.
        if (length < 1 || bytes[at] !== 1) invalidValue();
        return to.putBytes(row, bytes, at + 1, length - 1);
      default:
        return this.#putList(cell, to, row, bytes, at, length, index);
    }
  }

  #putTimestamp(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number): void {
    const high = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    const low = ((bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!) >>> 0;
    if (high > EXACT_HIGH.above && high < EXACT_HIGH.below) {
      const microseconds = high * 4_294_967_296 + low + MICROSECONDS_TO_2000;
      to.i32[row * 2] = microseconds | 0;
      to.i32[row * 2 + 1] = Math.floor(microseconds / 4_294_967_296);
      return;
    }
    const microseconds = bytes.readBigInt64BE(at);
    if (microseconds === LARGEST) to.i64[row] = LARGEST;
    else if (microseconds === -LARGEST - 1n) to.i64[row] = -LARGEST;
    else if (microseconds < MICROSECONDS_MIN) invalidValue();
    else {
      const moved = microseconds + BigInt(MICROSECONDS_TO_2000);
      if (moved >= LARGEST) throw this.#mismatch(cell, "a time after the year 294246");
      to.i64[row] = moved;
    }
  }

  #putList(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number, index: number): void {
    const end = at + length;
    const dimensions = length < LIST_BYTES ? -1 : bytes.readInt32BE(at);
    if (dimensions > 1) throw this.#mismatch(cell, "arrays of more than one dimension");
    if (dimensions === 0 && length === LIST_BYTES) return void to.putList(row, 0);
    const count = dimensions === 1 && length >= LIST_BYTES + DIMENSION_BYTES ? bytes.readInt32BE(at + LIST_BYTES) : -1;
    at += LIST_BYTES + DIMENSION_BYTES;
    // Each element takes the four bytes of its length at least: no more elements are reserved than have come.
    if (count < 0 || count > (end - at) / 4) invalidValue();
    if (bytes.readInt32BE(at - 4) !== 1) this.rebasedLists++;
    const first = to.putList(row, count);
    const { child } = to;
    for (let i = first; i < first + count; i++) {
      const size = at + 4 > end ? -2 : bytes.readInt32BE(at);
      at += 4;
      if (size < -1 || size > end - at) invalidValue();
      if (size < 0) {
        child!.putNull(i);
        continue;
      }
      this.#put(cell.element!, child!, i, bytes, at, size, index);
      at += size;
    }
    if (at !== end) invalidValue();
  }

  #mismatch({ column }: Cell, what: string): TypeMismatch {
    return new TypeMismatch(column.name, what, column.lake.type, column.fallback ?? "varchar");
  }
}

/** Throws a Failure. */
const invalidValue = (): never => protocolViolation("a value has not the form of its type");

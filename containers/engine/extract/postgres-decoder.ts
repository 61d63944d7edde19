// Rows of PostgreSQL's binary COPY as cells of a chunk.

import { checkRow, type ChunkBuilder } from "./chunk-builder.ts";
import type { Reading, SourceColumn } from "./columns.ts";
import { Misfit } from "./misfit.ts";
import { createNumericReader, type PutNumeric } from "./postgres-numeric.ts";
import type { VectorColumn } from "./vector-column.ts";

/** The signature, flags and the length of an extension, before the first row. */
const HEADER_BYTES = 19;
const DAYS_TO_2000 = 10_957;
const MICROSECONDS_TO_2000 = 946_684_800_000_000n;
const LARGEST = 9_223_372_036_854_775_807n;

const BYTE = 0, INT16 = 1, INT32 = 2, INT64 = 3, FLOAT32 = 4, FLOAT64 = 5, DECIMAL = 6, DATE = 7, TIMESTAMP = 8, UUID = 9, BYTES = 10, JSONB = 11, LIST = 12;

type Cell = { kind: number; column: SourceColumn; numeric: PutNumeric | undefined; element: Cell | undefined };

export class PostgresDecoder {
  /** Per column, whether a float may have been NaN: infinities are taken for it too. */
  readonly oddFloats: boolean[];
  /** Arrays whose first index was not 1; the lake's lists have no place for it. */
  rebasedLists = 0;

  private readonly builder: ChunkBuilder;
  private readonly cells: Cell[];
  private isFirst = true;

  constructor(columns: readonly SourceColumn[], builder: ChunkBuilder) {
    this.builder = builder;
    this.cells = columns.map((column) => cellOf(column.reading, column.width, column));
    this.oddFloats = columns.map(() => false);
  }

  /** Takes the body of one CopyData message: a row, with the header before the first, or the trailer. A promise: see {@link ChunkBuilder.endRow}. */
  take(bytes: Buffer, from: number, to: number): Promise<void> | undefined {
    let at = from;
    if (this.isFirst) {
      this.isFirst = false;
      at += HEADER_BYTES + bytes.readUInt32BE(from + HEADER_BYTES - 4);
    }
    if (at >= to || (bytes[at] === 0xff && bytes[at + 1] === 0xff)) return undefined;
    checkRow(to - at);
    const { cells, builder } = this;
    const { columns, row } = builder;
    const start = at;
    at += 2;
    for (let i = 0; i < cells.length; i++) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      if (length < 0) {
        columns[i]!.putNull(row);
        continue;
      }
      this.put(cells[i]!, columns[i]!, row, bytes, at, length, i);
      at += length;
    }
    return builder.endRow(to - start);
  }

  private put(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number, index: number): void {
    switch (cell.kind) {
      case BYTE:
        to.u8[row] = bytes[at]!;
        return;
      case INT16:
        to.i16[row] = (bytes[at]! << 8) | bytes[at + 1]!;
        return;
      case INT32:
        to.i32[row] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        return;
      case INT64:
        to.i32[row * 2 + 1] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        to.i32[row * 2] = (bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!;
        return;
      case FLOAT32: {
        const bits = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        to.i32[row] = bits;
        if ((bits & 0x7f80_0000) === 0x7f80_0000) this.oddFloats[index] = true;
        return;
      }
      case FLOAT64: {
        const high = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        to.i32[row * 2 + 1] = high;
        to.i32[row * 2] = (bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!;
        if ((high & 0x7ff0_0000) === 0x7ff0_0000) this.oddFloats[index] = true;
        return;
      }
      case DECIMAL:
        if (!cell.numeric!(to, row, bytes, at)) throw this.misfit(cell, "NaN or an infinity");
        return;
      case DATE: {
        const days = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        // Infinities are the largest number and its negative in DuckDB.
        to.i32[row] = days === 0x7fff_ffff ? days : days === -0x8000_0000 ? -0x7fff_ffff : days + DAYS_TO_2000;
        return;
      }
      case TIMESTAMP:
        return this.putTimestamp(cell, to, row, bytes, at);
      case UUID: {
        const entry = row * 16;
        for (let i = 0; i < 16; i++) to.u8[entry + 15 - i] = bytes[at + i]!;
        // DuckDB keeps it as a signed number that sorts as the uuid does.
        to.u8[entry + 15]! ^= 0x80;
        return;
      }
      case BYTES:
        return to.putBytes(row, bytes, at, length);
      case JSONB:
        // After its version.
        return to.putBytes(row, bytes, at + 1, length - 1);
      default:
        return this.putList(cell, to, row, bytes, at, index);
    }
  }

  private putTimestamp(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number): void {
    const high = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    const low = ((bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!) >>> 0;
    // 285 years around 2000 are exact in a double, with the move to 1970.
    if (high > -0x20_0000 + 0x3_6000 && high < 0x1f_ffff - 0x3_6000) {
      const microseconds = high * 4_294_967_296 + low + 946_684_800_000_000;
      to.i32[row * 2] = microseconds | 0;
      to.i32[row * 2 + 1] = Math.floor(microseconds / 4_294_967_296);
      return;
    }
    const microseconds = bytes.readBigInt64BE(at);
    if (microseconds === LARGEST) to.i64[row] = LARGEST;
    else if (microseconds === -LARGEST - 1n) to.i64[row] = -LARGEST;
    else {
      const moved = microseconds + MICROSECONDS_TO_2000;
      if (moved >= LARGEST) throw this.misfit(cell, "a time after the year 294246");
      to.i64[row] = moved;
    }
  }

  private putList(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, index: number): void {
    const dimensions = bytes.readInt32BE(at);
    if (dimensions > 1) throw this.misfit(cell, "arrays of more than one dimension");
    if (dimensions === 0) return void to.putList(row, 0);
    const count = bytes.readInt32BE(at + 12);
    if (bytes.readInt32BE(at + 16) !== 1) this.rebasedLists++;
    const first = to.putList(row, count);
    const { child } = to;
    at += 20;
    for (let i = first; i < first + count; i++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) {
        child!.putNull(i);
        continue;
      }
      this.put(cell.element!, child!, i, bytes, at, length, index);
      at += length;
    }
  }

  private misfit({ column }: Cell, what: string): Misfit {
    return new Misfit(column.name, what, column.lake.type, column.fallback ?? "varchar");
  }
}

function cellOf(reading: Reading, width: number, column: SourceColumn): Cell {
  const element = reading.as === "list" ? cellOf(reading.element, reading.element.width, column) : undefined;
  const numeric = reading.as === "decimal" ? createNumericReader(width, reading.scale) : undefined;
  return { kind: kindOf(reading, width), column, numeric, element };
}

function kindOf(reading: Reading, width: number): number {
  switch (reading.as) {
    case "boolean":
      return BYTE;
    case "integer":
    case "unsigned":
    case "time":
      return width === 2 ? INT16 : width === 4 ? INT32 : INT64;
    case "float":
      return width === 4 ? FLOAT32 : FLOAT64;
    case "decimal":
      return DECIMAL;
    case "date":
      return DATE;
    case "timestamp":
    case "timestamptz":
      return TIMESTAMP;
    case "uuid":
      return UUID;
    case "jsonb":
      return JSONB;
    case "list":
      return LIST;
    default:
      return BYTES;
  }
}

// Rows of MySQL's text protocol as cells of a chunk.

import type { ChunkBuilder } from "./chunk-builder.ts";
import type { SourceColumn } from "./columns.ts";
import { putDecimal, putFloat, putInteger, putUuid, readDays, readMicroseconds } from "./mysql-text.ts";
import { putNumber } from "./postgres-numeric.ts";
import type { VectorColumn } from "./vector-column.ts";

const NULL = 0xfb;
const SHORT = 0xfc;
const MEDIUM = 0xfd;
const DATE_BYTES = 10;
const DAY_MICROSECONDS = 86_400_000_000;
/** Days around 1970 whose microseconds are exact in a double: 285 years. */
const DAYS_EXACT = 104_000;

const INTEGER = 0, DECIMAL = 1, FLOAT = 2, DATE = 3, TIMESTAMP = 4, BITS = 5, UUID = 6, BYTES = 7;

export class MysqlDecoder {
  readonly oddFloats: boolean[];
  /** Per column, dates that are none: they are NULL in the lake. */
  readonly noDates: number[];

  private readonly builder: ChunkBuilder;
  private readonly kinds: number[];
  private readonly widths: number[];

  constructor(columns: readonly SourceColumn[], builder: ChunkBuilder) {
    this.builder = builder;
    this.kinds = columns.map(kindOf);
    this.widths = columns.map(({ width }) => width);
    this.oddFloats = columns.map(() => false);
    this.noDates = columns.map(() => 0);
  }

  /** Takes a row: each cell its length, then its text. A promise: see {@link ChunkBuilder.endRow}. */
  take(bytes: Buffer, from: number, to: number): Promise<void> | undefined {
    const { builder, kinds } = this;
    const { columns, row } = builder;
    let at = from;
    for (let i = 0; i < kinds.length; i++) {
      let length = bytes[at++]!;
      if (length === NULL) {
        columns[i]!.putNull(row);
        continue;
      }
      if (length > NULL) {
        const places = length === SHORT ? 2 : length === MEDIUM ? 3 : 8;
        length = places === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUIntLE(at, places);
        at += places;
      }
      if (at + length > to) throw new Error("a row of the text protocol ends before its cells do");
      this.put(i, columns[i]!, row, bytes, at, length);
      at += length;
    }
    return builder.endRow(to - from);
  }

  private put(index: number, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
    const width = this.widths[index]!;
    switch (this.kinds[index]) {
      case INTEGER:
        return putInteger(to, width, row, bytes, at, length);
      case DECIMAL:
        return putDecimal(to, width, row, bytes, at, length);
      case FLOAT:
        return putFloat(to, width, row, bytes, at, length);
      case DATE: {
        const days = readDays(bytes, at);
        if (Number.isNaN(days)) return this.putNoDate(index, to, row);
        to.i32[row] = days;
        return;
      }
      case TIMESTAMP: {
        const days = readDays(bytes, at);
        if (Number.isNaN(days)) return this.putNoDate(index, to, row);
        const time = readMicroseconds(bytes, at + DATE_BYTES + 1, at + length);
        if (days > DAYS_EXACT || days < -DAYS_EXACT) to.i64[row] = BigInt(days) * BigInt(DAY_MICROSECONDS) + BigInt(time);
        else putNumber(to, width, row, days * DAY_MICROSECONDS + time);
        return;
      }
      case BITS: {
        // Up to eight bytes, highest first.
        let value = 0n;
        for (let i = 0; i < length; i++) value = (value << 8n) | BigInt(bytes[at + i]!);
        to.i64[row] = BigInt.asIntN(64, value);
        return;
      }
      case UUID:
        return putUuid(to, row, bytes, at);
      default:
        return to.putBytes(row, bytes, at, length);
    }
  }

  private putNoDate(index: number, to: VectorColumn, row: number): void {
    this.noDates[index]!++;
    to.putNull(row);
  }
}

function kindOf({ reading }: SourceColumn): number {
  switch (reading.as) {
    case "integer":
    case "unsigned":
      return INTEGER;
    case "decimal":
      return DECIMAL;
    case "float":
      return FLOAT;
    case "date":
      return DATE;
    case "timestamp":
    case "timestamptz":
      return TIMESTAMP;
    case "bits":
      return BITS;
    case "uuid":
      return UUID;
    default:
      return BYTES;
  }
}

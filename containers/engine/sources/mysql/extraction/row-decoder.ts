// Rows of MySQL's text protocol as cells of a chunk.

import type { Decimal } from "../../../core/decimal-text.ts";
import { protocolViolation, readLength } from "../connection/packets.ts";
import { checkRow, ODD_FLOAT, type ChunkBuilder } from "../../../extract/chunk-builder.ts";
import type { Reading, SourceColumn } from "../../../extract/source-table.ts";
import { InvalidValue } from "../../../extract/values/invalid-value.ts";
import { putDecimal, putFloat, putInteger } from "../../../extract/values/number-text.ts";
import { putWide } from "../../../extract/values/put-number.ts";
import { putMicroseconds, readDays, readMicroseconds } from "../../../extract/values/time-text.ts";
import { putUuid } from "../../../extract/values/uuid-text.ts";
import type { VectorColumn } from "../../../extract/vector-column.ts";

const NULL = 0xfb;
const MINUS = 0x2d;
const ZERO = 0x30;
const DATE_BYTES = 10;
const SPAN_63 = 1n << 63n;

const INTEGER = 0,
  DECIMAL = 1,
  FLOAT = 2,
  DATE = 3,
  TIMESTAMP = 4,
  BITS = 5,
  UUID = 6,
  BYTES = 7;

export class MysqlDecoder {
  /** Per column, its {@link ODD_FLOAT}s; there is no NaN. */
  readonly oddFloats: number[];
  /** Per column, how many zero or impossible dates it holds: they are NULL in the lake. */
  readonly invalidDates: number[];

  readonly #builder: ChunkBuilder;
  readonly #kinds: number[];
  readonly #widths: number[];
  readonly #decimals: (Decimal & { width: number })[];

  constructor(columns: readonly SourceColumn[], builder: ChunkBuilder) {
    this.#builder = builder;
    this.#kinds = columns.map(kindOf);
    this.#widths = columns.map(({ width }) => width);
    this.#decimals = columns.map(({ reading, width }) =>
      reading.as === "decimal" ? { ...reading, width } : { width, precision: 0, scale: 0 },
    );
    this.oddFloats = columns.map(() => 0);
    this.invalidDates = columns.map(() => 0);
  }

  /**
   * Takes a row: each cell its length, then its text. A promise: see {@link ChunkBuilder.endRow}. Throws a Failure
   * where its cells are not the columns', or a value has not the form of its type.
   */
  take(bytes: Buffer, from: number, to: number): Promise<void> | undefined {
    const builder = this.#builder;
    const kinds = this.#kinds;
    const { columns, row } = builder;
    checkRow(to - from);
    let at = from;
    for (let i = 0; i < kinds.length; i++) {
      if (at >= to) protocolViolation("a row has fewer cells than columns");
      let length = bytes[at]!;
      if (length < NULL) at++;
      else {
        const prefix = readLength(bytes, at, to);
        length = prefix.length;
        at = prefix.start;
      }
      if (length < 0) {
        columns[i]!.putNull(row);
        continue;
      }
      if (length > to - at) protocolViolation("a cell is longer than its row");
      try {
        this.#put(i, columns[i]!, row, bytes, at, length);
      } catch (error) {
        throw error instanceof InvalidValue ? protocolViolation("a value has not the form of its type") : error;
      }
      at += length;
    }
    if (at !== to) protocolViolation("a row goes on after its cells");
    return builder.endRow(to - from);
  }

  #put(index: number, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
    const width = this.#widths[index]!;
    switch (this.#kinds[index]) {
      case INTEGER:
        return putInteger(to, width, row, bytes, at, length);
      case DECIMAL:
        return putDecimal(to, this.#decimals[index]!, row, bytes, at, length);
      case FLOAT:
        if (length === 2 && bytes[at] === MINUS && bytes[at + 1] === ZERO)
          this.oddFloats[index]! |= ODD_FLOAT.negativeZero;
        return putFloat(to, width, row, bytes, at, length);
      case DATE: {
        if (length !== DATE_BYTES) protocolViolation("a date is none");
        const days = readDays(bytes, at, at + length);
        if (Number.isNaN(days)) return this.#putInvalidDate(index, to, row);
        to.i32[row] = days;
        return;
      }
      case TIMESTAMP: {
        const days = readDays(bytes, at, at + length);
        if (Number.isNaN(days)) return this.#putInvalidDate(index, to, row);
        return putMicroseconds(to, row, days, readMicroseconds(bytes, at + DATE_BYTES + 1, at + length));
      }
      case BITS: {
        // Up to eight bytes, highest first.
        if (length > 8) protocolViolation("bits are more than 64");
        let value = 0n;
        for (let i = 0; i < length; i++) value = (value << 8n) | BigInt(bytes[at + i]!);
        if (width === 8 && value >= SPAN_63) protocolViolation("bits are more than the column has");
        return putWide(to, width, row, value);
      }
      case UUID:
        return putUuid(to, row, bytes, at, length);
      default:
        return to.putBytes(row, bytes, at, length);
    }
  }

  #putInvalidDate(index: number, to: VectorColumn, row: number): void {
    this.invalidDates[index]!++;
    to.putNull(row);
  }
}

const KINDS: Record<Reading["as"], number | undefined> = {
  integer: INTEGER,
  decimal: DECIMAL,
  float: FLOAT,
  date: DATE,
  timestamp: TIMESTAMP,
  timestamptz: TIMESTAMP,
  bits: BITS,
  uuid: UUID,
  text: BYTES,
  blob: BYTES,
  // No column of MySQL's is read as one of these.
  boolean: undefined,
  time: undefined,
  jsonb: undefined,
  list: undefined,
};

function kindOf({ reading }: SourceColumn): number {
  const kind = KINDS[reading.as];
  if (kind === undefined) throw new Error(`nothing of MySQL's is read as ${reading.as}`);
  return kind;
}

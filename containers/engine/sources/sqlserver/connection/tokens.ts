// The small parts of an answer in TDS, read within their bounds: no length in them is believed unseen.

import { protocolError } from "../../protocol-error.ts";

export const TOKEN = {
  returnStatus: 0x79,
  columns: 0x81,
  tableNames: 0xa4,
  columnInfo: 0xa5,
  order: 0xa9,
  error: 0xaa,
  info: 0xab,
  row: 0xd1,
  rowWithNulls: 0xd2,
  environment: 0xe3,
  sessionState: 0xe4,
  done: 0xfd,
  doneOfProcedure: 0xfe,
  doneInProcedure: 0xff,
} as const;

const TEXT_CHARACTERS_MAX = 4_000;

/** The server's refusal of a statement; `line` counts from 1 within the sent text, 0 where there is none. */
export class SqlServerError extends Error {
  readonly number: number;
  readonly state: number;
  readonly severity: number;
  readonly line: number;

  constructor(message: string, fields: { number: number; state: number; severity: number; line: number }) {
    super(message.slice(0, TEXT_CHARACTERS_MAX));
    this.number = fields.number;
    this.state = fields.state;
    this.severity = fields.severity;
    this.line = fields.line;
  }
}

/** Throws a Failure. */
export const protocolViolation = (what: string): never => {
  throw protocolError("SQL Server", what);
};

/** Thrown where what is read has not arrived whole; it is read again once more is there. */
export const INCOMPLETE = new Error("more of the answer has to come first");

/** Reads forward in `bytes[at .. to)`. Past its end it throws what it was made with. */
export class Cursor {
  readonly bytes: Buffer;
  at: number;
  readonly #to: number;
  readonly #pastEnd: () => never;

  constructor(bytes: Buffer, at: number, to: number, pastEnd: () => never = endsEarly) {
    this.bytes = bytes;
    this.at = at;
    this.#to = to;
    this.#pastEnd = pastEnd;
  }

  /** Goes on by `count` bytes and says where they start. */
  take(count: number): number {
    const start = this.at;
    if (count > this.#to - start) this.#pastEnd();
    this.at = start + count;
    return start;
  }

  u8(): number {
    return this.bytes[this.take(1)]!;
  }

  u16(): number {
    return this.bytes.readUInt16LE(this.take(2));
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.take(4));
  }

  i32(): number {
    return this.bytes.readInt32LE(this.take(4));
  }

  /** Text of as many UTF-16 units. */
  text(units: number): string {
    const start = this.take(units * 2);
    return this.bytes.toString("utf16le", start, this.at);
  }
}

const endsEarly = (): never => protocolViolation("a part of an answer ends before it does");

/** An error's, or a notice's, body behind its length. */
export function readError(bytes: Buffer, from: number, to: number): SqlServerError {
  const cursor = new Cursor(bytes, from, to);
  const number = cursor.i32();
  const state = cursor.u8();
  const severity = cursor.u8();
  const message = cursor.text(cursor.u16());
  // The server's name and the procedure's.
  cursor.text(cursor.u8());
  cursor.text(cursor.u8());
  return new SqlServerError(message, { number, state, severity, line: cursor.u32() });
}

/** How a statement ended. `rows` is absent where the server does not count those of a SELECT. */
export type Done = { isFinal: boolean; hasFailed: boolean; isAttention: boolean; rows: bigint | undefined };

export const DONE_BYTES = 12;
const MORE = 0x01;
const ERROR = 0x02;
const COUNT = 0x10;
const ATTENTION = 0x20;
const SERVER_ERROR = 0x100;
const SELECT = 0xc1;

export function readDone(bytes: Buffer, from: number): Done {
  const status = bytes.readUInt16LE(from);
  return {
    isFinal: (status & MORE) === 0,
    hasFailed: (status & (ERROR | SERVER_ERROR)) !== 0,
    isAttention: (status & ATTENTION) !== 0,
    rows:
      (status & COUNT) === 0 || bytes.readUInt16LE(from + 2) !== SELECT ? undefined : bytes.readBigUInt64LE(from + 4),
  };
}

const TRANSACTION_BEGUN = 8;
const TRANSACTION_OVER = [9, 10, 17];
const ROUTED = 20;
export const NO_TRANSACTION: Buffer = Buffer.alloc(8);

/** The transaction that statements are in from now on; undefined where the change is of something else. */
export function readTransaction(bytes: Buffer, from: number, to: number): Buffer | undefined {
  const cursor = new Cursor(bytes, from, to);
  const kind = cursor.u8();
  if (kind === ROUTED) protocolViolation("it sends us elsewhere after the login");
  if (TRANSACTION_OVER.includes(kind)) return NO_TRANSACTION;
  if (kind !== TRANSACTION_BEGUN) return undefined;
  if (cursor.u8() !== NO_TRANSACTION.length) protocolViolation("a transaction has no number");
  const start = cursor.take(NO_TRANSACTION.length);
  return Buffer.from(bytes.subarray(start, cursor.at));
}

// A server's answer to one statement, token by token: what may come when, and whether all of it came.

import { Failure } from "../../../core/failure.ts";
import { readColumns, type ColumnDefinition } from "./column-metadata.ts";
import type { PacketStream } from "./packet-stream.ts";
import { RowScanner } from "./row-scanner.ts";
import {
  DONE_BYTES,
  INCOMPLETE,
  protocolViolation,
  readDone,
  readError,
  readTransaction,
  TOKEN,
  type SqlServerError,
} from "./tokens.ts";

const MIB = 1024 * 1024;
/** Any part of an answer but a row. */
const SMALL_BYTES_MAX = 16 * MIB;
const LENGTH_BYTES = 2;
const RETURN_STATUS_BYTES = 4;

/**
 * The server's name for the column of FOR XML and FOR JSON: one document in several rows, where it counts those that
 * the document was made of.
 */
const DOCUMENT = /^(XML|JSON)_F52E2B61-18A1-11d1-B105-00805F49916B$/i;

/** The listener that hears of an answer's parts. */
export type AnswerListener = {
  columns(columns: ColumnDefinition[]): void;
  /**
   * Cell i of the row is `memory[from + starts[i] .. from + ends[i])`, NULL where `ends[i]` is -1, until this returns.
   */
  row(memory: Buffer, from: number, scanned: RowScanner): void;
  /** The statements after this are in another transaction. */
  transaction(number: Buffer): void;
  /** Stops a statement that did something which is not allowed. */
  refuse(failure: Failure): void;
};

export class Answer {
  /** The first says what happened; those after it what came of that. */
  error: SqlServerError | undefined;
  hasRows = false;
  /** Whether the server has said that it stopped. */
  hasStopped = false;

  readonly #listener: AnswerListener;
  #phase: "head" | "rows" | "end" = "head";
  #scanner: RowScanner | undefined;
  #isInRow = false;
  #rows = 0n;
  #areRowsCounted = true;
  #isDone = false;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  /**
   * One token of what has come; false where it has not come whole. `isStopping`: the server was told to stop, and
   * nobody listens to columns and rows any more.
   */
  take(packets: PacketStream, isStopping: boolean): boolean {
    const { memory, from, to } = packets;
    if (this.#isDone && !isStopping) protocolViolation("an answer goes on after its end");
    const token = memory[from]!;
    if (token === TOKEN.row || token === TOKEN.rowWithNulls) return this.#takeRow(packets, token, isStopping);
    const length = smallLength(packets);
    if (length > SMALL_BYTES_MAX || (length < 0 && to - from > SMALL_BYTES_MAX))
      protocolViolation("a part of an answer is longer than it can be");
    if (token === TOKEN.columns) return this.#takeColumns(packets, isStopping);
    if (length < 0 || from + length > to) return false;
    packets.from += length;
    this.#takeSmall(token, memory.subarray(from, from + length), isStopping);
    return true;
  }

  /** At the end of a message. False where another has to come: the one that says that the server has stopped. */
  end(packets: PacketStream, isStopping: boolean): boolean {
    if (packets.from < packets.to || !this.#isDone) protocolViolation("an answer ends before it does");
    this.#isDone = !isStopping || this.hasStopped;
    return this.#isDone;
  }

  #takeSmall(token: number, bytes: Buffer, isStopping: boolean): void {
    const body = 1 + LENGTH_BYTES;
    switch (token) {
      case TOKEN.error:
        this.error ??= readError(bytes, body, bytes.length);
        return;
      case TOKEN.environment: {
        const transaction = readTransaction(bytes, body, bytes.length);
        if (transaction) this.#listener.transaction(transaction);
        return;
      }
      case TOKEN.done:
      case TOKEN.doneInProcedure:
      case TOKEN.doneOfProcedure:
        this.#takeDone(bytes, isStopping);
    }
  }

  #takeDone(bytes: Buffer, isStopping: boolean): void {
    const { isFinal, hasFailed, isAttention, rows } = readDone(bytes, 1);
    if (isAttention && !isStopping) protocolViolation("it stopped a statement unasked");
    this.hasStopped ||= isAttention;
    if (this.#phase === "rows") {
      this.#phase = "end";
      const isWhole = !hasFailed && !isAttention && this.error === undefined;
      if (isWhole && this.#areRowsCounted && rows !== undefined && rows !== this.#rows)
        protocolViolation(`it counts ${rows} rows and sent ${this.#rows}`);
    }
    if (hasFailed && this.error === undefined && !isStopping) protocolViolation("a statement failed without an error");
    this.#isDone = isFinal;
  }

  #takeColumns(packets: PacketStream, isStopping: boolean): boolean {
    let read: ReturnType<typeof readColumns>;
    try {
      read = readColumns(packets.memory, packets.from + 1, packets.to);
    } catch (error) {
      if (error === INCOMPLETE) return false;
      throw error;
    }
    packets.from = read.end;
    if (read.columns.length === 0) return true;
    const isSecond = this.hasRows;
    this.#phase = "rows";
    this.hasRows = true;
    this.#rows = 0n;
    this.#scanner = new RowScanner(read.columns);
    this.#areRowsCounted = !read.columns.some(({ name }) => DOCUMENT.test(name));
    if (isStopping) return true;
    if (isSecond) this.#listener.refuse(new Failure("statement_refused", "The statement gave more than one result."));
    else this.#listener.columns(read.columns);
    return true;
  }

  #takeRow(packets: PacketStream, token: number, isStopping: boolean): boolean {
    const scanner = this.#scanner;
    if (!scanner || this.#phase !== "rows") return protocolViolation("a row came before its description");
    if (!this.#isInRow) scanner.start(token === TOKEN.rowWithNulls);
    this.#isInRow = !scanner.scan(packets.memory, packets.from, packets.to);
    if (this.#isInRow) return false;
    const { memory, from } = packets;
    packets.from += scanner.length;
    this.#rows++;
    if (!isStopping) this.#listener.row(memory, from, scanner);
    return true;
  }
}

/** Bytes of a token that is no row; -1 where they are not known yet. */
function smallLength({ memory, from, to }: PacketStream): number {
  const announced = (bytes: 2 | 4) => (from + 1 + bytes > to ? -1 : 1 + bytes + memory.readUIntLE(from + 1, bytes));
  const token = memory[from]!;
  switch (token) {
    case TOKEN.done:
    case TOKEN.doneInProcedure:
    case TOKEN.doneOfProcedure:
      return 1 + DONE_BYTES;
    case TOKEN.returnStatus:
      return 1 + RETURN_STATUS_BYTES;
    case TOKEN.error:
    case TOKEN.info:
    case TOKEN.environment:
    case TOKEN.order:
    case TOKEN.tableNames:
    case TOKEN.columnInfo:
      return announced(2);
    case TOKEN.sessionState:
      return announced(4);
    case TOKEN.columns:
      return -1;
    default:
      return protocolViolation(`an answer has a part that there can't be (0x${token.toString(16)})`);
  }
}

// MySQL's text protocol on a logged-in socket: statements out, packets in, cut out of the bytes without copying them
// about.

import type { Duplex } from "node:stream";
import { Failure } from "../../../core/failure.ts";
import { RowTooLarge } from "../../../core/row-too-large.ts";
import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import {
  protocolViolation,
  type MysqlError,
  readCells,
  readCount,
  readDefinition,
  readError,
  type ColumnDefinition,
} from "./packets.ts";
import { HEAD_BYTES, PACKET_BYTES, Packets } from "./packet-stream.ts";
import { connectionLost } from "../../network-errors.ts";
import { isProtocolError, protocolError } from "../../protocol-error.ts";

const MIB = 1024 * 1024;
/** One row: past this it is refused. */
const ROW_BYTES_MAX = 256 * MIB;
/** A packet that is not a row is refused past this. */
const PACKET_BYTES_MAX = MIB;
/** The definitions of a result's columns together are refused past this. */
const DEFINITION_BYTES_MAX = 16 * MIB;
/** How long the rest of an answer may take once it is of no use. */
const DRAIN_MS = 15_000;
const OK = 0;
const ERROR = 0xff;
const END = 0xfe;
const END_BYTES = 5;
const QUERY = 3;
const MORE_RESULTS = 8;

export type Take = (bytes: Buffer, from: number, to: number) => boolean | void | Promise<boolean | void>;

/** The reader of an answer. Where a promise is returned, the server is paused until it settles. */
export type AnswerUse = {
  /** Called with the columns before the first row. Without it a definition is not looked at. */
  columns?(columns: ColumnDefinition[]): Promise<void> | undefined;
  /** Gets each row; answering false stops the exchange for good. */
  row: Take;
  /**
   * Makes the server stop; then what it still sends after a failure on our side, or an abort, is dropped, and the
   * connection can be used again. Without it, either ends the connection.
   */
  stop?(): Promise<void>;
};

type Phase = "head" | "definitions" | "endOfDefinitions" | "rows";
type Exchange = {
  use: AnswerUse;
  phase: Phase;
  definitionsLeft: number;
  definitions: ColumnDefinition[];
  resolve(answer: Answered): void;
  reject(error: unknown): void;
};

/** Whether the statement gave rows, and whether all of them came: `row` may have stopped it. */
export type Answered = { hasRows: boolean; isWhole: boolean };

export class MysqlWire {
  readonly #stream: Duplex;
  readonly #isExtended: boolean;
  readonly #packets = new Packets();
  #exchange: Exchange | undefined;
  #sequence = 0;
  /** The parts of a row that is longer than a packet. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #definitionBytes = 0;
  #waiting = false;
  #draining: { error: unknown; timer: NodeJS.Timeout } | undefined;
  #failure: { error: unknown } | undefined;

  /**
   * Takes the socket over from the login. `isExtended` says that MariaDB sends more about types, as the login asked.
   */
  constructor(stream: Duplex, isExtended: boolean) {
    this.#stream = stream;
    this.#isExtended = isExtended;
    stream.removeAllListeners("data");
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
    stream.on("error", (error) => this.fail(connectionLost(error)));
    stream.on("close", () => this.fail(connectionLost()));
    stream.resume();
  }

  /** Whether the server waits for the next statement, and nothing runs. */
  get isIdle(): boolean {
    return !this.#failure && !this.#exchange;
  }

  /**
   * Sends `sql`, which gives at most one result. Rejects with a {@link MysqlError}, with a Failure where the connection
   * is lost or the protocol broken, with what `use` threw, or with the signal's reason.
   */
  async query(sql: string, signal: AbortSignal, use: AnswerUse): Promise<Answered> {
    signal.throwIfAborted();
    if (this.#failure) throw this.#failure.error;
    if (this.#exchange) throw new Error("a statement runs on this connection already");
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    this.#exchange = { use, phase: "head", definitionsLeft: 0, definitions: [], resolve, reject };
    this.#sequence = 1;
    const abort = () => this.#giveUp(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      this.#stream.write(message(sql));
      this.#pump();
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Runs a statement of the engine's own and returns its rows, cells as text. */
  async fetchRows(sql: string, format: RowFormat, signal: AbortSignal, stop?: () => Promise<void>): Promise<TextRow[]> {
    const collector = new RowCollector(format, protocolViolation);
    const row: Take = (bytes, from, to) => collector.add(readCells(bytes, from, to));
    await this.query(sql, signal, { row, ...(stop ? { stop } : {}) });
    return collector.rows;
  }

  /** Ends whatever runs with `error`, and the connection with it; what the server sends from now on is dropped. */
  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.#parts = [];
    const reason = this.#draining ? this.#draining.error : error;
    this.#settle()?.reject(reason);
    this.#stream.resume();
  }

  /** A failure on our side does not end the server's answer. */
  #giveUp(error: unknown): void {
    const exchange = this.#exchange;
    if (!exchange || this.#draining) return;
    if (!exchange.use.stop || isProtocolError(error)) return this.fail(error);
    this.#draining = { error, timer: setTimeout(() => this.#stream.destroy(), DRAIN_MS) };
    this.#parts = [];
    this.#waiting = false;
    void exchange.use.stop();
    this.#stream.resume();
    // A row's callback must not pump itself, so the next pump waits.
    setImmediate(() => this.#pump());
  }

  #settle(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    clearTimeout(this.#draining?.timer);
    this.#draining = undefined;
    return exchange;
  }

  #receive(chunk: Buffer): void {
    if (this.#failure) return;
    this.#packets.add(chunk);
    this.#pump();
  }

  #pump(): void {
    const packets = this.#packets;
    while (!this.#waiting && !this.#failure && packets.next()) {
      try {
        this.#take(packets.memory, packets.from, packets.to, packets.sequence);
      } catch (error) {
        return this.fail(error);
      }
    }
    if (this.#exchange?.phase !== "rows" && packets.announced > PACKET_BYTES_MAX)
      this.fail(protocolError("MySQL", "a packet is longer than it can be"));
  }

  #take(bytes: Buffer, from: number, to: number, sequence: number): void {
    const exchange = this.#exchange;
    const isError = bytes[from] === ERROR && to > from && this.#partBytes === 0;
    // A server that gives up on us says so out of turn.
    if (!exchange) throw isError ? readError(bytes, from, to) : protocolError("MySQL", "it answers what was not asked");
    if (sequence !== this.#sequence && !isError) protocolViolation("its packets are out of order");
    this.#sequence = (sequence + 1) & 0xff;
    if (isError) return this.#finish(readError(bytes, from, to));
    switch (exchange.phase) {
      case "head":
        return this.#takeHead(exchange, bytes, from, to);
      case "definitions":
        this.#definitionBytes += to - from;
        if (this.#definitionBytes > DEFINITION_BYTES_MAX)
          protocolViolation("its columns are described at too great length");
        if (exchange.use.columns) exchange.definitions.push(readDefinition(bytes, from, to, this.#isExtended));
        if (--exchange.definitionsLeft === 0) exchange.phase = "endOfDefinitions";
        return;
      case "endOfDefinitions":
        if (bytes[from] !== END || to - from !== END_BYTES) protocolViolation("columns are described without end");
        exchange.phase = "rows";
        return this.#wait(exchange, exchange.use.columns?.(exchange.definitions));
      default:
        return this.#takeRow(exchange, bytes, from, to);
    }
  }

  #takeHead(exchange: Exchange, bytes: Buffer, from: number, to: number): void {
    if (to === from) protocolViolation("an answer is empty");
    if (bytes[from] === OK) return this.#finish(undefined);
    exchange.definitionsLeft = readCount(bytes, from, to);
    exchange.phase = "definitions";
    this.#definitionBytes = 0;
  }

  #takeRow(exchange: Exchange, bytes: Buffer, from: number, to: number): void {
    const length = to - from;
    if (this.#partBytes === 0) {
      if (bytes[from] === END && length === END_BYTES) return this.#takeEnd(bytes, from);
      if (length < PACKET_BYTES) return this.#give(exchange, bytes, from, to);
    }
    this.#partBytes += length;
    if (this.#partBytes > ROW_BYTES_MAX) throw new RowTooLarge(ROW_BYTES_MAX);
    if (!this.#draining) this.#parts.push(Buffer.from(bytes.subarray(from, to)));
    if (length === PACKET_BYTES) return;
    const row = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partBytes = 0;
    this.#give(exchange, row, 0, row.length);
  }

  #takeEnd(bytes: Buffer, from: number): void {
    if ((bytes.readUInt16LE(from + 3) & MORE_RESULTS) !== 0)
      throw new Failure("statement_refused", "The statement gave more than one result.");
    this.#finish(undefined);
  }

  /** Ends the exchange where the server ends it. */
  #finish(error: MysqlError | undefined): void {
    const failed = this.#draining ? this.#draining : error && { error };
    const exchange = this.#settle();
    if (failed) exchange?.reject(failed.error);
    else exchange?.resolve({ hasRows: exchange.phase === "rows", isWhole: true });
  }

  #give(exchange: Exchange, bytes: Buffer, from: number, to: number): void {
    if (this.#draining) return;
    let answer: ReturnType<Take>;
    try {
      answer = exchange.use.row(bytes, from, to);
    } catch (error) {
      return this.#giveUp(error);
    }
    if (answer === false) this.#stop(exchange);
    else if (typeof answer === "object") this.#wait(exchange, answer);
  }

  #wait(exchange: Exchange, taken: Promise<boolean | void> | undefined): void {
    if (!taken || this.#draining) return;
    this.#waiting = true;
    this.#stream.pause();
    taken.then(
      (more) => {
        if (this.#draining || this.#exchange !== exchange) return;
        this.#waiting = false;
        if (more === false) return this.#stop(exchange);
        this.#pump();
        if (!this.#waiting) this.#stream.resume();
      },
      (error: unknown) => this.#exchange === exchange && this.#giveUp(error),
    );
  }

  #stop(exchange: Exchange): void {
    this.#settle();
    this.fail(new Error("The exchange was stopped."));
    exchange.resolve({ hasRows: true, isWhole: false });
  }
}

function message(sql: string): Buffer {
  const text = Buffer.from(sql);
  if (text.length >= PACKET_BYTES) throw new Error("a statement is longer than a packet");
  const head = Buffer.alloc(HEAD_BYTES + 1);
  head.writeUIntLE(text.length + 1, 0, 3);
  head[HEAD_BYTES] = QUERY;
  return Buffer.concat([head, text]);
}

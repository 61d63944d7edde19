// TDS on a logged-in socket: statements out, tokens in, rows cut out of the bytes where they lie. What a statement
// still sends once nobody wants it ends with an attention, which the server answers; then the session goes on.

import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Failure } from "../../../core/failure.ts";
import { isProtocolError } from "../../protocol-error.ts";
import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import { readCells } from "../rows/read-cells.ts";
import { createRowPacker } from "../rows/row-packer.ts";
import type { LoggedIn } from "./login.ts";
import { readColumns, type ColumnDefinition } from "./column-metadata.ts";
import { attentionMessage, statementMessage, type Statement } from "./messages.ts";
import { PacketStream } from "./packet-stream.ts";
import { RowScanner } from "./row-scanner.ts";
import {
  DONE_BYTES,
  INCOMPLETE,
  NO_TRANSACTION,
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
/** How long the server may take to stop. */
const DRAIN_MS = 10_000;
const LOSE_MS = 50;
const LENGTH_BYTES = 2;
const RETURN_STATUS_BYTES = 4;

/** Takes a row: cell i is `memory[from + starts[i] .. from + ends[i])`, NULL where `ends[i]` is -1, until it returns. */
export type TakeCells = (memory: Buffer, from: number, row: RowScanner) => boolean | void | Promise<boolean | void>;

/** What is done with an answer. Where a promise is returned, the server is paused until it settles. */
export type AnswerUse = {
  /** Called with the columns before the first row. */
  columns(columns: ColumnDefinition[]): Promise<void> | void;
  /** Gets each row; answering false stops the statement. */
  row: TakeCells;
};

/** Whether the statement gave rows, and whether all of them came: `row` may have stopped it. */
export type Answered = { hasRows: boolean; isWhole: boolean };

type Exchange = {
  use: AnswerUse;
  phase: "head" | "rows" | "end";
  scanner: RowScanner | undefined;
  hasRows: boolean;
  rows: bigint;
  error: SqlServerError | undefined;
  isDone: boolean;
  resolve(answer: Answered): void;
  reject(error: unknown): void;
};

export class TdsWire {
  readonly #stream: Duplex;
  readonly #socket: Socket;
  readonly #packetBytes: number;
  readonly #packets = new PacketStream();
  #transaction = NO_TRANSACTION;
  #exchange: Exchange | undefined;
  #isInRow = false;
  #waiting = false;
  /** The server was told to stop; `error` is what the statement then ends with, undefined where its user had enough. */
  #draining: { error: unknown; hasStopped: boolean; timer: NodeJS.Timeout } | undefined;
  #failure: { error: unknown } | undefined;
  #settled = Promise.withResolvers<void>();

  /** Takes the socket over from whoever logged in on it. */
  constructor({ stream, socket, packetBytes }: LoggedIn) {
    this.#stream = stream;
    this.#socket = socket;
    this.#packetBytes = packetBytes;
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
    stream.on("end", () => this.fail(lost()));
    for (const side of [stream, socket]) side.on("error", (error) => this.#lose(error));
    for (const side of [stream, socket]) side.on("close", () => this.#lose());
    if (socket.destroyed) this.#lose();
    stream.resume();
  }

  /** Whether the server waits for the next statement, and nothing runs. */
  get isIdle(): boolean {
    return !this.#failure && !this.#exchange;
  }

  /**
   * Sends a statement, or several of which one gives rows. Rejects with a {@link SqlServerError}, with a Failure where
   * the connection is lost or the protocol broken, with what `use` threw, or with the signal's reason; in the last two
   * once the server has stopped, and then another statement may follow.
   */
  async query(statement: Statement, signal: AbortSignal, use: AnswerUse): Promise<Answered> {
    signal.throwIfAborted();
    if (this.#failure) throw this.#failure.error;
    if (this.#exchange) throw new Error("a statement runs on this connection already");
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    this.#exchange = {
      use,
      phase: "head",
      scanner: undefined,
      hasRows: false,
      rows: 0n,
      error: undefined,
      isDone: false,
      resolve,
      reject,
    };
    this.#settled = Promise.withResolvers();
    const abort = () => this.#giveUp(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      this.#stream.write(statementMessage(statement, this.#transaction, this.#packetBytes));
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Runs statements of the engine's own and returns the rows of the one that gives any: canonical text. */
  async fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    const collector = new RowCollector(format, protocolViolation);
    let take: TakeCells = () => protocolViolation("a row came before its description");
    await this.query({ sql }, signal, {
      columns: (columns) => {
        const packer = createRowPacker(columns);
        take = (memory, from, row) => collector.add(readCells(packer.pack(memory, from, row)));
      },
      row: (memory, from, row) => take(memory, from, row),
    });
    return collector.rows;
  }

  /** Has the server stop what runs. Settles when it has, or the connection is lost. Never rejects. */
  async stop(): Promise<void> {
    if (!this.#exchange) return;
    this.#giveUp(new Error("The statement was stopped."));
    await this.#settled.promise;
  }

  /** Ends whatever runs with `error`, and the connection with it; what the server sends from now on is dropped. */
  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    const draining = this.#draining;
    const exchange = this.#settle();
    if (draining && draining.error === undefined) exchange?.resolve({ hasRows: true, isWhole: false });
    else exchange?.reject(draining?.error ?? exchange.error ?? error);
    this.#stream.destroy();
    this.#socket.destroy();
  }

  /** What came before the end may still be on its way through TLS. */
  #lose(cause?: unknown): void {
    setTimeout(() => this.fail(lost(cause)), LOSE_MS);
  }

  /** `error` undefined: its user has had enough. */
  #giveUp(error: unknown): void {
    const exchange = this.#exchange;
    if (!exchange || this.#draining) return;
    if (isProtocolError(error)) return this.fail(error);
    const timer = setTimeout(() => this.fail(error ?? lost()), DRAIN_MS);
    this.#draining = { error, hasStopped: false, timer };
    this.#waiting = false;
    this.#stream.write(attentionMessage());
    this.#stream.resume();
    // Not from within a row's own turn.
    setImmediate(() => this.#pump());
  }

  #settle(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    clearTimeout(this.#draining?.timer);
    this.#draining = undefined;
    this.#waiting = false;
    this.#isInRow = false;
    this.#settled.resolve();
    return exchange;
  }

  #receive(chunk: Buffer): void {
    if (this.#failure) return;
    this.#packets.add(chunk);
    this.#pump();
  }

  #pump(): void {
    const packets = this.#packets;
    try {
      while (!this.#waiting && !this.#failure) {
        if (packets.from < packets.to && this.#takeToken()) continue;
        if (this.#waiting || this.#failure) return;
        if (packets.isAtEnd) this.#endMessage();
        if (!packets.advance()) return;
      }
    } catch (error) {
      // Where in the answer this happened nobody knows: it can't be read on.
      this.fail(error);
    }
  }

  /** One token of what has come. False where it has not come whole. */
  #takeToken(): boolean {
    const packets = this.#packets;
    const { memory, from, to } = packets;
    const exchange = this.#exchange ?? protocolViolation("it answers what was not asked");
    if (exchange.isDone && !this.#draining) protocolViolation("an answer goes on after its end");
    const token = memory[from]!;
    if (token === TOKEN.row || token === TOKEN.rowWithNulls) return this.#takeRow(exchange, token);
    const length = this.#smallLength(token);
    if (length > SMALL_BYTES_MAX || (length < 0 && to - from > SMALL_BYTES_MAX))
      protocolViolation("a part of an answer is longer than it can be");
    if (token === TOKEN.columns) return this.#takeColumns(exchange);
    if (length < 0 || from + length > to) return false;
    packets.from += length;
    this.#takeSmall(exchange, token, memory.subarray(from, from + length));
    return true;
  }

  /** Bytes of a token that is no row; -1 where they are not known yet. */
  #smallLength(token: number): number {
    const { memory, from, to } = this.#packets;
    const announced = (bytes: 2 | 4) => (from + 1 + bytes > to ? -1 : 1 + bytes + memory.readUIntLE(from + 1, bytes));
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

  #takeSmall(exchange: Exchange, token: number, bytes: Buffer): void {
    const body = 1 + LENGTH_BYTES;
    switch (token) {
      case TOKEN.error:
        // The first says what happened; those after it what came of that.
        exchange.error ??= readError(bytes, body, bytes.length);
        return;
      case TOKEN.environment:
        this.#transaction = readTransaction(bytes, body, bytes.length) ?? this.#transaction;
        return;
      case TOKEN.done:
      case TOKEN.doneInProcedure:
      case TOKEN.doneOfProcedure:
        this.#takeDone(exchange, bytes);
    }
  }

  #takeDone(exchange: Exchange, bytes: Buffer): void {
    const { isFinal, hasFailed, isAttention, rows } = readDone(bytes, 1);
    if (isAttention && this.#draining) this.#draining.hasStopped = true;
    else if (isAttention) protocolViolation("it stopped a statement unasked");
    if (exchange.phase === "rows") {
      exchange.phase = "end";
      const isWhole = !hasFailed && !isAttention && exchange.error === undefined;
      if (isWhole && rows !== undefined && rows !== exchange.rows)
        protocolViolation(`it counts ${rows} rows and sent ${exchange.rows}`);
    }
    if (hasFailed && !isAttention && exchange.error === undefined && !this.#draining)
      protocolViolation("a statement failed without an error");
    exchange.isDone = isFinal;
  }

  #takeColumns(exchange: Exchange): boolean {
    const packets = this.#packets;
    let read: ReturnType<typeof readColumns>;
    try {
      read = readColumns(packets.memory, packets.from + 1, packets.to);
    } catch (error) {
      if (error === INCOMPLETE) return false;
      throw error;
    }
    packets.from = read.end;
    if (read.columns.length === 0) return true;
    if (exchange.hasRows && !this.#draining)
      this.#giveUp(new Failure("statement_refused", "The statement gave more than one result."));
    exchange.phase = "rows";
    exchange.hasRows = true;
    exchange.rows = 0n;
    exchange.scanner = new RowScanner(read.columns);
    if (!this.#draining) this.#attempt(exchange, () => exchange.use.columns(read.columns));
    return true;
  }

  #takeRow(exchange: Exchange, token: number): boolean {
    const packets = this.#packets;
    const { scanner } = exchange;
    if (!scanner || exchange.phase !== "rows") return protocolViolation("a row came before its description");
    if (!this.#isInRow) scanner.start(token === TOKEN.rowWithNulls);
    this.#isInRow = !scanner.scan(packets.memory, packets.from, packets.to);
    if (this.#isInRow) return false;
    const { memory, from } = packets;
    packets.from += scanner.length;
    exchange.rows++;
    if (!this.#draining) this.#attempt(exchange, () => exchange.use.row(memory, from, scanner));
    return true;
  }

  /** What its user does wrong stops the statement, not the session. */
  #attempt(exchange: Exchange, act: () => boolean | void | Promise<boolean | void>): void {
    let answer: ReturnType<typeof act>;
    try {
      answer = act();
    } catch (error) {
      return this.#giveUp(error);
    }
    if (answer === false) this.#giveUp(undefined);
    else if (typeof answer === "object") this.#wait(exchange, answer);
  }

  #wait(exchange: Exchange, taken: Promise<boolean | void>): void {
    this.#waiting = true;
    this.#stream.pause();
    taken.then(
      (more) => {
        if (this.#draining || this.#exchange !== exchange) return;
        this.#waiting = false;
        if (more === false) return this.#giveUp(undefined);
        this.#pump();
        if (!this.#waiting) this.#stream.resume();
      },
      (error: unknown) => this.#exchange === exchange && this.#giveUp(error),
    );
  }

  /** Behind the last packet of an answer. */
  #endMessage(): void {
    const packets = this.#packets;
    packets.isAtEnd = false;
    const exchange = this.#exchange ?? protocolViolation("it answers what was not asked");
    if (packets.from < packets.to || !exchange.isDone) protocolViolation("an answer ends before it does");
    const draining = this.#draining;
    if (draining && !draining.hasStopped) {
      // The statement ended by itself; what answers the attention comes behind it.
      exchange.isDone = false;
      return;
    }
    this.#settle();
    const { hasRows, error } = exchange;
    if (draining && draining.error === undefined) exchange.resolve({ hasRows, isWhole: false });
    else if (draining) exchange.reject(draining.error);
    else if (error) exchange.reject(error);
    else exchange.resolve({ hasRows, isWhole: true });
  }
}

const lost = (cause?: unknown) =>
  new Failure("connection_failed", "The database closed the connection while the statement ran.", {
    reason: "other",
    cause,
  });

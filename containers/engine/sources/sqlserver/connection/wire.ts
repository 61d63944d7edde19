// TDS on a logged-in socket: statements out, answers in, at the pace of whoever takes their rows. A statement that
// nobody wants any more ends with an attention, which the server answers; then the session goes on.

import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connectionLost } from "../../network-errors.ts";
import { isProtocolError } from "../../protocol-error.ts";
import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import { readCells } from "../rows/read-cells.ts";
import { createRowPacker } from "../rows/row-packer.ts";
import { Answer } from "./answer.ts";
import type { ColumnDefinition } from "./column-metadata.ts";
import type { LoggedIn } from "./login.ts";
import { attentionMessage, statementMessage, type Statement } from "./messages.ts";
import { PacketStream } from "./packet-stream.ts";
import type { RowScanner } from "./row-scanner.ts";
import { NO_TRANSACTION, protocolViolation } from "./tokens.ts";

/** How long the server may take to stop. */
const STOP_MS = 3_000;
/** Bytes from before a socket's end may still be on their way through TLS. */
const LOSE_MS = 50;

/** Takes a row; see {@link Answer}. */
export type TakeCells = (memory: Buffer, from: number, row: RowScanner) => boolean | void | Promise<boolean | void>;

/** The reader of an answer. Where a promise is returned, the server is paused until it settles. */
export type AnswerUse = {
  /** Called with the columns before the first row. */
  columns(columns: ColumnDefinition[]): Promise<void> | void;
  /** Gets each row; answering false stops the statement. */
  row: TakeCells;
};

/** Whether the statement gave rows, and whether all of them came: `row` may have stopped it. */
export type Answered = { hasRows: boolean; isWhole: boolean };

type Exchange = { answer: Answer; resolve(answered: Answered): void; reject(error: unknown): void };

export class TdsWire {
  readonly #stream: Duplex;
  readonly #socket: Socket;
  readonly #packetBytes: number;
  readonly #packets = new PacketStream();
  #transaction = NO_TRANSACTION;
  #exchange: Exchange | undefined;
  #waiting = false;
  /** The server was told to stop; `error` is what the statement then ends with, undefined where its user had enough. */
  #stopping: { error: unknown; timer: NodeJS.Timeout } | undefined;
  #failure: { error: unknown } | undefined;
  #settled = Promise.withResolvers<void>();

  /** Takes the socket over from whoever logged in on it. */
  constructor({ stream, socket, packetBytes }: LoggedIn) {
    this.#stream = stream;
    this.#socket = socket;
    this.#packetBytes = packetBytes;
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
    stream.on("end", () => this.fail(connectionLost()));
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
    const exchange = { answer: this.#listen(use), resolve, reject };
    this.#exchange = exchange;
    this.#settled = Promise.withResolvers();
    const abort = () => this.#exchange === exchange && this.#giveUp(signal.reason);
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
    const stopping = this.#stopping;
    const exchange = this.#settle();
    if (stopping && stopping.error === undefined) exchange?.resolve({ hasRows: true, isWhole: false });
    else exchange?.reject(stopping?.error ?? exchange.answer.error ?? error);
    this.#stream.destroy();
    this.#socket.destroy();
  }

  #lose(cause?: unknown): void {
    setTimeout(() => this.fail(connectionLost(cause)), LOSE_MS);
  }

  #listen(use: AnswerUse): Answer {
    return new Answer({
      columns: (columns) => this.#attempt(() => use.columns(columns)),
      row: (memory, from, scanned) => this.#attempt(() => use.row(memory, from, scanned)),
      transaction: (number) => {
        this.#transaction = number;
      },
      refuse: (failure) => this.#giveUp(failure),
    });
  }

  /** `error` undefined: its user has had enough. */
  #giveUp(error: unknown): void {
    if (!this.#exchange || this.#stopping) return;
    if (isProtocolError(error)) return this.fail(error);
    const timer = setTimeout(() => this.fail(error ?? connectionLost()), STOP_MS);
    this.#stopping = { error, timer };
    this.#waiting = false;
    this.#stream.write(attentionMessage());
    this.#stream.resume();
    // Not from within a row's own turn.
    setImmediate(() => this.#pump());
  }

  #settle(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    clearTimeout(this.#stopping?.timer);
    this.#stopping = undefined;
    this.#waiting = false;
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
        if (packets.isAtEnd) this.#endMessage();
        if (!packets.advance()) return;
      }
    } catch (error) {
      // Where in the answer this happened nobody knows: it can't be read on.
      this.fail(error);
    }
  }

  #takeToken(): boolean {
    const { answer } = this.#exchange ?? protocolViolation("it answers what was not asked");
    return answer.take(this.#packets, this.#stopping !== undefined);
  }

  /** Behind the last packet of a message. */
  #endMessage(): void {
    const packets = this.#packets;
    packets.isAtEnd = false;
    const stopping = this.#stopping;
    const { answer } = this.#exchange ?? protocolViolation("it answers what was not asked");
    if (!answer.end(packets, stopping !== undefined)) return;
    const exchange = this.#settle()!;
    const { hasRows, error } = answer;
    if (stopping && stopping.error === undefined) exchange.resolve({ hasRows, isWhole: false });
    else if (stopping) exchange.reject(stopping.error);
    else if (error) exchange.reject(error);
    else exchange.resolve({ hasRows, isWhole: true });
  }

  /** An error of the reader stops the statement, not the session. */
  #attempt(act: () => boolean | void | Promise<boolean | void>): void {
    let taken: ReturnType<typeof act>;
    try {
      taken = act();
    } catch (error) {
      return this.#giveUp(error);
    }
    if (taken === false) this.#giveUp(undefined);
    else if (typeof taken === "object") this.#wait(taken);
  }

  #wait(taken: Promise<boolean | void>): void {
    const exchange = this.#exchange;
    this.#waiting = true;
    this.#stream.pause();
    taken.then(
      (more) => {
        if (this.#stopping || this.#exchange !== exchange) return;
        this.#waiting = false;
        if (more === false) return this.#giveUp(undefined);
        this.#pump();
        if (!this.#waiting) this.#stream.resume();
      },
      (error: unknown) => this.#exchange === exchange && this.#giveUp(error),
    );
  }
}

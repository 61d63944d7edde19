// PostgreSQL's protocol on an authenticated socket: messages out, messages in, cut out of the bytes without copying
// them about.

import type { Socket } from "node:net";
import { Failure } from "../../../core/failure.ts";
import { RowTooLarge } from "../../../core/row-too-large.ts";
import { readServerError, type ServerError } from "./errors.ts";
import { connectionLost } from "../../network-errors.ts";
import { protocolError } from "../../protocol-error.ts";
import { readInto, type ByteReceiver } from "../../sockets/read-into.ts";

const MIB = 1024 * 1024;
const BUFFER_BYTES = 256 * 1024;
/** The least that a read has memory for. */
const READ_BYTES = 64 * 1024;
/** One row: past this it is refused. */
const ROW_BYTES_MAX = 256 * MIB;
/** Any other message. */
const MESSAGE_BYTES_MAX = 16 * MIB;
/** A server may send this many bytes of unrequested messages during one exchange. */
const ASIDE_BYTES_MAX = 64 * MIB;
const HEAD_BYTES = 5;

/** Every buffer begins with this text, so that a boolean's cell in a row of text has bytes to point at. */
export const BUFFER_PREFIX = Buffer.from("truefalse");

export const ROW = 0x44; // D
export const ROW_DESCRIPTION = 0x54; // T
export const COPY_DATA = 0x64; // d
export const COPY_DONE = 0x63; // c
export const COMMAND_COMPLETE = 0x43; // C
export const EMPTY = 0x49; // I
const ERROR = 0x45; // E
const READY = 0x5a; // Z
/** Notices, parameter changes and notifications may come at any time and concern nobody here. */
const ASIDES = new Set([0x4e, 0x53, 0x41]);

/** Answering false stops the exchange for good; a promise pauses the server until it settles. */
export type OnMessage = (
  type: number,
  bytes: Buffer,
  from: number,
  to: number,
) => boolean | void | Promise<boolean | void>;

/**
 * Takes as many of the messages in `bytes[from .. end)` as it wants to, all of which begin with a {@link COPY_DATA} and
 * end before `end`: it checks both. Returns where the first one begins that it leaves, which goes to {@link OnMessage}.
 */
export type TakeBatch = (bytes: Buffer, from: number, end: number) => number;

/** A set of message types, by their letters. */
const typesOf = (letters: string): Uint8Array => {
  const types = new Uint8Array(256);
  for (const letter of Buffer.from(letters, "latin1")) types[letter] = 1;
  return types;
};

/**
 * The messages that may answer a simple query, an extended one, and one that copies out. Any other message ends the
 * connection.
 */
export const SIMPLE = typesOf("TDCI");
export const EXTENDED = typesOf("123tnTDCI");
export const COPY_OUT = typesOf("HdcC");

type Exchange = {
  types: Uint8Array;
  on: OnMessage;
  takeBatch: TakeBatch | undefined;
  error: ServerError | undefined;
  asideBytes: number;
  resolve(whole: boolean): void;
  reject(error: unknown): void;
};

export class Wire implements ByteReceiver {
  /** Whether the server waits for the next message, and nothing runs. */
  idle = true;

  readonly #stream: Socket;
  #bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** The free end of {@link #bytes} as it was given out, while nothing else has been put there. */
  #space: Uint8Array | undefined;
  #start = BUFFER_PREFIX.length;
  #end = BUFFER_PREFIX.length;
  #exchange: Exchange | undefined;
  #waiting = false;
  #broken: unknown;

  /** Takes the socket over from whoever logged in on it, who has put back what came behind the login. */
  constructor(stream: Socket) {
    this.#stream = stream;
    BUFFER_PREFIX.copy(this.#bytes);
    stream.removeAllListeners("data");
    stream.on("data", (chunk: Buffer) => this.receive(chunk, chunk.length));
    readInto(stream, this);
    stream.on("error", (error) => this.fail(connectionLost(error)));
    stream.on("close", () => this.fail(connectionLost()));
    stream.resume();
  }

  /**
   * Sends `messages` and gives every answer that is of `types` to `on` until the server is ready for more. Returns
   * whether it came that far (`on` may have stopped it). Rejects with {@link ServerError}, or a Failure when the
   * connection is lost or the protocol broken. `takeBatch` sees rows of a COPY before `on` does.
   */
  exchange(messages: Buffer | undefined, types: Uint8Array, on: OnMessage, takeBatch?: TakeBatch): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#exchange = { types, on, takeBatch, error: undefined, asideBytes: 0, resolve, reject };
    this.idle = false;
    if (this.#broken) this.fail(this.#broken);
    else {
      if (messages) this.#stream.write(messages);
      this.#pump();
      if (!this.#waiting) this.#stream.resume();
    }
    return promise;
  }

  /** Lets `work` use the connection until `signal` aborts, which ends whatever runs with the signal's reason. */
  async untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const abort = () => this.fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await work();
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Ends whatever runs with `error`; what the server sends from now on is dropped. */
  fail(error: unknown): void {
    this.#broken ??= error;
    this.idle = false;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.reject(exchange.error ?? error);
  }

  /** As {@link ByteReceiver} has it. */
  space(): Uint8Array {
    // A message that is longer than what has come of it has its memory already.
    const missing = this.#announced - (this.#end - this.#start);
    this.#reserve(missing > 0 ? Math.min(missing, READ_BYTES) : READ_BYTES);
    return (this.#space = this.#bytes.subarray(this.#end));
  }

  /** As {@link ByteReceiver} has it. */
  receive(memory: Uint8Array, length: number): void {
    if (this.#broken) return;
    if (memory !== this.#space) {
      this.#space = undefined;
      this.#reserve(length);
      this.#bytes.set(length === memory.length ? memory : memory.subarray(0, length), this.#end);
    }
    this.#end += length;
    this.#pump();
    // Bytes that arrive while no exchange runs wait at the server.
    if (!this.#exchange && this.#end - this.#start > BUFFER_BYTES) this.#stream.pause();
  }

  /** The bytes of the message that comes next, where its length is known already and within bounds; else 0. */
  get #announced(): number {
    if (this.#end - this.#start < HEAD_BYTES) return 0;
    const announced = this.#bytes.readUInt32BE(this.#start + 1) + 1;
    return announced > ROW_BYTES_MAX ? 0 : announced;
  }

  /** Reserves `more` bytes, and those that are {@link #announced}. */
  #reserve(more: number): void {
    const held = this.#end - this.#start;
    if (this.#end + more <= this.#bytes.length) return;
    const wanted = BUFFER_PREFIX.length + Math.max(held + more, this.#announced);
    // A buffer grown for one large row is given back after it.
    const target = wanted <= BUFFER_BYTES ? BUFFER_BYTES : Math.ceil(wanted / MIB) * MIB;
    if (target === this.#bytes.length) this.#bytes.copyWithin(BUFFER_PREFIX.length, this.#start, this.#end);
    else {
      const moved = Buffer.allocUnsafeSlow(target);
      BUFFER_PREFIX.copy(moved);
      this.#bytes.copy(moved, BUFFER_PREFIX.length, this.#start, this.#end);
      this.#bytes = moved;
    }
    this.#start = BUFFER_PREFIX.length;
    this.#end = BUFFER_PREFIX.length + held;
  }

  #pump(): void {
    while (!this.#waiting && this.#exchange && this.#end - this.#start >= HEAD_BYTES) {
      const bytes = this.#bytes;
      const start = this.#start;
      const type = bytes[start]!;
      if (type === COPY_DATA && this.#takeBatch(this.#exchange)) continue;
      const length = bytes.readUInt32BE(start + 1);
      const isRow = type === ROW || type === COPY_DATA;
      // Checked before memory is reserved for it.
      if (length < HEAD_BYTES - 1 || length >= (isRow ? ROW_BYTES_MAX : MESSAGE_BYTES_MAX))
        return this.fail(wrongLength(length, isRow));
      const end = start + 1 + length;
      if (end > this.#end) return;
      this.#start = end;
      this.#take(this.#exchange, type, bytes, start + HEAD_BYTES, end);
    }
  }

  /** Whether messages were taken. */
  #takeBatch(exchange: Exchange): boolean {
    const start = this.#start;
    if (!exchange.takeBatch || exchange.error) return false;
    try {
      this.#start = exchange.takeBatch(this.#bytes, start, this.#end);
    } catch (error) {
      this.fail(error);
    }
    return this.#start > start || this.#broken !== undefined;
  }

  #take(exchange: Exchange, type: number, bytes: Buffer, from: number, to: number): void {
    if (exchange.types[type] !== 1) return this.#takeOther(exchange, type, bytes, from, to);
    // A server that has failed sends no more of the result.
    if (exchange.error) return this.fail(protocolError("PostgreSQL", "it goes on after an error"));
    let answer: ReturnType<OnMessage>;
    try {
      answer = exchange.on(type, bytes, from, to);
    } catch (error) {
      return this.fail(error);
    }
    if (answer instanceof Promise) this.#wait(exchange, answer);
    else if (answer === false) this.#stop(exchange);
  }

  /** Errors, the end of the answer, and what the server sends unasked. */
  #takeOther(exchange: Exchange, type: number, bytes: Buffer, from: number, to: number): void {
    if (type === ERROR) return void (exchange.error ??= readServerError(bytes, from, to));
    if (type === READY) {
      this.#exchange = undefined;
      this.idle = true;
      return exchange.error ? exchange.reject(exchange.error) : exchange.resolve(true);
    }
    exchange.asideBytes += to - from + HEAD_BYTES;
    if (!ASIDES.has(type)) this.fail(protocolError("PostgreSQL", "a message came that answers nothing"));
    else if (exchange.asideBytes > ASIDE_BYTES_MAX)
      this.fail(
        new Failure("resources_exceeded", `The database sent more than ${ASIDE_BYTES_MAX / MIB} MiB of notices.`),
      );
  }

  #wait(exchange: Exchange, answer: Promise<boolean | void>): void {
    this.#waiting = true;
    this.#stream.pause();
    answer.then(
      (more) => {
        this.#waiting = false;
        if (more === false) return this.#stop(exchange);
        this.#pump();
        if (!this.#waiting) this.#stream.resume();
      },
      (error: unknown) => this.fail(error),
    );
  }

  #stop(exchange: Exchange): void {
    this.#exchange = undefined;
    this.fail(new Error("The exchange was stopped."));
    exchange.resolve(false);
  }
}

const wrongLength = (length: number, isRow: boolean): Failure =>
  isRow && length >= ROW_BYTES_MAX
    ? new RowTooLarge(ROW_BYTES_MAX)
    : protocolError("PostgreSQL", "a message's length can't be right");

/** A message of `type` whose body is `parts`; strings are NUL-terminated. */
export function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)));
  const head = Buffer.alloc(5, type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

// PostgreSQL's protocol on an authenticated socket: messages out, messages in, cut out of the bytes without copying them about.

import type { Duplex } from "node:stream";
import { Failure } from "../failure.ts";
import { readServerError, type ServerError } from "./postgres-errors.ts";
import { PREFIX } from "./postgres-rows.ts";

const MIB = 1024 * 1024;
const bufferBytes = 256 * 1024;
/** One message is at most one row: past this it is refused. */
const messageBytesMax = 256 * MIB;

export const ROW = 0x44; // D
const ERROR = 0x45; // E
const READY = 0x5a; // Z
/** Notices, parameter changes and notifications may come at any time and concern nobody here. */
const ASIDES = new Set([0x4e, 0x53, 0x41]);

/** Answering false stops the exchange for good; a promise pauses the server until it settles. */
export type OnMessage = (type: number, bytes: Buffer, from: number, to: number) => boolean | void | Promise<boolean | void>;

type Exchange = { on: OnMessage; error: ServerError | undefined; resolve(whole: boolean): void; reject(error: unknown): void };

export class Wire {
  /** Whether the server waits for us: then a farewell is understood. */
  idle = true;

  readonly #stream: Duplex;
  #bytes = Buffer.allocUnsafeSlow(bufferBytes);
  #start = PREFIX.length;
  #end = PREFIX.length;
  #exchange: Exchange | undefined;
  #waiting = false;
  #broken: unknown;

  /** Takes the socket over from whoever logged in on it; nothing of the login is left to be read. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    PREFIX.copy(this.#bytes);
    stream.removeAllListeners("data");
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
    stream.on("error", (error) => this.fail(lost(error)));
    stream.on("close", () => this.fail(lost()));
  }

  /**
   * Sends `messages` and gives every answer to `on` until the server is ready for more. Answers whether it came that far
   * (`on` may have stopped it). Rejects with {@link ServerError}, or a Failure when the connection is lost.
   */
  exchange(messages: Buffer | undefined, on: OnMessage): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#exchange = { on, error: undefined, resolve, reject };
    this.idle = false;
    if (this.#broken) this.fail(this.#broken);
    else {
      if (messages) this.#stream.write(messages);
      this.#pump();
    }
    return promise;
  }

  /** Ends whatever runs with `error`; what the server sends from now on is dropped. */
  fail(error: unknown): void {
    this.#broken ??= error;
    this.idle = false;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.reject(exchange.error ?? error);
  }

  #receive(chunk: Buffer): void {
    if (this.#broken) return;
    const fits = this.#reserve(chunk.length);
    if (!fits) return this.fail(new Failure("resources_exceeded", `A row of the result is larger than ${messageBytesMax / MIB} MiB.`));
    chunk.copy(this.#bytes, this.#end);
    this.#end += chunk.length;
    this.#pump();
  }

  /** Makes room for `more` bytes, and for the whole of a message whose length is known already. */
  #reserve(more: number): boolean {
    const held = this.#end - this.#start;
    if (this.#end + more <= this.#bytes.length) return true;
    const announced = held >= 5 ? this.#bytes.readUInt32BE(this.#start + 1) + 1 : 0;
    if (announced > messageBytesMax) return false;
    const wanted = PREFIX.length + Math.max(held + more, announced);
    // A buffer grown for one large row is given back after it.
    const target = wanted <= bufferBytes ? bufferBytes : Math.ceil(wanted / MIB) * MIB;
    if (target === this.#bytes.length) this.#bytes.copyWithin(PREFIX.length, this.#start, this.#end);
    else {
      const moved = Buffer.allocUnsafeSlow(target);
      PREFIX.copy(moved);
      this.#bytes.copy(moved, PREFIX.length, this.#start, this.#end);
      this.#bytes = moved;
    }
    this.#start = PREFIX.length;
    this.#end = PREFIX.length + held;
    return true;
  }

  #pump(): void {
    while (!this.#waiting && this.#exchange && this.#end - this.#start >= 5) {
      const bytes = this.#bytes;
      const start = this.#start;
      const end = start + 1 + bytes.readUInt32BE(start + 1);
      if (end > this.#end) return;
      this.#start = end;
      this.#take(this.#exchange, bytes[start]!, bytes, start + 5, end);
    }
  }

  #take(exchange: Exchange, type: number, bytes: Buffer, from: number, to: number): void {
    if (ASIDES.has(type)) return;
    if (type === ERROR) return void (exchange.error ??= readServerError(bytes, from, to));
    if (type === READY) {
      this.#exchange = undefined;
      this.idle = true;
      return exchange.error ? exchange.reject(exchange.error) : exchange.resolve(true);
    }
    let answer: ReturnType<OnMessage>;
    try {
      answer = exchange.on(type, bytes, from, to);
    } catch (error) {
      return this.fail(error);
    }
    if (answer instanceof Promise) this.#wait(exchange, answer);
    else if (answer === false) this.#stop(exchange);
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

const lost = (cause?: unknown) => new Failure("connection_failed", "The database closed the connection while the statement ran.", { reason: "other", cause });

/** A message of `type` whose body is `parts`; strings are NUL-terminated. */
export function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)));
  const head = Buffer.alloc(5, type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

// A statement's rows straight off a logged-in socket, in MySQL's text protocol. The driver that logged in stands aside meanwhile.

import type { Duplex } from "node:stream";
import type { Connection as Driver } from "mysql2";
import { Failure } from "../failure.ts";
import { checkRow } from "./chunk-builder.ts";

const MIB = 1024 * 1024;
const bufferBytes = 256 * 1024;
/** How long the rest of an answer may take once it is of no use. */
const drainMs = 15_000;
/** A packet this long is continued in the next. */
const PACKET_BYTES = 0xff_ffff;
const HEAD_BYTES = 4;
const END_BYTES_MAX = 8;
const OK = 0;
const ERROR = 0xff;
const END = 0xfe;
const QUERY = 3;

export type OnRow = (bytes: Buffer, from: number, to: number) => Promise<void> | undefined;

/** What the server said instead of rows; told as the driver's errors are. */
export type MysqlError = Error & { code: string; errno: number; sqlMessage: string };

/**
 * Sends `sql`, which gives at most one result, and gives each row to `on`; a promise of it pauses the server. Rejects with the
 * server's error, with a Failure where the connection is lost, with what `on` threw, or with the signal's reason. In the last
 * two cases `stop` is to make the server stop, and what it still sends is dropped: the driver can be used again after it.
 */
export async function streamRows(driver: Driver, sql: string, signal: AbortSignal, on: OnRow, stop: () => Promise<void>): Promise<void> {
  signal.throwIfAborted();
  const stream = socketOf(driver);
  const listeners = stream.listeners("data") as ((chunk: Buffer) => void)[];
  stream.removeAllListeners("data");
  const answer = new Answer(stream, on, stop);
  const receive = (chunk: Buffer) => answer.receive(chunk);
  const onError = (error: unknown) => answer.finish(lost(error));
  const onClose = () => answer.finish(lost());
  const onAbort = () => answer.fail(signal.reason);
  stream.on("data", receive).on("error", onError).on("close", onClose);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    stream.write(message(sql));
    await answer.ended;
  } finally {
    signal.removeEventListener("abort", onAbort);
    stream.off("data", receive).off("error", onError).off("close", onClose);
    for (const listener of listeners) stream.on("data", listener);
    stream.resume();
  }
}

type Phase = "head" | "definitions" | "mark" | "rows" | "over";

class Answer {
  readonly ended: Promise<void>;

  private readonly stream: Duplex;
  private readonly on: OnRow;
  private readonly stop: () => Promise<void>;
  private readonly packets = new Packets();
  private readonly settle: { resolve(): void; reject(error: unknown): void };
  private phase: Phase = "head";
  private definitions = 0;
  /** Of a row longer than a packet. */
  private parts: Buffer[] = [];
  private partBytes = 0;
  private waiting = false;
  private failure: { error: unknown; timer: NodeJS.Timeout } | undefined;

  constructor(stream: Duplex, on: OnRow, stop: () => Promise<void>) {
    this.stream = stream;
    this.on = on;
    this.stop = stop;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ended = promise;
    this.settle = { resolve, reject };
  }

  receive(chunk: Buffer): void {
    this.packets.add(chunk);
    this.pump();
  }

  /** What fails here does not end the server's answer. */
  fail(error: unknown): void {
    if (this.failure || this.phase === "over") return;
    this.failure = { error, timer: setTimeout(() => this.stream.destroy(), drainMs) };
    this.parts = [];
    this.waiting = false;
    void this.stop();
    this.stream.resume();
    // Not from within a row's own turn.
    setImmediate(() => this.pump());
  }

  finish(error?: unknown): void {
    if (this.phase === "over") return;
    this.phase = "over";
    clearTimeout(this.failure?.timer);
    const told = this.failure ? this.failure.error : error;
    if (told === undefined) this.settle.resolve();
    else this.settle.reject(told);
  }

  private pump(): void {
    const { packets } = this;
    while (!this.waiting && this.phase !== "over" && packets.next()) this.take(packets.memory, packets.from, packets.to);
  }

  private take(bytes: Buffer, from: number, to: number): void {
    const first = bytes[from];
    switch (this.phase) {
      case "head":
        if (first === ERROR) return this.finish(readError(bytes, from, to));
        if (first === OK) return this.finish();
        this.definitions = readCount(bytes, from);
        this.phase = "definitions";
        return;
      case "definitions":
        if (--this.definitions === 0) this.phase = "mark";
        return;
      case "mark":
        this.phase = "rows";
        return;
      default:
        return this.takeRow(bytes, from, to);
    }
  }

  private takeRow(bytes: Buffer, from: number, to: number): void {
    const length = to - from;
    const isFirst = this.partBytes === 0;
    if (isFirst && bytes[from] === ERROR) return this.finish(readError(bytes, from, to));
    if (isFirst && bytes[from] === END && length <= END_BYTES_MAX) return this.finish();
    if (isFirst && length < PACKET_BYTES) return this.give(bytes, from, to);
    this.partBytes += length;
    try {
      checkRow(this.partBytes);
    } catch (error) {
      this.fail(error);
    }
    if (!this.failure) this.parts.push(Buffer.from(bytes.subarray(from, to)));
    if (length === PACKET_BYTES) return;
    const row = Buffer.concat(this.parts);
    this.parts = [];
    this.partBytes = 0;
    this.give(row, 0, row.length);
  }

  private give(bytes: Buffer, from: number, to: number): void {
    if (this.failure) return;
    try {
      const wait = this.on(bytes, from, to);
      if (wait) this.wait(wait);
    } catch (error) {
      this.fail(error);
    }
  }

  private wait(taken: Promise<void>): void {
    this.waiting = true;
    this.stream.pause();
    taken.then(
      () => {
        if (this.failure) return;
        this.waiting = false;
        this.pump();
        if (!this.waiting) this.stream.resume();
      },
      (error: unknown) => this.fail(error),
    );
  }
}

/** Received bytes, cut into packets. */
class Packets {
  memory = Buffer.allocUnsafeSlow(bufferBytes);
  from = 0;
  to = 0;
  private start = 0;
  private end = 0;

  add(chunk: Buffer): void {
    const held = this.end - this.start;
    if (this.end + chunk.length > this.memory.length) {
      const announced = held >= HEAD_BYTES ? this.memory.readUIntLE(this.start, 3) + HEAD_BYTES : 0;
      const wanted = Math.max(held + chunk.length, announced);
      const size = wanted <= bufferBytes ? bufferBytes : Math.ceil(wanted / MIB) * MIB;
      const target = size === this.memory.length ? this.memory : Buffer.allocUnsafeSlow(size);
      this.memory.copy(target, 0, this.start, this.end);
      this.memory = target;
      this.start = 0;
      this.end = held;
    }
    chunk.copy(this.memory, this.end);
    this.end += chunk.length;
  }

  /** Whether there is a whole packet; then its body is `memory[from .. to)`. */
  next(): boolean {
    const { memory, start } = this;
    const from = start + HEAD_BYTES;
    if (from > this.end) return false;
    const to = from + (memory[start]! | (memory[start + 1]! << 8) | (memory[start + 2]! << 16));
    if (to > this.end) return false;
    this.from = from;
    this.to = this.start = to;
    return true;
  }
}

function message(sql: string): Buffer {
  const text = Buffer.from(sql);
  if (text.length >= PACKET_BYTES) throw new Error("a statement of ours is longer than a packet");
  const head = Buffer.alloc(HEAD_BYTES + 1);
  head.writeUIntLE(text.length + 1, 0, 3);
  head[HEAD_BYTES] = QUERY;
  return Buffer.concat([head, text]);
}

/** Below 251 columns a byte, below 4,097, which is MySQL's bound, a mark and two. */
const readCount = (bytes: Buffer, from: number): number => (bytes[from] === 0xfc ? bytes.readUInt16LE(from + 1) : bytes[from]!);

function readError(bytes: Buffer, from: number, to: number): MysqlError {
  const hasState = bytes[from + 3] === 0x23;
  const text = bytes.toString("utf8", from + (hasState ? 9 : 3), to);
  return Object.assign(new Error(text), { code: "", errno: bytes.readUInt16LE(from + 1), sqlMessage: text });
}

/** The cells of a row as text. */
export function readCells(bytes: Buffer, from: number, to: number): (string | null)[] {
  const cells: (string | null)[] = [];
  for (let at = from; at < to; ) {
    const { length, start } = readLength(bytes, at);
    cells.push(length < 0 ? null : bytes.toString("utf8", start, start + length));
    at = start + Math.max(0, length);
  }
  return cells;
}

const NULL = 0xfb;

/** The length before a cell, -1 of NULL, and where the cell starts. */
function readLength(bytes: Buffer, at: number): { length: number; start: number } {
  const first = bytes[at]!;
  if (first < NULL) return { length: first, start: at + 1 };
  if (first === NULL) return { length: -1, start: at + 1 };
  const places = first === 0xfc ? 2 : first === 0xfd ? 3 : 8;
  return { length: places === 8 ? Number(bytes.readBigUInt64LE(at + 1)) : bytes.readUIntLE(at + 1, places), start: at + 1 + places };
}

/** What mysql2 has and its types don't tell; behind TLS too. It never asks servers to leave the mark between definitions and rows out. */
const socketOf = (driver: Driver): Duplex => (driver as unknown as { stream: Duplex }).stream;
const lost = (cause?: unknown) => new Failure("connection_failed", "The database closed the connection while the statement ran.", { reason: "other", cause });

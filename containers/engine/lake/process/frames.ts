// A query process answers through a socket in frames, each of a kind and a length.

import type { Socket } from "node:net";
import type { Frame } from "./messages.ts";
import { openSocketPair } from "./socket-pair.ts";

const KINDS = ["ready", "columns", "data", "part", "end", "answer"] as const;
/** Kind (1 byte), then length of the payload (4 bytes, little-endian). */
const HEADER_BYTES = 5;
/** A longer run of data is sent as several frames. */
export const FRAME_BYTES_MAX = 256 * 1024;
/** Bytes of one read: more than a socket holds. */
const READ_BYTES = 256 * 1024;
/** Reads ahead of the reader. One more buffer is ready for the next. */
const READS_MAX = 2;
const NO_BYTES = Buffer.alloc(0);

/** A frame of at most so many bytes is copied, and goes with those that follow it at once. */
const COPIED_BYTES_MAX = 16 * 1024;

/** Settles once the memory of the frame's bytes can be used again: they were copied, or are with the system. */
export function sendFrame(out: Socket, frame: Frame): Promise<void> {
  const payload =
    "bytes" in frame ? frame.bytes : "value" in frame ? Buffer.from(JSON.stringify(frame.value)) : NO_BYTES;
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(KINDS.indexOf(frame.kind), 0);
  header.writeUInt32LE(payload.length, 1);
  // Together, so that the reader wakes up once.
  out.cork();
  if (payload.length <= COPIED_BYTES_MAX && out.writableLength <= COPIED_BYTES_MAX) {
    out.write(Buffer.concat([header, payload]));
    setImmediate(() => out.uncork());
    return Promise.resolve();
  }
  out.write(header);
  const { promise, resolve } = Promise.withResolvers<void>();
  // The reader has gone where it fails, and this process ends by that.
  out.write(payload, () => resolve());
  out.uncork();
  return promise;
}

/** The bytes of one read; `at` is the first that was not returned yet. */
type Read = { buffer: Buffer; at: number; end: number };

/**
 * Reads frames on demand, so that a reader who waits holds the writer back, into a few buffers that are used again and
 * again: memory that is new for each read costs several times as much as the read.
 */
export class FrameReader {
  #socket: Socket | undefined;
  #isEnded = false;
  #wake: () => void = () => undefined;
  /** Reads in their order; frames are taken from the first. */
  readonly #reads: Read[] = [];
  readonly #free: Buffer[] = [];
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the current frame that are missing. */
  #rest = 0;
  /** Pieces of a frame that is returned as a whole. */
  #parts: Buffer[] = [];

  /** Answers the end that writes, for a child process. */
  async open(): Promise<Socket> {
    const { ours, theirs } = await openSocketPair({
      buffer: () => this.#free.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (bytes, buffer) => this.#add({ buffer: buffer as Buffer, at: 0, end: bytes }),
    });
    this.#socket = ours;
    for (const event of ["end", "close", "error"]) {
      ours.on(event, () => {
        this.#isEnded = true;
        this.#wake();
      });
    }
    return theirs;
  }

  close(): void {
    this.#socket?.destroy();
  }

  /**
   * The next frame; `undefined` once there are no more. `inPieces`: data is given as it comes, the last piece of a
   * frame with its kind and those before as `part`. The bytes are valid until the next call.
   */
  async next(inPieces = false): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#read(inPieces);
      if (frame) return frame;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Leaves the bytes that {@link next} returned last as they are for good, as somebody still uses them. */
  leaveBytes(): void {
    const [read] = this.#reads;
    if (read) read.buffer = Buffer.from(read.buffer);
  }

  /** Whether there may be another read before one of these is done with. */
  #add(read: Read): boolean {
    this.#reads.push(read);
    this.#wake();
    return this.#reads.length < READS_MAX;
  }

  /** Goes on in the next read where all of the first was given. */
  #current(): Read | undefined {
    const [read] = this.#reads;
    if (!read || read.at < read.end) return read;
    this.#free.push(this.#reads.shift()!.buffer);
    this.#socket?.resume();
    return this.#reads[0];
  }

  #read(inPieces: boolean): Frame | undefined {
    for (let read = this.#current(); read || this.#isEmptyFrame(); read = this.#current()) {
      if (this.#headerBytes < HEADER_BYTES) {
        if (read) this.#readHeader(read);
        continue;
      }
      const piece = read ? read.buffer.subarray(read.at, Math.min(read.end, read.at + this.#rest)) : NO_BYTES;
      if (read) read.at += piece.length;
      this.#rest -= piece.length;
      const frame = this.#give(piece, inPieces);
      if (frame) return frame;
    }
    return undefined;
  }

  #isEmptyFrame(): boolean {
    return this.#headerBytes === HEADER_BYTES && this.#rest === 0;
  }

  #readHeader(read: Read): void {
    const copied = read.buffer.copy(this.#header, this.#headerBytes, read.at, read.end);
    read.at += copied;
    this.#headerBytes += copied;
    this.#rest = this.#header.readUInt32LE(1);
  }

  /** A frame, or what there is of it where pieces will do. */
  #give(piece: Buffer, inPieces: boolean): Frame | undefined {
    const kind = KINDS[this.#header.readUInt8(0)]!;
    const isData = kind === "data" || kind === "part";
    if (this.#rest > 0) {
      if (isData && inPieces) return { kind: "part", bytes: piece };
      this.#parts.push(Buffer.from(piece));
      return undefined;
    }
    this.#headerBytes = 0;
    const bytes = this.#parts.length === 0 ? piece : Buffer.concat([...this.#parts, piece]);
    this.#parts = [];
    return isData ? { kind, bytes } : ({ kind, value: JSON.parse(bytes.toString()) } as Frame);
  }
}

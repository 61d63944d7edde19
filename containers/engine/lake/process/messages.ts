// What the engine and a query process say to each other: orders over IPC, answers as frames over a pipe.

import type { Analysis, Explain } from "../sql/analysis.ts";
import type { BoundValue } from "../../contract/semantic/query.ts";
import type { Column } from "../../formats/result.ts";
import type { EngineFailure, ResultOptions } from "../../contract/protocol.ts";
import type { Footers } from "../../parquet/footers.ts";
import type { AnalysisOptions } from "../sql/gate.ts";
import type { ProbeOrder } from "../pruning/plan-probe.ts";
import type { Scan } from "../pruning/plan-scans.ts";
import type { RowGroups, RowGroupQuestion } from "../pruning/row-groups.ts";
import type { WriteWork } from "./write-work.ts";

/** A result in one of the formats, or as `cells`: see `cell-rows.ts`. */
export type RunResult = Omit<ResultOptions, "format"> & { format: ResultOptions["format"] | "cells" };

export type RunOrder = {
  body: string;
  explain: Explain | undefined;
  /** Our own SQL, run before the database is locked: schemas, views, empty tables. */
  setup: string[];
  /** The files that may be read, relative to the working directory. */
  paths: string[];
  result: RunResult;
  requestId: string;
  /** What the variables hold that `body` names. */
  values: readonly BoundValue[];
  /** See {@link databaseKey}; absent where no other statement may have the database. */
  key?: string | undefined;
  /** Planned again, `body` means the same. */
  isSteady: boolean;
};

/**
 * How many rows of a result are of use, where not all are: a document is cut, and the row after the last says that it
 * was.
 */
export const rowsTaken = ({ format, rowsMax }: RunResult): number | undefined =>
  format === "json" || format === "cells" ? rowsMax + 1 : undefined;

/**
 * A statement that writes uses one database for several orders: set up once, it is left in the end whatever happened.
 */
export type WriteOrder =
  | { do: "setUp"; setup: string[]; paths: string[] }
  | { do: "shape"; sql: string }
  | { do: "write"; work: WriteWork }
  | { do: "leave" };

/**
 * `chunked`: those of `paths` whose chunks are asked for. `setup` makes the statement's tables,
 * empty.
 */
export type Order =
  | ({ do: "analyse"; sql: string } & AnalysisOptions)
  | { do: "inspect"; paths: string[]; chunked: string[] }
  | ({ do: "probe" } & ProbeOrder)
  | { do: "prune"; questions: RowGroupQuestion[] }
  | ({ do: "run" } & RunOrder)
  | WriteOrder
  | { do: "interrupt" };

/** How a run ended. */
export type RunEnd = { truncated: boolean } | { failure: EngineFailure };

/**
 * `data` ends with a row's end, `part` within a row. `ready`: the process takes orders, and keeps databases under these
 * keys.
 */
export type Frame =
  | { kind: "ready"; value: { keys: string[] } }
  | { kind: "analysis"; value: Analysis | { failure: EngineFailure } }
  | { kind: "footers"; value: Footers | { failure: EngineFailure } }
  | { kind: "scans"; value: Scan[] | null }
  | { kind: "pruned"; value: RowGroups[] | { failure: EngineFailure } }
  | { kind: "answer"; value: { answer: unknown } | { failure: EngineFailure } }
  | { kind: "columns"; value: Column[] }
  | { kind: "data" | "part"; bytes: Uint8Array }
  | { kind: "end"; value: RunEnd };

const KINDS = ["ready", "analysis", "footers", "scans", "pruned", "columns", "data", "part", "end", "answer"] as const;
/** Kind (1 byte), then length of the payload (4 bytes, little-endian). */
const HEADER_BYTES = 5;
/** A longer run of data is sent as several frames. */
export const FRAME_BYTES_MAX = 256 * 1024;

/** The header of a frame whose payload follows. */
function header(kind: Frame["kind"], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES);
  bytes.writeUInt8(KINDS.indexOf(kind), 0);
  bytes.writeUInt32LE(length, 1);
  return bytes;
}

/** A frame as buffers to be written one after the other. */
export function encodeFrame(frame: Frame): Uint8Array[] {
  const payload =
    "bytes" in frame ? frame.bytes : "value" in frame ? Buffer.from(JSON.stringify(frame.value)) : new Uint8Array(0);
  return [header(frame.kind, payload.length), payload];
}

/** Reads frames from a pipe on demand, so that a reader who waits holds the writer back. */
export class FrameReader {
  readonly #pipe: NodeJS.ReadableStream;
  #wanted: { kind: Frame["kind"]; length: number } | undefined;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(pipe: NodeJS.ReadableStream) {
    this.#pipe = pipe;
    // One listener for good: adding one to a stream that holds part of a frame would be called for that part at once,
    // again and again.
    pipe.on("readable", () => this.#wake());
    for (const event of ["end", "close", "error"]) {
      pipe.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /** The next frame; `undefined` once the pipe has ended. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#read();
      if (frame) return frame;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #read(): Frame | undefined {
    if (!this.#wanted) {
      const head = this.#pipe.read(HEADER_BYTES) as Buffer | null;
      if (head?.length !== HEADER_BYTES) return undefined;
      this.#wanted = { kind: KINDS[head.readUInt8(0)]!, length: head.readUInt32LE(1) };
    }
    const { kind, length } = this.#wanted;
    const payload = length === 0 ? Buffer.alloc(0) : (this.#pipe.read(length) as Buffer | null);
    if (payload?.length !== length) return undefined;
    this.#wanted = undefined;
    if (kind === "data" || kind === "part") return { kind, bytes: payload };
    return { kind, value: JSON.parse(payload.toString()) } as Frame;
  }
}

// The engine sends a query process orders over IPC, and gets answers as frames over a pipe.

import type { Explain } from "../sql/analysis.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { Column } from "../../formats/result.ts";
import type { ShownColumn } from "../../core/statement.ts";
import type { EngineFailure, ResultOptions } from "../../../../kernel/wire/engine.ts";
import type { PlainPlace } from "../sql/outline.ts";
import type { AnalysisOptions } from "../sql/gate.ts";
import type { ProbeOrder } from "../pruning/plan-probe.ts";
import type { RowGroupQuestion } from "../pruning/row-groups.ts";
import type { WriteWork } from "./write-work.ts";

/** A result in one of the formats, or as `cells`: see `cell-rows.ts`. `shown`: as of the statement. */
export type RunResult = Omit<ResultOptions, "format"> & {
  format: ResultOptions["format"] | "cells";
  shown?: readonly ShownColumn[];
};

export type RunOrder = {
  body: string;
  explain: Explain | undefined;
  /** Our own SQL, run before the database is locked: schemas, views, empty tables. */
  setup: string[];
  /** The files that may be read, relative to the working directory. */
  paths: string[];
  result: RunResult;
  requestId: string;
  /** Values of the variables that `body` names. */
  values: readonly BoundValue[];
  /** See {@link databaseKey}; absent where no other statement may have the database. */
  key?: string | undefined;
  /** Whether `body` means the same each time it is planned. */
  isSteady: boolean;
  /** The places in `body` of constants that no column's name or type depends on, in their order. */
  filters: readonly PlainPlace[];
};

/** For the `setup` of a statement to which one thread is enough. */
export const ONE_THREAD = "SET threads = 1";

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
  | { do: "setUp"; setup: string[]; paths: string[]; values: readonly BoundValue[] }
  | { do: "shape"; sql: string }
  | { do: "rows"; sql: string }
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
  | { kind: "answer"; value: { answer: unknown } | { failure: EngineFailure } }
  | { kind: "columns"; value: Column[] }
  | { kind: "data" | "part"; bytes: Uint8Array }
  | { kind: "end"; value: RunEnd };

export type ResultFrame = Extract<Frame, { kind: "columns" | "data" | "part" }>;

/** `inUse`: the bytes of the frame are still being read, and must stay as they are. */
export type Taken = void | "inUse";

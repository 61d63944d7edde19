// What a kind of database must be able to do. One file per kind implements it; `connectors.ts` lists them.

import type { ConnectionReport, Introspection, Source } from "../contract/source.ts";
import type { Column, Row } from "../formats/result.ts";

/** A statement running at a source. */
export type SourceResult = {
  columns: Column[];
  /**
   * Feeds every row to `take` until the end. `take` may answer a promise: the source is paused until it settles.
   * `take` answering false (or a promise of it) ends the statement early. Rejects with a Failure.
   */
  rows(take: (row: Row) => boolean | Promise<boolean>): Promise<void>;
};

/**
 * What a source may be told about a statement: its id, to be named by, and the rest of its deadline, to end by itself.
 */
export type StatementInfo = { id: string; deadlineMs: number };

/** Introspections tell no more than this, and say so. */
export const INTROSPECTION_LIMITS = { tablesMax: 20_000, columnsMax: 400_000 };

export type Connector<Type extends Source["type"] = Source["type"]> = {
  /** Connects, looks around, disconnects. Rejects with `connection_failed` and a reason. */
  test(source: Extract<Source, { type: Type }>, signal: AbortSignal): Promise<ConnectionReport>;
  /** Tells what there is to read. Rejects with a Failure, or the signal's reason. */
  introspect(source: Extract<Source, { type: Type }>, signal: AbortSignal): Promise<Introspection>;
  /**
   * Runs one read-only statement in a read-only transaction and hands over its result once its columns are known.
   * When `signal` aborts, the statement is cancelled at the server too (not only the socket closed).
   * The connection is gone when the answer settles, whatever happened.
   */
  query<T>(
    source: Extract<Source, { type: Type }>,
    sql: string,
    signal: AbortSignal,
    use: (result: SourceResult) => Promise<T>,
    notes?: StatementInfo,
  ): Promise<T>;
};

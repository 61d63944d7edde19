// The gate's analysis of a statement that may run.

import type { DriveReference } from "./drive-references.ts";
import type { PlainPlace } from "./outline.ts";

/** A relation that a statement names, as written. */
export type TableRef = {
  catalog: string;
  schema: string;
  name: string;
  /** 1-based, in characters. */
  position: number | undefined;
  /** The statement finds the table in the catalog that `catalogAt` names. */
  travel?: TimeTravel;
};

/**
 * The content of an AT clause: a snapshot's number, or an instant (RFC 3339); and its position, as in a {@link
 * TableRef}.
 */
export type TimeTravel = { at: string; position: number };

/** Whether the plan alone is explained, or also the time that running it took. */
export type Explain = "EXPLAIN" | "EXPLAIN ANALYZE";

/** The gate's analysis of a statement that may run. */
export type Analysis = {
  /** The statement without a trailing semicolon or `EXPLAIN`. */
  body: string;
  /** Where the body begins in the statement; what stands there was put right without moving anything behind it. */
  offset: number;
  explain: Explain | undefined;
  tables: TableRef[];
  /** Whether the statement reads which tables and columns there are. */
  readsMetadata: boolean;
  /** Paths of the drive that the statement reads. */
  driveFiles: DriveReference[];
  /** Whether the statement means the same each time it is planned: it reads neither the clock nor random values. */
  isSteady: boolean;
  /** Where plain values stand in `body`, in its order: with others of their kinds the analysis is the same. */
  plain: readonly PlainPlace[];
};

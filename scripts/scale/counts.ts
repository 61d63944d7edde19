// Tests count on the real code what the platform does for each thing that is asked of it: those in `test/unit/costs/`
// and `test/containers/costs/`. They fail where it does more, or less.

export type ObjectBinding = "CATALOG" | "ENGINE" | "SANDBOX" | "LOGS" | "METER";

/**
 * `statements` are those sent to D1, `rowsRead` and `rowsWritten` their rows as D1 bills them; `calls` those of Durable
 * Objects by binding, `bucket` operations of the bucket by method, `messages` those sent to queues.
 */
export type Count = {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  calls: Partial<Record<ObjectBinding, number>>;
  bucket: Record<string, number>;
  messages: number;
};

const count = (
  [statements, rowsRead, rowsWritten]: [statements: number, rowsRead: number, rowsWritten: number],
  calls: Count["calls"] = {},
  messages = 0,
): Count => ({ statements, rowsRead, rowsWritten, calls, bucket: {}, messages });

/** A statement on the lake, without what the meter is told of it. */
export const STATEMENT = {
  /** The isolate has not seen the key for half a minute, nor the team's lake. */
  first: count([2, 4, 0], { CATALOG: 1, ENGINE: 1 }),
  again: count([0, 0, 0], { CATALOG: 1, ENGINE: 1 }),
  newKey: count([2, 3, 0], { CATALOG: 1, ENGINE: 1 }),
  /** By a caller whom data-access roles bind; as {@link newKey}, and where the catalog does not know the roles. */
  boundFirst: count([6, 10, 0], { CATALOG: 3, ENGINE: 1 }),
} as const;

/** What an engine asks of the platform about a lake, each a request. */
export const LAKE_REQUEST = count([0, 0, 0], { CATALOG: 1 });

/** A sync's run of one table. A step is one message's work. */
export const SYNC_RUN = {
  /** The tick's part, of one due sync. */
  due: count([4, 32, 12], {}, 1),
  begin: count([14, 26, 12], { CATALOG: 2, ENGINE: 1, LOGS: 1 }, 1),
  look: count([4, 6, 8], { CATALOG: 2, ENGINE: 1 }, 1),
  /** The job's report of its end, which brings the next look forward. */
  finish: count([2, 3, 2], { CATALOG: 1 }, 1),
  end: count([11, 32, 13], { CATALOG: 4, LOGS: 1 }),
  /** Each request of its job. */
  request: count([0, 0, 0], { CATALOG: 1 }),
  log: count([0, 0, 0], { LOGS: 1 }),
} as const;

/** A doc's run of two datasets in Python, on a schedule. */
export const DOC_RUN = {
  due: count([4, 31, 13], {}, 1),
  begin: count([20, 30, 30], { SANDBOX: 1, LOGS: 1 }, 1),
  firstHeartbeat: count([5, 10, 3]),
  heartbeat: count([3, 6, 2]),
  log: count([3, 3, 0], { LOGS: 2 }),
  result: count([2, 2, 0]),
  report: count([5, 35, 3]),
  look: count([5, 7, 8], {}, 1),
  finish: count([15, 63, 5], {}, 1),
  end: count([12, 39, 12], { LOGS: 2 }),
} as const;

/** A minute's tick with nothing due, however many teams there are. */
export const TICK = { idle: count([55, 151, 1]) } as const;

/** Alerts look through so many teams together, each tick: here with a sync and a job each, and nothing to tell. */
export const ALERT_PAGE = count([7, 109, 10]);

/** What a team's meter passes on to D1 each half minute while the team asks, of requests and statements. */
export const METER = { newMinute: count([4, 83, 8]), sameMinute: count([4, 147, 6]) } as const;

/** The daily round of a lake of fewer than a thousand objects, and a look at a drive of as few. */
export const COLLECTION = { ...count([4, 7, 4], { CATALOG: 3 }), bucket: { list: 1 } } as const satisfies Count;
export const DRIVE_MEASURE = { ...count([2, 7, 4]), bucket: { list: 1 } } as const satisfies Count;

/** Bytes that a row takes in D1 with all its indexes; a run with its attempt, an execution is a dataset's. */
export const ROW_BYTES = {
  syncRun: 1_360,
  automationRun: 1_240,
  docRun: 670,
  execution: 360,
  auditEvent: 950,
  /** A minute of one kind of event, with its share of the row of ten minutes. */
  eventMinute: 225,
} as const;

/**
 * Rows and bytes of a lake's catalog, in its object. A commit of new files reads and writes rows for itself and for
 * each column of its table, and for each file and each column of a file. Bytes are those of a catalog of a million
 * files; one of few takes a little less.
 */
export const CATALOG = {
  read: { commit: 18, column: 5, file: 7, fileColumn: 1 },
  written: { commit: 11, column: 2, file: 5, fileColumn: 3 },
  bytes: { file: 285, fileColumn: 88 },
} as const;

/** Requests of an engine to the platform, and to the bucket by signed URLs. */
export const ENGINE_REQUESTS = {
  /** For a statement whose tables it does not know, to the platform; for each file that it reads, to the bucket. */
  coldStatement: 1,
  getsPerFile: 1,
  /** For a sync's run, and for each of its tables with changes and without: to the platform; to the bucket. */
  syncRun: 2,
  syncTableChanged: 7,
  syncTableSame: 3,
  putsPerTable: 2,
  getsPerTable: 1,
} as const;

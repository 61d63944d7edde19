// Bounds of asynchronous queries: a part of `limits.ts`.

export const ASYNC_QUERY_LIMITS = {
  /** Tables that one statement for a team's own Trino may name. */
  pinnedTablesMax: 100,
  /** What a caller may wait for an answer before it is a 202. */
  asyncQueryWaitMsMax: 60_000,
  /** Asynchronous queries that a team may have running. */
  asyncQueriesRunningMax: 50,
  asyncQueriesKeptMax: 10_000,
  asyncResultBytesPerTeamMax: 50 * 1024 * 1024 * 1024,
  asyncResultBytesMax: 1024 * 1024 * 1024,
  /** From its end; the result with it. */
  asyncQueryKeptMs: 86_400_000,
  /** One that no engine has said to run by then has not begun, or is lost: three starts of an engine. */
  asyncQueryStartMs: 150_000,
  /** After its deadline the engine stores nothing any more, and reports; then nobody does. */
  asyncQueryGraceMs: 300_000,
  /** After its deadline: a write whose lake cannot say by then whether it was written ends as not known. */
  asyncWriteSettledMs: 3_600_000,
  /** How long one request waits for a query that its caller asks for again until the result is there. */
  repeatedQueryWaitMs: 5_000,
  /** Its run is cancelled when nobody has asked for this long. */
  repeatedQueryLeaseMs: 30_000,
  /** From its end: what nobody has taken by then is not of use to whoever asks again. */
  repeatedQueryResultMs: 60_000,
  /** A statement of Trino's protocol is cancelled when nobody has asked for its rows for this long. */
  trinoLeaseMs: 60_000,
  /** A statement that writes begins when its client asks for it, or never after this long. */
  heldStatementMs: 120_000,
  heldStatementsPerUserMax: 20,
  /** UTF-8. D1 keeps a row of at most 2,000,000 bytes. */
  heldStatementBytesMax: 1_900_000,
  /** How long the first answer waits for a statement's end; nobody can cancel the statement before that answer. */
  trinoFirstWaitMs: 250,
  /** How long the answer waits for a plan, which is made without running the statement. */
  trinoPlanWaitMs: 10_000,
  /** Bytes of rows that the first answer has at most, where a statement has ended by then. */
  trinoAnsweredBytes: 256 * 1024,
  /** How long an engine that reports on a query waits for the query's row, which comes soon after the query began. */
  asyncQueryRowMs: 2_000,
  /** How long one request waits for rows. */
  trinoPageWaitMs: 1_000,
  /** Stored bytes that one page begins with; a row that is longer is read whole, up to its own bound. */
  trinoPageBytes: 4 * 1024 * 1024,
  trinoRowBytesMax: 64 * 1024 * 1024,
  /** Columns, tables and schemas of lakes whose descriptions an isolate keeps for Trino's SQL: some megabytes. */
  describedColumnsMax: 30_000,
  /** Comments of tables, and of columns, that clients of Trino are told. */
  trinoCommentsMax: 10_000,
  /** The address of a page is good for this long. */
  trinoPageMs: 3_600_000,
  /** From when a part of it was read last. */
  followedResultMs: 900_000,
  /** In one list: a request reads the results of all at once, and a Worker has six connections open at a time. */
  blendedQueriesMax: 5,
  asyncQueriesSweptMax: 100,
  asyncQueriesSweptAtOnceMax: 10,
  /** For one query: two answers of its lake's catalog, and one of its engine. */
  asyncQuerySweepMs: 30_000,
  asyncQueriesForgottenPerSweepMax: 500,
} as const;

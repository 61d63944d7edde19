// Bounds of asynchronous queries, and of statements that are held for their clients.

export const ASYNC_QUERY_LIMITS = {
  /** A caller may wait so long for an answer before it is a 202. */
  waitMsMax: 60_000,
  /** A team may have so many asynchronous queries running. */
  runningMax: 50,
  keptMax: 10_000,
  resultBytesPerTeamMax: 50 * 1024 * 1024 * 1024,
  resultBytesMax: 1024 * 1024 * 1024,
  /** A query is kept for so long after its end; the result with it. */
  keptMs: 86_400_000,
  /** A query that no engine has said to run by then has not begun, or is lost: three starts of an engine. */
  startMs: 150_000,
  /** So long after a query's deadline the engine stores nothing any more, and reports; then nobody does. */
  graceMs: 300_000,
  /** So long after its deadline a write ends as not known whose lake cannot say by then whether it was written. */
  writeSettledMs: 3_600_000,
  /** One request waits so long for a query that its caller asks for again until the result is there. */
  repeatedQueryWaitMs: 5_000,
  /** A repeated query's run is cancelled when nobody has asked for this long. */
  repeatedQueryLeaseMs: 30_000,
  /** A repeated query's result is kept for so long: later it is not of use to whoever asks again. */
  repeatedQueryResultMs: 60_000,
  /** A statement that writes begins when its client asks for it, or never after this long. */
  heldStatementMs: 120_000,
  heldStatementsPerUserMax: 20,
  /** The first answer has so many bytes of rows at most, where a statement has ended by then. */
  trinoAnsweredBytes: 256 * 1024,
  /** An engine that reports on a query waits so long for its row, which comes soon after the query began. */
  rowMs: 2_000,
  /** The address of a page is good for this long. */
  trinoPageMs: 3_600_000,
  /** A result that is followed is kept for so long after a part of it was read last. */
  followedResultMs: 900_000,
  sweptMax: 100,
  sweptAtOnceMax: 10,
  /** One query takes the sweep so long: two answers of its lake's catalog, and one of its engine. */
  sweepMs: 30_000,
  forgottenPerSweepMax: 500,
} as const;

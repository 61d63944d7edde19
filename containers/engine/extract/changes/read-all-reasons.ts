// A `merge` reads a whole table, instead of its changes, for one of these reasons. Each reason has a code, which the
// engine goes by, and a note for people, which the run gives. Null is a reason that needs no note, because it is what
// anybody expects or because other notes say it already.

const NOTES = {
  // ── Decided before the source is looked at: `jobs/sync/sync-table.ts` ──
  overwrite: null,
  noKey: "It has no primary key, nor another unique one that is never NULL, so every run replaces it as a whole.",

  // ── The source can't say what changed: `sources/postgres/extraction/changed-rows.ts` ──
  untracked: (reason: string) => `${reason} All of it is read.`,
  noEarlierRun: "There is no earlier run to go by: all of it is read.",
  clusterUnknown: "This role may not ask which cluster the server belongs to (pg_control_system): all of it is read.",
  otherDatabase: "The source is another database than at the last run: all of it is read.",
  otherTimeline: "The server has been restored or another has taken over since the last run: all of it is read.",
  serverBehind: "The server lies behind the one the last run read: all of it is read.",
  tableRecreated: "The table was dropped and created since the last run: all of it is read.",
  columnsOrPartitionsChanged: "The table's columns or partitions changed since the last run: all of it is read.",
  tooManyTransactions:
    "More transactions than PostgreSQL can tell apart have passed since the last run: all of it is read.",

  // ── … or `sources/mysql/extraction/range-digests.ts` ──
  keyless: "It has no key: all of it is read.",
  keyWithoutRanges: "Its key has a column whose ranges can't be told: all of it is read.",
  outgrownRanges: "It has grown to many times its size: its ranges are cut anew.",

  // ── … or `sources/sqlserver/extraction/` ──
  withoutSnapshots: "The database keeps no snapshots, in which changes could be told: all of it is read.",
  inMemory: "It is kept in memory, where changes can't be told: all of it is read.",
  trackingLapsed:
    "Changes since the last run are tracked no more: they were cleaned up, or the table was truncated. All of it is read.",
  trackingRestarted: "The table's changes are tracked anew since the last run: all of it is read.",
  otherMarks: "The server tells changes in another way than at the last run: all of it is read.",

  // ── … or `sources/snowflake/extraction/`, `sources/bigquery/extraction/` ──
  notOfOneMoment: null,
  notComparable:
    "It has a column of a type whose values Snowflake can't be asked to compare, and no change tracking. " +
    "All of it is read.",
  otherRole: "Another role read it at the last run. All of it is read.",
  trackingTooShort: (error: string) =>
    `Its change tracking does not reach back to the last run: ${error} All of it is read.`,

  // ── … or `sources/redshift/extraction/` ──
  notHashable:
    "It is no table of the database's own, or has a column whose values can't be hashed there: all of it is read.",

  // ── … or `sources/digests/` ──
  notHashed: (reason: string) => `The database could not hash its rows (${reason}): all of it is read.`,
  hashedOtherwise:
    "The database does not hash, add up or divide constants as it should, so its digests can't be trusted: " +
    "all of it is read.",

  // ── Where keys are declared and not held to ──
  keyNotUnique: "Its declared key is not unique in it, and rows that changed can't be told by it: all of it is read.",

  // ── There is nothing to compare it with, or too much has changed: `find-changes.ts` of a kind, and of jobs/sync ──
  firstRun: null,
  noCursorValue: null,
  engineWithoutTransactions: null,
  keysSummedOtherwise: "This version of the engine sums keys otherwise than the last run: all of it is read.",
  columnsChanged: "The table's columns changed since the last run: all of it is read.",
  manyRangesChanged: (changed: number, rows: number) =>
    `Ranges with ${changed} of its ${rows} rows have changed: all of it is read.`,

  // ── The run or the lake's table wants it: `jobs/sync/merge/check-mergeable.ts` ──
  askedInFull: null,
  noLakeTable: null,
  notWrittenBySync: null,
  valuesReadOtherwise: null,
  columnsDiffer: null,
  appendedBefore: "Rows were appended to it before, beside what they were earlier. So all of it is read.",

  // ── Found while merging, before anything is committed: `jobs/sync/merge/` ──
  cursorValueGone: (column: string, value: string) =>
    `The last run's largest ${column}, ${value}, is gone at the source: all of it is read.`,
  manyRowsChanged: "Many of its rows have changed: all of it is read.",
  sameKeysInLake:
    "Some of its keys are the same in the lake, and rows that changed can't be told by them: all of it is read.",
  namedRowsDiffer: (named: number, sent: number) =>
    `The source named ${named} rows that changed and sent ${sent} of them. All of it is read.`,
  rowCountsDiffer: (lake: number, source: number) =>
    `The lake would have had ${lake} rows and not the source's ${source}. All of it is read.`,
  keysDiffer: "The lake would have had other keys than the source. All of it is read.",
  tooManyFiles: (files: number, filesMax: number) =>
    `Its changes are spread over ${files} files, and one commit takes ${filesMax}: all of it is read.`,
  outOfCapacity: "Telling what has changed took more memory or disk than there is: all of it is read.",

  // ── Said by the run before, which could leave nothing to compare with: `jobs/sync/changes/`, `jobs/sync/commit/` ──
  keySumsDiffer: "The server's sum of the keys is not that of the rows it sent, so the next run reads all of it again.",
  baselineTooLarge:
    "What tells which of its rows change is too large to be kept, for its keys are long and many: " +
    "each run reads the table in full.",
} satisfies Record<string, Note>;

type Note = string | null | ((...details: never[]) => string);
export type ReadAllCode = keyof typeof NOTES;
export type ReadAllReason<N extends string | null = string | null> = { code: ReadAllCode; note: N };

type ReasonOf<N extends Note> = N extends (...details: infer Details) => string
  ? (...details: Details) => ReadAllReason<string>
  : ReadAllReason<Extract<N, string | null>>;

const reasonOf = (code: ReadAllCode, note: Note) =>
  typeof note === "function"
    ? (...details: never[]): ReadAllReason => ({ code, note: note(...details) })
    : { code, note };

/** Every reason by its code; of some a function of what the note names. */
export const READ_ALL = Object.fromEntries(
  Object.entries(NOTES).map(([code, note]) => [code, reasonOf(code as ReadAllCode, note)]),
) as { [Code in ReadAllCode]: ReasonOf<(typeof NOTES)[Code]> };

/** A merge is given up, with nothing committed, and the whole table read instead. `note` is for the run's notes. */
export class ReadAllInstead extends Error implements ReadAllReason {
  readonly code: ReadAllCode;
  readonly note: string | null;

  constructor({ code, note }: ReadAllReason) {
    super(note ?? code);
    this.code = code;
    this.note = note;
  }
}

// The bench of catalogs measured these figures on two cores of an Intel Xeon at 2.8 GHz, 2026-11-29: the real object in
// workerd, with files of ten columns.

/**
 * What a call of the object took: CPU of the whole runtime, and rows it read and wrote. That of one table is the slower
 * of two runs; a thousand tables had one, after which a commit was mended, whose rows are those of a smaller lake.
 */
type Took = readonly [cpuMs: number, rowsRead: number, rowsWritten: number];

/** With `--files 1000000`: in one table, and in a thousand tables, of which the call is about one. */
type Measured = { oneTable: Took; thousandTables: Took };

export const FILES = 1e6;
export const TABLES = 1_000;

export const MEASURED = {
  "commit of one file": { oneTable: [10, 85, 66], thousandTables: [10, 88, 66] },
  "description of the table": { oneTable: [10, 1_033, 0], thousandTables: [100, 26_009, 0] },
  "plan by a predicate that leaves one file": { oneTable: [5_950, 2_000_219, 0], thousandTables: [30, 2_222, 0] },
  "plan by predicates on two columns": { oneTable: [10_510, 3_000_332, 0], thousandTables: [20, 3_336, 0] },
  "list of tables": { oneTable: [840, 2_000_255, 0], thousandTables: [830, 2_049_206, 0] },
  "the table's snapshots": { oneTable: [3_520, 12_003_175, 0], thousandTables: [30, 43_589, 0] },
  "a step of a compaction's plan": { oneTable: [430, 100_011, 1], thousandTables: [110, 9_114, 1] },
  "exact statistics of a column": { oneTable: [9_650, 3_000_441, 0], thousandTables: [210, 56_997, 0] },
  "overwrite of the table": { oneTable: [4_980, 4_000_471, 2_000_225], thousandTables: [10, 5_473, 2_225] },
  "a step of expiry": { oneTable: [300, 175_956, 80_210], thousandTables: [10, 9_011, 2_000] },
} as const satisfies Record<string, Measured>;

/**
 * By how much the runtime's memory rose for a call about a table of so many files: the larger of two runs. It depends
 * on what earlier calls have left; the others said 56 MB for a plan of 90,000 files, and 101 MB for the statistics.
 */
export const MEMORY = {
  wholePlan: { call: "plan of a whole table, an answer of 16 MB", files: 100_000, mb: 115 },
  statistics: { call: "exact statistics of a column", files: 1e6, mb: 149 },
} as const;

// A lake's verdict says how well it is, and what to do where it is not, from the figures of its catalog, its objects
// and its last maintenance. Pure.

import type { ObjectTally } from "../../../platform/db/schema/schema.ts";
import type { FileFigures, LakeFigures, TableFigures } from "../../../../kernel/lake/figures.ts";

/** From the best to the worst. */
export const GRADES = ["good", "fair", "poor"] as const;
export type Grade = (typeof GRADES)[number];

export const FINDINGS = [
  "small_files",
  "deleted_rows",
  "many_snapshots",
  "overdue_deletions",
  "orphans",
  "maintenance_failed",
  "left_alone",
  "tests_failed",
  "tests_warned",
  "not_built",
] as const;

/** A fault of a lake, and its remedy, in words. */
export type Finding = { code: (typeof FINDINGS)[number]; grade: Grade; message: string };
export type Verdict = { grade: Grade; findings: Finding[] };

/** From how much on each costs queries or storage something, and from how much on it costs much. */
const BOUNDS = {
  /** Each is opened by itself; maintenance itself leaves a few, each larger than those beside it together. */
  smallFiles: { fair: 20, poor: 500 },
  smallShare: 0.5,
  /** The share of a table's rows that each query reads and throws away. */
  deleteRatio: { fair: 0.2, poor: 0.5 },
  deletedRowsMin: 1_000,
  snapshots: { fair: 2_000, poor: 20_000 },
  orphanShare: 0.1,
  orphanBytesMin: 64 * 1024 * 1024,
  /** Collection goes round every day. */
  roundMs: 3 * 86_400_000,
} as const;

/** The tally of a lake's objects at the last whole look, and its instant; null before the first. */
export type SeenObjects = { tally: ObjectTally; at: string } | null;
/** The last maintenance that ended; null where none has. */
export type LastMaintenance = { kind: "full" | "daily"; state: string } | null;

/** A table that a doc builds, by its last build. */
type BuiltTable = TableName & { testsFailed: number; testsWarned: number; overdueSince: string | null };
type TableName = Pick<TableFigures, "schema" | "name">;
/** `leftAlone`: the tables that none of the last maintenances came to. */
type Facts = {
  figures: LakeFigures;
  objects: SeenObjects;
  lastMaintenance: LastMaintenance;
  leftAlone?: readonly TableName[];
  builtTables?: readonly BuiltTable[];
  now: Date;
};

export function judgeLake({
  figures,
  objects,
  lastMaintenance,
  leftAlone = [],
  builtTables = [],
  now,
}: Facts): Verdict {
  const findings = [
    judgeSmallFiles(figures.worst),
    judgeDeletes(figures.worst),
    judgeSnapshots(figures.snapshots.count),
    judgeSchedule(figures.scheduled.dueFiles, objects, now),
    judgeOrphans(figures.bytes, objects),
    judgeMaintenance(lastMaintenance),
    judgeLeftAlone(leftAlone),
    ...judgeBuilt(builtTables),
  ].filter((finding) => finding.grade !== "good");
  return { grade: worstOf(findings.map(({ grade }) => grade)), findings };
}

/** A table by itself: its small files and its deleted rows. */
export const gradeTable = (table: FileFigures): Grade => worstOf([gradeSmallFiles(table), gradeDeletes(table)]);

export const smallShareOf = ({ files, smallFiles }: FileFigures): number => (files === 0 ? 0 : smallFiles / files);
export const deleteRatioOf = ({ rows, deletedRows }: FileFigures): number => (rows === 0 ? 0 : deletedRows / rows);

const worstOf = (grades: Grade[]): Grade => GRADES[Math.max(0, ...grades.map((grade) => GRADES.indexOf(grade)))]!;

const gradeBy = (value: number, { fair, poor }: { fair: number; poor: number }): Grade =>
  value >= poor ? "poor" : value >= fair ? "fair" : "good";

const gradeSmallFiles = (table: FileFigures): Grade =>
  smallShareOf(table) < BOUNDS.smallShare ? "good" : gradeBy(table.smallFiles, BOUNDS.smallFiles);

const gradeDeletes = (table: FileFigures): Grade =>
  table.deletedRows < BOUNDS.deletedRowsMin ? "good" : gradeBy(deleteRatioOf(table), BOUNDS.deleteRatio);

function judgeSmallFiles(tables: TableFigures[]): Finding {
  const found = tables.filter((table) => gradeSmallFiles(table) !== "good");
  const message =
    `${nameTables(found)} many small files, and a query opens each of them. Run \`daily\` maintenance, best by a ` +
    "schedule: it merges them.";
  return { code: "small_files", grade: worstOf(found.map(gradeSmallFiles)), message };
}

function judgeDeletes(tables: TableFigures[]): Finding {
  const found = tables.filter((table) => gradeDeletes(table) !== "good");
  const message =
    `${nameTables(found)} many deleted rows, which queries read and leave out. Run \`full\` maintenance: it writes ` +
    "files anew whose share of deleted rows is past the option `rewrite_delete_threshold`. Where that changes nothing, " +
    "lower the option.";
  return { code: "deleted_rows", grade: worstOf(found.map(gradeDeletes)), message };
}

function judgeSnapshots(snapshots: number): Finding {
  const message =
    `${snapshots} snapshots are kept, and with them every file that one of them reads. Run \`full\` maintenance: it ` +
    "expires those older than the option `expire_older_than`, but for the newest `retain_last`. Where that changes " +
    "nothing, shorten these.";
  return { code: "many_snapshots", grade: gradeBy(snapshots, BOUNDS.snapshots), message };
}

function judgeSchedule(dueFiles: number, objects: SeenObjects, now: Date): Finding {
  const isLate = objects !== null && now.getTime() - Date.parse(objects.at) > BOUNDS.roundMs;
  const message =
    `${dueFiles} files are due for deletion, and the daily collection has not come round since ${objects?.at}. Run ` +
    "`daily` maintenance, and let an operator see whether the platform's clock ticks.";
  return { code: "overdue_deletions", grade: dueFiles > 0 && isLate ? "fair" : "good", message };
}

function judgeOrphans(bytes: LakeFigures["bytes"], objects: SeenObjects): Finding {
  const { objects: count, bytes: orphaned } = objects?.tally.orphaned ?? { objects: 0, bytes: 0 };
  const isMuch = orphaned >= (bytes.current + bytes.keptForSnapshots) * BOUNDS.orphanShare;
  const message =
    `The last collection found ${count} objects (${orphaned} bytes) that nothing names, and deleted them: uploads ` +
    "that no commit followed. See why syncs or statements fail between the two.";
  return { code: "orphans", grade: isMuch && orphaned >= BOUNDS.orphanBytesMin ? "fair" : "good", message };
}

function judgeMaintenance(last: LastMaintenance): Finding {
  const isBad = last?.state === "failed" || last?.state === "timed_out";
  const how = last?.state === "failed" ? "failed" : "ran out of time";
  const message = `The last ${last?.kind} maintenance ${how}. Read its log (\`job-logs/last-failed\`), and run it again.`;
  return { code: "maintenance_failed", grade: isBad ? "fair" : "good", message };
}

function judgeLeftAlone(tables: readonly TableName[]): Finding {
  const message =
    `${nameTables(tables)} been left alone by each of the last maintenances: a sync, or a statement that writes, was at ` +
    "work there each time, and those go first. Let the sync run less often, or maintain the lake when it rests.";
  return { code: "left_alone", grade: tables.length > 0 ? "fair" : "good", message };
}

function judgeBuilt(tables: readonly BuiltTable[]): Finding[] {
  const find = (code: Finding["code"], isMet: (table: BuiltTable) => boolean, rest: string): Finding => {
    const found = tables.filter(isMet);
    return { code, grade: found.length > 0 ? "fair" : "good", message: `${nameTables(found)} ${rest}` };
  };
  const read = "`GET /v4/docs/{doc_id}/runs/{run_id}/tables` has the rows.";
  return [
    find("tests_failed", (table) => table.testsFailed > 0, `tests that fail, and the rows of before. ${read}`),
    find("tests_warned", (table) => table.testsFailed === 0 && table.testsWarned > 0, `tests that warn. ${read}`),
    find(
      "not_built",
      (table) => table.overdueSince !== null,
      "not been built for longer than the schedule of the doc says. See the runs of its job.",
    ),
  ];
}

const NAMED_MAX = 3;

function nameTables(tables: readonly TableName[]): string {
  const named = tables.slice(0, NAMED_MAX).map(({ schema, name }) => `${schema}.${name}`);
  const more = tables.length - named.length;
  if (more > 0) return `${named.join(", ")} and ${more} more tables have`;
  return `${named.join(" and ")} ${named.length === 1 ? "has" : "have"}`;
}

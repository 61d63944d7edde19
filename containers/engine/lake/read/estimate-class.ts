// A statement is taken for short or long, and for so small that one thread does, by the bytes that it may scan at most.
// This is a guess: a statement that was taken for short and is not runs anew as long, or gives way. Pure.

import type { LakeColumn, LakeTable } from "../../../../kernel/lake/lake.ts";
import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import type { OpenPlan } from "../sql/relations.ts";

/**
 * Bytes of compressed Parquet that two threads scan in some tens of milliseconds; CSV of this size takes them a
 * hundred.
 */
const SHORT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * DuckDB gives a thread at least a row group of a file, of 122,880 rows, and what needs no file (ranges, joins that
 * multiply) it gives to one anyway. With two row groups a second thread saves a millisecond, and takes three of other
 * statements. Whole files count, whatever columns are read: all statements over the same files have the same databases.
 */
const ONE_THREAD = { bytesMax: 3 * 1024 * 1024, rowsMax: 2 * 122_880 };

/** The tables that a statement has opened, with their plans. */
export type OpenedTables = { tables: readonly LakeTable[]; plans: readonly OpenPlan[] };

export type Estimate = { statementClass: StatementClass; isForOneThread: boolean };

/** `body`: the statement. `driveBytes`: of the drive's files that it reads. A statement that reads neither is short. */
export function estimate(body: string, opened: readonly OpenedTables[], driveBytes: number): Estimate {
  const whole = { bytes: 0, rows: 0 };
  let bytesRead = driveBytes;
  const words = readWords(body);
  for (const { tables, plans } of opened) {
    for (const [i, plan] of plans.entries()) {
      const { bytes, rows } = sizeOf(plan);
      bytesRead += shareOfColumns(words, tables[i]!) * bytes;
      whole.bytes += bytes;
      whole.rows += rows;
    }
  }
  return {
    statementClass: bytesRead <= SHORT_BYTES_MAX ? "short" : "long",
    isForOneThread: whole.bytes <= ONE_THREAD.bytesMax && whole.rows <= ONE_THREAD.rowsMax,
  };
}

/** The size of a table; rows that are only counted are not scanned. */
function sizeOf({ files, rows }: OpenPlan): { bytes: number; rows: number } {
  if (rows !== undefined) return { bytes: 0, rows: 0 };
  const all = files.flatMap(({ deletes, ...file }) => (deletes ? [file, deletes] : [file]));
  return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), rows: all.reduce((sum, { rows }) => sum + rows, 0) };
}

/** Columns whose names do not occur are not read, unless a star stands for them. Conditions may read any. */
function shareOfColumns({ words, hasStar }: Words, { columns, view }: LakeTable): number {
  if (columns.length === 0 || view !== "whole" || hasStar) return 1;
  const isNamed = ({ name }: LakeColumn): boolean => wordsOf(name).every((word) => words.has(word));
  return columns.filter(isNamed).length / columns.length;
}

type Words = { words: ReadonlySet<string>; hasStar: boolean };

const wordsOf = (sql: string): string[] => sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** `FROM t` alone means `SELECT * FROM t`. A star behind an operand is a product, and `count(*)` reads nothing. */
function readWords(sql: string): Words {
  const words = new Set(wordsOf(sql));
  const stars = sql.replace(/\bcount\s*\(\s*\*\s*\)/gi, "");
  return { words, hasStar: !words.has("select") || /(?:\bselect|\bdistinct|[,.(])\s*\*/i.test(stars) };
}

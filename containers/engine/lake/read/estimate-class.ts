// Whether a statement is short or long, from what it may scan at most. A guess: what is guessed short and is not runs
// anew as long, or gives way. Pure.

import type { LakeColumn, LakeTable } from "../../contract/lake.ts";
import type { StatementClass } from "../../core/statement-class.ts";
import type { OpenPlan } from "../sql/relations.ts";

/** Of Parquet, compressed: what two threads scan in some tens of milliseconds. */
const SHORT_BYTES_MAX = 16 * 1024 * 1024;

/** What is known of the tables that a statement has opened. */
export type OpenedTables = { tables: readonly LakeTable[]; plans: readonly OpenPlan[] };

/** `body`: the statement. What reads no table is short. */
export function classOf(body: string, opened: readonly OpenedTables[]): StatementClass {
  let bytes = 0;
  const words = readWords(body);
  for (const { tables, plans } of opened)
    for (const [i, plan] of plans.entries()) bytes += shareOfColumns(words, tables[i]!) * bytesOf(plan);
  return bytes <= SHORT_BYTES_MAX ? "short" : "long";
}

/** One whose rows are only counted is not scanned. */
function bytesOf({ files, rows }: OpenPlan): number {
  if (rows !== undefined) return 0;
  return files.reduce((sum, { bytes, deletes }) => sum + bytes + (deletes?.bytes ?? 0), 0);
}

/** Columns whose names do not occur are not read, unless a star stands for them. Conditions may read any. */
function shareOfColumns({ words, hasStar }: Words, { columns, view }: LakeTable): number {
  if (columns.length === 0 || view || hasStar) return 1;
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

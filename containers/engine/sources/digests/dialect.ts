// A dialect writes the SQL with which a kind of database hashes a table; `find-changes.ts` makes statements of it.

import type { SourceColumn } from "../../extract/source-table.ts";
import type { SnapshotRows } from "../row-collector.ts";

/**
 * All texts are SQL expressions over the table's columns, except where it says otherwise. `fetchRows` answers in the
 * snapshot that the rows are read from.
 */
export type DigestDialect = SnapshotRows & {
  /** The table as a FROM clause names it, without an alias. */
  from: string;
  /** `COUNT(*)`, where another expression is needed for more than two billion rows. */
  count?: string;
  /**
   * All columns of a row as one text, or as bytes: rows that differ in the lake have different texts. Therefore numbers
   * have all their digits, a text comes after its length or as its own hash, and NULL is like no value.
   */
  rowText: string;
  /**
   * A column of the key as DuckDB prints the lake's column of it, never NULL; undefined where that can't be had, then
   * the table is read as a whole at each run.
   *
   * | lake | text |
   * |---|---|
   * | int…, decimal | digits, all of the scale's; no zero before the point where all digits are behind it |
   * | boolean, uuid | `true`, `false`; small letters |
   * | date, timestamp, timestamptz | `2026-01-31`, `2026-01-31 10:00:00.5`, `2026-01-31 10:00:00.5+00` (in UTC): the
   * fraction without zeros at its end, and without its point where it is nothing |
   * | varchar, json | how many bytes of UTF-8 it has, a blank, the text: `3 abc` |
   * | blob | hexadecimal digits in capitals |
   *
   * NULL is `N`, of a text ` `.
   */
  keyText(column: SourceColumn): string | undefined;
  /** The texts with commas between. */
  joinTexts(texts: readonly string[]): string;
  /** For a first column of the key whose values are whole numbers, dates or times; undefined for others. */
  ordinal(column: SourceColumn): Ordinal | undefined;
  /**
   * How often `by`, a power of two, goes into a whole number that is not negative: exact, however large the number is.
   */
  divide(number: string, by: bigint): string;
  /** SHA-256 of a text's bytes in UTF-8, or of bytes, in the form that the next two take. */
  hash(text: string): string;
  /** The first so many hexadecimal digits of a hash, in small letters. */
  firstDigits(hash: string, count: number): string;
  /**
   * Two aggregates: sums of the first 64 bits of each hash and of the next 64, as numbers without a sign, highest byte
   * first. They hold the sum of a trillion.
   */
  sumHashes(hash: string): [first: string, second: string];
};

/** Whole numbers in the order of a column's values. */
export type Ordinal = {
  /**
   * The expression has the widest type of whole numbers, and is NULL for NULL. `one` is the number itself, `day` the
   * days since 1970, `second` the seconds since 1970 in UTC, rounded down.
   */
  sql: string;
  unit: "one" | "day" | "second";
  /**
   * The side of a comparison that meets the literals: the column itself, so that the database can use its index or
   * partitions.
   */
  compared: string;
  /** Writes a value of the column, given `123`, `2026-01-31` or `2026-01-31 10:00:00`, in UTC. */
  literal(text: string): string;
};

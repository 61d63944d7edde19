// A table's column statistics, merged from its files'. Pure. In doubt a bound is unknown: a wrong one would lose rows.

import type { ColumnStatistics } from "../../../kernel/lake/commit.ts";
import { type BoundOrder, isFloat, scalarType } from "../../../kernel/lake/lake-types.ts";

/** What is known of a column over all files of its table; `null` is unknown. */
export type ColumnSummary = {
  containsNull: boolean | null;
  containsNan: boolean | null;
  min: string | null;
  max: string | null;
};

/**
 * Adds one file's statistics of a column to the table's. `summary` is undefined while the table has no rows, `file`
 * when the writer sent none. Bounds are strings in the specification's encoding of `type`.
 */
export function mergeColumn(
  type: string,
  summary: ColumnSummary | undefined,
  file: ColumnStatistics | undefined,
): ColumnSummary {
  if (!file) return { containsNull: null, containsNan: null, min: null, max: null };
  const added: ColumnSummary = {
    containsNull: file.nulls > 0,
    containsNan: isFloat(type) ? file.containsNan : null,
    min: file.min,
    max: file.max,
  };
  if (!summary) return added;
  const hasValues = file.values > file.nulls;
  return {
    containsNull: either(summary.containsNull, added.containsNull),
    containsNan: either(summary.containsNan, added.containsNan),
    min: hasValues ? bound(type, summary.min, added.min, -1) : summary.min,
    max: hasValues ? bound(type, summary.max, added.max, 1) : summary.max,
  };
}

/**
 * What is known of a column over some files, undefined for one that says nothing of it; undefined without files. Files
 * of nulls alone come last: they have no bounds to begin with, and take none away.
 */
export function mergeFiles(type: string, files: readonly (ColumnStatistics | undefined)[]): ColumnSummary | undefined {
  const isEmpty = (file: ColumnStatistics | undefined): number =>
    Number(file !== undefined && file.values === file.nulls);
  return files
    .toSorted((left, right) => isEmpty(left) - isEmpty(right))
    .reduce<ColumnSummary | undefined>((summary, file) => mergeColumn(type, summary, file), undefined);
}

/** Three-valued or. */
function either(left: boolean | null, right: boolean | null): boolean | null {
  if (left || right) return true;
  return left === null || right === null ? null : false;
}

function bound(type: string, left: string | null, right: string | null, side: -1 | 1): string | null {
  if (left === null || right === null) return null;
  const order = compareValues(type, left, right);
  if (order === undefined) return null;
  return order === side || order === 0 ? left : right;
}

type Comparer = (left: string, right: string) => -1 | 0 | 1 | undefined;

/** -1, 0 or 1 in the order of `type`; undefined where the texts can't be compared for certain. */
export const compareValues = (type: string, left: string, right: string): -1 | 0 | 1 | undefined =>
  comparerOf(type)(left, right);

/** {@link compareValues} for many values of one type. */
export function comparerOf(type: string): Comparer {
  const compare = COMPARERS[scalarType(type)?.order ?? "none"];
  return (left, right) => (left === right ? 0 : compare(left, right));
}

function compareBy<Value extends bigint | number>(
  read: (text: string) => Value | undefined,
  left: string,
  right: string,
): -1 | 0 | 1 | undefined {
  const [a, b] = [read(left), read(right)];
  if (a === undefined || b === undefined) return undefined;
  return order(a, b);
}

const wholeNumber = (text: string): bigint | undefined => (/^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined);

/** Sign and digits of an integer that a JavaScript number holds exactly, and compares much faster than a bigint. */
const SAFE_CHARACTERS = 15;

const WHOLE = /^-?\d+$/;

function compareWhole(left: string, right: string): -1 | 0 | 1 | undefined {
  if (left.length > SAFE_CHARACTERS || right.length > SAFE_CHARACTERS) return compareBy(wholeNumber, left, right);
  return WHOLE.test(left) && WHOLE.test(right) ? order(Number(left), Number(right)) : undefined;
}

const order = <Value extends bigint | number | string>(left: Value, right: Value): -1 | 0 | 1 =>
  left < right ? -1 : left > right ? 1 : 0;

/** The specification's form, and DuckDB's own. */
const truth = (text: string): number | undefined => ({ "0": 0, "1": 1, false: 0, true: 1 })[text];

function float(text: string): number | undefined {
  if (/^-?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const value = /^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** Decimals are compared as whole numbers of their finer scale, never as doubles. */
function compareDecimals(left: string, right: string): -1 | 0 | 1 | undefined {
  const [a, b] = [left, right].map((text) => text.split(".")) as [string[], string[]];
  const scale = Math.max(a[1]?.length ?? 0, b[1]?.length ?? 0);
  const unscaled = ([whole = "", fraction = ""]: string[]): string => whole + fraction.padEnd(scale, "0");
  return a.length > 2 || b.length > 2 ? undefined : compareWhole(unscaled(a), unscaled(b));
}

/**
 * DuckDB orders text by its bytes; UTF-16 code units put what lies beyond them, as an emoji, below U+E000 to U+FFFF.
 */
function compareText(left: string, right: string): -1 | 0 | 1 {
  if (!BEYOND.test(left) || !BEYOND.test(right)) return order(left, right);
  const [a, b] = [left, right].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  if (at === -1) return order(a.length, b.length);
  return order(a[at]!, b[at] ?? -1);
}

/** Where the two orders can differ there is such a code unit on both sides. */
const BEYOND = /[\uD800-\uFFFF]/;

/** Dates and times of four-digit years in UTC sort as text. Others, and infinities beside them, are left undecided. */
const PLAIN_INSTANT = /^(?<date>\d{4}-\d\d-\d\d)?(?<time> ?\d\d:\d\d:\d\d)?(?<fraction>\.\d+)?(\+00(:00)?)?$/;

function compareInstants(left: string, right: string): -1 | 0 | 1 | undefined {
  const [a, b] = [left, right].map((text) => PLAIN_INSTANT.exec(text)?.groups);
  const isAlike =
    a && b && (a.date === undefined) === (b.date === undefined) && (a.time === undefined) === (b.time === undefined);
  if (!isAlike) return undefined;
  const plain = ({ date = "", time = "", fraction = "" }: Record<string, string | undefined>): string =>
    date + time + fraction.replace(/\.?0+$/, "");
  return compareText(plain(a), plain(b));
}

const COMPARERS: Record<BoundOrder, Comparer> = {
  truth: (left, right) => compareBy(truth, left, right),
  whole: compareWhole,
  decimal: compareDecimals,
  float: (left, right) => compareBy(float, left, right),
  text: compareText,
  hex: (left, right) => compareText(left.toLowerCase(), right.toLowerCase()),
  instant: compareInstants,
  none: () => undefined,
};

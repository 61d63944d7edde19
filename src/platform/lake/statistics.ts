// A table's column statistics, merged from its files'. Pure. In doubt a bound is unknown: a wrong one would lose rows.

import type { ColumnStatistics } from "../../../containers/engine/lake-protocol.ts";
import { isFloat } from "./column-types.ts";

/** What is known of a column over all files of its table; `null` is unknown. */
export type ColumnSummary = { containsNull: boolean | null; containsNan: boolean | null; min: string | null; max: string | null };

/**
 * Adds one file's statistics of a column to the table's. `summary` is undefined while the table has no rows, `file` when
 * the writer sent none. Bounds are strings in the specification's encoding of `type`.
 */
export function mergeColumn(type: string, summary: ColumnSummary | undefined, file: ColumnStatistics | undefined): ColumnSummary {
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

/** -1, 0 or 1 in the order of `type`; undefined where the texts can't be compared for certain. */
export function compareValues(type: string, left: string, right: string): -1 | 0 | 1 | undefined {
  if (left === right) return 0;
  if (/^u?int\d+$/.test(type) || type === "boolean") return compareBy(wholeNumber, left, right);
  if (type.startsWith("decimal")) return compareDecimals(left, right);
  if (isFloat(type)) return compareBy(float, left, right);
  if (type === "varchar" || type === "json") return compareText(left, right);
  if (type === "uuid" || type === "blob") return compareText(left.toLowerCase(), right.toLowerCase());
  if (type === "date" || type.startsWith("time")) return compareInstants(left, right);
  return undefined;
}

function compareBy<Value extends bigint | number>(read: (text: string) => Value | undefined, left: string, right: string) {
  const [a, b] = [read(left), read(right)];
  if (a === undefined || b === undefined) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

const wholeNumber = (text: string): bigint | undefined => (/^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined);

function float(text: string): number | undefined {
  if (/^-?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const value = /^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** Decimals are compared as whole numbers of their finer scale, never as doubles. */
function compareDecimals(left: string, right: string) {
  const scale = Math.max(...[left, right].map((text) => text.split(".")[1]?.length ?? 0));
  const unscaled = (text: string): bigint | undefined => {
    const [whole = "", fraction = ""] = text.split(".");
    return wholeNumber(whole + fraction.padEnd(scale, "0"));
  };
  return compareBy(unscaled, left, right);
}

/** DuckDB orders text by its bytes; UTF-16 code units would put an emoji below U+FFFD. */
function compareText(left: string, right: string): -1 | 0 | 1 {
  const [a, b] = [left, right].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

/** Dates and times of four-digit years in UTC sort as text. Others, and infinities beside them, are left undecided. */
const PLAIN_INSTANT = /^(\d{4}-\d\d-\d\d)?( ?\d\d:\d\d:\d\d(\.\d+)?)?(\+00(:00)?)?$/;

function compareInstants(left: string, right: string): -1 | 0 | 1 | undefined {
  if (!PLAIN_INSTANT.test(left) || !PLAIN_INSTANT.test(right)) return undefined;
  const plain = (text: string): string => text.replace(/\+00(:00)?$/, "");
  return compareText(plain(left), plain(right));
}

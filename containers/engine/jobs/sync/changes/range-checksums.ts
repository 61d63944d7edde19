// The keys of a table, a checksum for each range of its first key column: where two checksums differ is where to look
// in the lake.

import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { PLANNED } from "../../../../../kernel/lake/constants.ts";
import type { LakeColumn, Predicate } from "../../../../../kernel/lake/lake.ts";
import {
  addChecksums,
  isSameChecksum,
  KeyChecksum,
  EMPTY_CHECKSUM,
  checksumGroups,
  type Digest,
} from "../../../extract/changes/key-checksum.ts";

/**
 * `width`: of a range, a power of two, in the measure of the column. `sums` are by the range's number, keys that have
 * no ordinal under "". Earlier versions named no `digest`.
 */
export const RangeChecksums = z.object({
  width: z.string().regex(/^\d+$/),
  digest: z.string().default("md5"),
  sums: z.record(z.string(), KeyChecksum),
});
export type RangeChecksums = z.infer<typeof RangeChecksums>;

/** The checksums of no keys, valid for any digest. */
export const NO_CHECKSUMS: RangeChecksums = { width: "1", digest: "", sums: {} };

const NO_ORDINAL = "";
/** About as many ranges as a table has files, few enough to be kept with each table. */
const RANGES_MAX = 400;
const ROWS_PER_RANGE = 20_000;
const INTEGER = /^(u?int(8|16|32|64)|decimal\(\d+, ?0\))$/;

/**
 * A column's values as whole numbers in their order: the values themselves, days or microseconds. Undefined for other
 * types, for which the whole table is one range.
 */
function ordinalOf({ name, type }: LakeColumn): string | undefined {
  const column = quoteIdentifier(name);
  if (type === "uint64") return column;
  if (type.startsWith("decimal")) return INTEGER.test(type) ? `${column}::HUGEINT` : undefined;
  if (INTEGER.test(type)) return `${column}::BIGINT`;
  if (type === "date") return `CASE WHEN isfinite(${column}) THEN (${column} - DATE '1970-01-01')::BIGINT END`;
  if (type === "timestamp" || type === "timestamptz")
    return `CASE WHEN isfinite(${column}) THEN epoch_us(${column}) END`;
  return undefined;
}

/** Whether rows can be found by a range of the column's values. */
export const hasRanges = (column: LakeColumn): boolean => ordinalOf(column) !== undefined;

/** Checksums of the rows that `from` gives. `keys` are in the order of the key. */
export async function checksumRanges(
  connection: DuckDBConnection,
  from: string,
  keys: readonly LakeColumn[],
  digest: Digest,
): Promise<RangeChecksums> {
  const ordinal = ordinalOf(keys[0]!);
  const sumsBy = (group: string) => checksumGroups(connection, { keys, from, group, digest });
  if (ordinal === undefined) return { width: "1", digest, sums: await sumsBy("NULL") };
  const [[low = null, high = null] = []] = (
    await connection.runAndReadAll(`SELECT min(${ordinal})::VARCHAR, max(${ordinal})::VARCHAR ${from}`)
  ).getRows() as (string | null)[][];
  let bits = 0n;
  if (low !== null && high !== null) while ((BigInt(high) - BigInt(low)) >> bits >= RANGES_MAX) bits++;
  return { width: String(1n << bits), digest, sums: await sumsBy(`(${ordinal}) >> ${bits}`) };
}

/** Both are by one digest, or of no keys. */
export function addRangeChecksums(a: RangeChecksums, b: RangeChecksums): RangeChecksums {
  const digest = a.digest || b.digest;
  const width = BigInt(a.width) > BigInt(b.width) ? a.width : b.width;
  const sums = { ...widen(a, width).sums };
  for (const [at, sum] of Object.entries(widen(b, width).sums))
    sums[at] = addChecksums(sums[at] ?? EMPTY_CHECKSUM, sum);
  return narrow({ width, digest, sums }, RANGES_MAX);
}

/** The checksums as they are kept: with no more ranges than the table's size is worth. */
export const coarsened = (checksums: RangeChecksums): RangeChecksums =>
  narrow(checksums, Math.min(RANGES_MAX, 1 + Math.floor(totalChecksum(checksums).rows / ROWS_PER_RANGE)));

export const totalChecksum = ({ sums }: RangeChecksums): KeyChecksum =>
  Object.values(sums).reduce(addChecksums, EMPTY_CHECKSUM);

function narrow(checksums: RangeChecksums, rangesMax: number): RangeChecksums {
  let narrowed = checksums;
  // Doubling a width past every number leaves two ranges: those below and above zero.
  for (let doublings = 0; doublings < 140 && Object.keys(narrowed.sums).length > Math.max(3, rangesMax); doublings++)
    narrowed = widen(narrowed, String(BigInt(narrowed.width) * 2n));
  return narrowed;
}

function widen(checksums: RangeChecksums, width: string): RangeChecksums {
  const times = BigInt(width) / BigInt(checksums.width);
  if (times === 1n) return checksums;
  const sums: Record<string, KeyChecksum> = {};
  for (const [at, sum] of Object.entries(checksums.sums)) {
    const wider = at === NO_ORDINAL ? at : String(floorDivide(BigInt(at), times));
    sums[wider] = addChecksums(sums[wider] ?? EMPTY_CHECKSUM, sum);
  }
  return { width, digest: checksums.digest, sums };
}

const floorDivide = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;

/** A range of keys from `from` on, below `to`. */
export type IntegerKeyRange = { from: bigint; to: bigint };

/**
 * The ranges in which rows changed or were deleted: `now` differs there from `before` with the keys of `read` added.
 * "everywhere" where the first key column has no ranges.
 */
export function findChangedRanges(
  now: RangeChecksums,
  before: RangeChecksums,
  read: RangeChecksums,
): IntegerKeyRange[] | "everywhere" {
  const ranges: IntegerKeyRange[] = [];
  for (const range of align(now, before, read)) {
    if (isSameChecksum(range.now, addChecksums(range.before, range.read))) continue;
    if (range.at === NO_ORDINAL) return "everywhere";
    ranges.push({ from: BigInt(range.at) * range.width, to: (BigInt(range.at) + 1n) * range.width });
  }
  return ranges;
}

/**
 * Whether a key of `before` may be gone. None is where each range has the keys that it had, alone or with all those of
 * `read`.
 */
export const mayLackKeys = (now: RangeChecksums, before: RangeChecksums, read: RangeChecksums): boolean =>
  align(now, before, read).some(
    (range) =>
      !isSameChecksum(range.now, range.before) && !isSameChecksum(range.now, addChecksums(range.before, range.read)),
  );

type AlignedRange = { at: string; width: bigint } & Record<"now" | "before" | "read", KeyChecksum>;

/** The checksums of the same ranges, range by range. */
function align(now: RangeChecksums, before: RangeChecksums, read: RangeChecksums): AlignedRange[] {
  const width = [now, before, read].map((checksums) => BigInt(checksums.width)).reduce((a, b) => (a > b ? a : b));
  const sumsOf = (checksums: RangeChecksums) => widen(checksums, String(width)).sums;
  const [here, then, added] = [sumsOf(now), sumsOf(before), sumsOf(read)];
  return [...new Set([here, then, added].flatMap((sums) => Object.keys(sums)))].map((at) => ({
    at,
    width,
    now: here[at] ?? EMPTY_CHECKSUM,
    before: then[at] ?? EMPTY_CHECKSUM,
    read: added[at] ?? EMPTY_CHECKSUM,
  }));
}

/** Joins neighbouring ranges, and those with the smallest gaps where there are more ranges than one plan takes. */
export function joinRanges(ranges: readonly IntegerKeyRange[]): IntegerKeyRange[] {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : 1));
  const gaps = sorted
    .slice(1)
    .map(({ from }, i) => from - sorted[i]!.to)
    .sort((a, b) => (a > b ? -1 : 1));
  const gapMin = gaps[PLANNED.listsMax - 2] ?? 0n;
  const joined: IntegerKeyRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    const isNear = (to: bigint) => range.from - to <= (gaps.length < PLANNED.listsMax ? 0n : gapMin);
    if (last && (joined.length === PLANNED.listsMax || isNear(last.to)))
      joined[joined.length - 1] = { from: last.from, to: range.to > last.to ? range.to : last.to };
    else joined.push(range);
  }
  return joined;
}

/** The conditions on a range's rows; a bound that can't be spelled with certainty is left out. */
export function predicatesOfRange({ id, type }: LakeColumn, { from, to }: IntegerKeyRange): Predicate[] {
  const [low, high] = [spell(type, from, false), spell(type, to, true)];
  return [
    ...(low === undefined ? [] : [{ columnId: id, op: ">=" as const, values: [low] }]),
    ...(high === undefined ? [] : [{ columnId: id, op: "<=" as const, values: [high] }]),
  ];
}

const DAY_MS = 86_400_000;
/** Years of four digits, which sort as text. */
const [MS_MIN, MS_MAX] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31)];

function spell(type: string, ordinal: bigint, upwards: boolean): string | undefined {
  if (INTEGER.test(type)) return String(ordinal);
  const ms = type === "date" ? Number(ordinal) * DAY_MS : Number(floorDivide(ordinal, 1_000n)) + (upwards ? 1 : 0);
  if (!(ms >= MS_MIN && ms <= MS_MAX)) return undefined;
  const text = new Date(ms).toISOString();
  return type === "date"
    ? text.slice(0, 10)
    : `${text.slice(0, 23).replace("T", " ")}${type === "timestamptz" ? "+00" : ""}`;
}

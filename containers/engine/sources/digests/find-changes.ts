// The rows of a table that changed are found by digests that the database makes of its rows: for sources that can hash,
// and can't say what was written since.
//
// The table is cut into some thousand key partitions: ranges of the key's first column where its values are whole
// numbers, dates or times, else by the first digits of the key's hash. For each partition the database adds up two
// halves of the SHA-256 of each row, and one of each key. The database sends a line for each partition; rows of
// partitions whose line is as it was are not read. The database reads and hashes the whole table each time. By the sum
// of the keys a merge sees whether the lake has come to the same keys before it commits.

import { Failure } from "../../core/failure.ts";
import { quoteLiteral } from "../../duckdb/quoting.ts";
import {
  readWholeTable,
  type ChangeRequest,
  type FirstBounds,
  type ChangeReport,
  type NewBaseline,
} from "../../extract/changes/changes.ts";
import { READ_ALL } from "../../extract/changes/read-all-reasons.ts";
import {
  changedPartitions,
  coarsen,
  commonPartitioning,
  keysOf,
  NO_VALUE,
  readStoredDigests,
  rowsIn,
  rowsOf,
  storeDigests,
  type Partitioning,
  type KeyPartitions,
} from "./key-partitions.ts";
import { readChangedRanges, type ChangedRange } from "./changed-ranges.ts";
import type { DigestDialect } from "./dialect.ts";
import { planKey, type DigestKey, type KeyOrdinal } from "./digest-key.ts";
import { digestTable } from "./digest-table.ts";
import { digestsAsExpected } from "./probe-digests.ts";

const RANGE_ROWS_MIN = 1_000;
const REASON_CHARACTERS_MAX = 200;

export async function findChangedPartitions(dialect: DigestDialect, request: ChangeRequest): Promise<ChangeReport> {
  try {
    return await comparePartitions(dialect, request);
  } catch (error) {
    // A value that has no room in a text, or is beyond a function's limits, or a server that lacks a function.
    if (!(error instanceof Failure) || error.code !== "sql_error") throw error;
    const reason = READ_ALL.notHashed(error.message.slice(0, REASON_CHARACTERS_MAX));
    return readWholeTable(request.isFirstRun ? READ_ALL.firstRun : reason);
  }
}

async function comparePartitions(dialect: DigestDialect, request: ChangeRequest): Promise<ChangeReport> {
  const { table, isFirstRun, signal, rangeRows = RANGE_ROWS_MIN, onProgress } = request;
  const key = planKey(dialect, table);
  if (!key) return readWholeTable(READ_ALL.keyWithoutRanges);
  if (!(await digestsAsExpected({ dialect, key, signal })))
    return readWholeTable(isFirstRun ? READ_ALL.firstRun : READ_ALL.hashedOtherwise);
  const remembered = request.before?.kind === "digests" ? readStoredDigests(request.before.digests) : undefined;
  const before = remembered?.fingerprint === table.fingerprint ? remembered : undefined;
  onProgress(0);
  const digest = await digestTable({ dialect, key, rowsMin: rangeRows, signal }, before);
  if (!digest) return readWholeTable(isFirstRun ? READ_ALL.firstRun : READ_ALL.outgrownRanges);
  const { compared, kept } = digest;
  const rows = rowsOf(compared.partitions);
  onProgress(rows);
  const digests = storeDigests(table.fingerprint, kept);
  const baseline: NewBaseline = { kind: "digests", digests, keys: keysOf(kept.partitions) };
  if (!before) return readWholeTable(remembered ? READ_ALL.columnsChanged : READ_ALL.firstRun, baseline);
  const partitioning = commonPartitioning(before.partitioning, compared.partitioning);
  if (!partitioning) return readWholeTable(READ_ALL.outgrownRanges, baseline);
  const [then, now] = [coarsen(before, partitioning), coarsen(compared, partitioning)];
  const changed = changedPartitions(then, now);
  const conditions =
    partitioning.by === "ordinal"
      ? rangeConditions(key.ordinal!, { partitioning, then, now }, changed)
      : hashConditions({ dialect, key, partitioning }, changed);
  const comparison = {
    changed: conditions,
    ranges: { changed: changed.length, all: now.size },
    rows: { changed: rowsIn(now, changed), all: rows },
    keys: { before: keysOf(then), now: keysOf(now) },
  };
  return readChangedRanges(comparison, baseline);
}

const UNBOUNDED: FirstBounds = { from: null, upTo: null };

function rangeConditions(
  ordinal: KeyOrdinal,
  {
    partitioning,
    then,
    now,
  }: { partitioning: Extract<Partitioning, { by: "ordinal" }>; then: KeyPartitions; now: KeyPartitions },
  changed: readonly string[],
): ChangedRange[] {
  const bits = BigInt(partitioning.bits);
  const all = numbersOf([...then.keys(), ...now.keys()]);
  const [lowest, highest] = [all[0], all.at(-1)];
  const ranges: { first: bigint; last: bigint }[] = [];
  for (const number of numbersOf(changed)) {
    const range = ranges.at(-1);
    if (range && range.last + 1n === number) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  // Values beyond all partitions are in none of them, and a partition's ends may be beyond what the column can hold.
  const conditions = ranges.map(({ first, last }) =>
    ordinal.range(first === lowest ? null : first << bits, last === highest ? null : (last + 1n) << bits),
  );
  // Neighbouring bounds may be taken for one: rows without a value lie within none.
  return changed.includes(NO_VALUE)
    ? [...conditions, ordinal.none].map(({ where, lakeWhere }) => ({
        where,
        lake: { where: lakeWhere, bounds: UNBOUNDED },
      }))
    : conditions.map(({ where, lakeWhere, bounds }) => ({ where, lake: { where: lakeWhere, bounds } }));
}

const numbersOf = (ids: readonly string[]): bigint[] =>
  [...new Set(ids)]
    .filter((id) => id !== NO_VALUE)
    .map(BigInt)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

function hashConditions(
  {
    dialect,
    key,
    partitioning,
  }: { dialect: DigestDialect; key: DigestKey; partitioning: Extract<Partitioning, { by: "hash" }> },
  changed: readonly string[],
): ChangedRange[] {
  const { digits } = partitioning;
  if (changed.length === 0) return [];
  if (digits === 0) return [{ where: "1 = 1", lake: { where: "true", bounds: UNBOUNDED } }];
  const names = changed.map((id) => quoteLiteral(id)).join(", ");
  return [
    {
      where: `${dialect.firstDigits(dialect.hash(key.text), digits)} IN (${names})`,
      lake: { where: `left(sha256(${key.lakeText}), ${digits}) IN (${names})`, bounds: UNBOUNDED },
    },
  ];
}

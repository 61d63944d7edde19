// A table is hashed by its database, a key partition at a time: by one statement that reads the table, and one before
// it that asks for the ends of the key where partitions are ranges of it.

import { Failure } from "../../core/failure.ts";
import {
  partitionOf,
  largestOf,
  NO_VALUE,
  rowsOf,
  type KeyPartition,
  type Partitioning,
  type Digested,
} from "./key-partitions.ts";
import type { DigestDialect } from "./dialect.ts";
import type { DigestKey } from "./digest-key.ts";

export type Digester = {
  dialect: DigestDialect;
  key: DigestKey;
  /** A table has no more partitions than it has so many rows. */
  rowsMin: number;
  signal: AbortSignal;
};

/** `kept`: what the next run compares with, which is `compared` where its partitions serve. */
export type TableDigest = { compared: Digested; kept: Digested };

const PARTITIONS_WANTED = 4_096;
/** A statement gives at most this many partitions of a table that grew after it was counted. */
const PARTITIONS_MAX = 2 * PARTITIONS_WANTED + 2;
const HASH_DIGITS_MAX = 3;
/** The widest range, in bits: its width fits into every database's widest type, and so do numbers computed from it. */
const BITS_MAX = 96;
/** A partition with so many times the rows that it would have if all were alike is read too often. */
const SKEW_MAX = 50;

/** Undefined: there are too many partitions, of a table that is not one moment's. */
export async function digestTable(digester: Digester, before: Digested | undefined): Promise<TableDigest | undefined> {
  const partitioning = await choosePartitioning(digester, before);
  const compared = await digestPartitions(digester, partitioning);
  if (!compared) return undefined;
  if (partitioning.by === "hash" || !isSkewed(compared, digester.rowsMin)) return { compared, kept: compared };
  const kept = await digestPartitions(digester, byHash(rowsOf(compared.partitions), digester.rowsMin));
  return kept && { compared, kept };
}

/** By ranges of the key, so that neighbours that change together are read together; by hash where those don't serve. */
async function choosePartitioning(
  { dialect, key, rowsMin, signal }: Digester,
  before: Digested | undefined,
): Promise<Partitioning> {
  if (before?.partitioning.by === "hash") return byHash(rowsOf(before.partitions), rowsMin);
  const count = dialect.count ?? "COUNT(*)";
  if (!key.ordinal) {
    const [[rows] = refuse("no count")] = await dialect.fetchRows(`SELECT ${count} FROM ${dialect.from}`, "n", signal);
    return byHash(Number(rows), rowsMin);
  }
  const [[rows, low, high] = refuse("no ends")] = await dialect.fetchRows(
    `SELECT ${count}, MIN(fjord_at), MAX(fjord_at) FROM (SELECT ${key.ordinal.sql} AS fjord_at FROM ${dialect.from}) fjord_t`,
    "nTT",
    signal,
  );
  if (low == null || high == null) return { by: "ordinal", bits: 0 };
  const [from, to] = [wholeNumber(low), wholeNumber(high)];
  if (!key.ordinal.holds(from) || !key.ordinal.holds(to)) return byHash(Number(rows), rowsMin);
  // Numbers on both sides of nought are in two partitions at least.
  const wanted = BigInt(Math.max(2, partitionsWanted(Number(rows), rowsMin)));
  let bits = 0;
  while ((to >> BigInt(bits)) - (from >> BigInt(bits)) >= wanted) bits++;
  return bits <= BITS_MAX ? { by: "ordinal", bits } : byHash(Number(rows), rowsMin);
}

const partitionsWanted = (rows: number, rowsMin: number): number =>
  Math.min(PARTITIONS_WANTED, Math.max(1, Math.ceil(rows / rowsMin)));

function byHash(rows: number, rowsMin: number): Partitioning {
  const digits = Math.ceil(Math.log2(partitionsWanted(rows, rowsMin)) / 4);
  return { by: "hash", digits: Math.min(HASH_DIGITS_MAX, digits) };
}

/** Many values have the same number, or lie close together while a few lie far away. */
const isSkewed = ({ partitions }: Digested, rowsMin: number): boolean =>
  largestOf(partitions) > SKEW_MAX * Math.max(rowsMin, rowsOf(partitions) / PARTITIONS_WANTED);

async function digestPartitions(
  { dialect, key, signal }: Digester,
  partitioning: Partitioning,
): Promise<Digested | undefined> {
  const rowSums = dialect.sumHashes("fjord_row");
  const [keySum] = dialect.sumHashes("fjord_key");
  const hashed = `SELECT ${key.ordinal && partitioning.by === "ordinal" ? key.ordinal.sql : "0"} AS fjord_at,
    ${dialect.hash(dialect.rowText)} AS fjord_row, ${dialect.hash(key.text)} AS fjord_key FROM ${dialect.from}`;
  const divided = `SELECT ${partitionSql(dialect, partitioning)} AS fjord_partition, fjord_row, fjord_key FROM (${hashed}) fjord_t`;
  const rows = await dialect.fetchRows(
    `SELECT fjord_partition, ${dialect.count ?? "COUNT(*)"}, ${rowSums.join(", ")}, ${keySum}
      FROM (${divided}) fjord_u GROUP BY fjord_partition`,
    "Tnttt",
    signal,
  );
  if (rows.length > PARTITIONS_MAX) return undefined;
  const partitions = new Map<string, KeyPartition>();
  for (const [id, count, first, second, keys] of rows) {
    const name = id == null ? NO_VALUE : nameOf(partitioning, id);
    if (partitions.has(name)) refuse("a partition twice");
    partitions.set(name, partitionOf(Number(count), sumOf(first), sumOf(second), sumOf(keys)));
  }
  return { partitioning, partitions };
}

/** Numbers below nought are divided as those above, so that each partition has as many. */
export function partitionSql(dialect: DigestDialect, partitioning: Partitioning): string {
  if (partitioning.by === "hash")
    return partitioning.digits === 0 ? "''" : dialect.firstDigits("fjord_key", partitioning.digits);
  if (partitioning.bits === 0) return "fjord_at";
  const by = 1n << BigInt(partitioning.bits);
  return `CASE WHEN fjord_at >= 0 THEN ${dialect.divide("fjord_at", by)}
    ELSE -1 - ${dialect.divide("(-1 - fjord_at)", by)} END`;
}

function nameOf(partitioning: Partitioning, id: string): string {
  if (partitioning.by === "ordinal") return String(wholeNumber(id));
  return id.length === partitioning.digits && /^[0-9a-f]*$/.test(id) ? id : refuse("a partition of another name");
}

const wholeNumber = (text: string): bigint =>
  /^-?\d{1,39}$/.test(text) ? BigInt(text) : refuse("a number that is not whole");

/** The bound on digits exceeds the count of rows of any table. */
const sumOf = (text: string | null | undefined): string =>
  text != null && /^\d{1,39}$/.test(text) ? text : refuse("a sum that is none");

const refuse = (what: string): never => {
  throw new Failure("connection_failed", `The database answered with ${what} where its rows were to be hashed.`, {
    reason: "other",
  });
};

// A table hashed by its database, bucket by bucket: one statement that reads the table, and one before it that asks for
// the ends of the key where buckets are ranges of it.

import { Failure } from "../../core/failure.ts";
import { bucketOf, largestOf, NO_VALUE, rowsOf, type Bucket, type BucketPlan, type Digested } from "./buckets.ts";
import type { DigestDialect } from "./dialect.ts";
import type { DigestKey } from "./digest-key.ts";

export type Digester = {
  dialect: DigestDialect;
  key: DigestKey;
  /** A table has no more buckets than it has so many rows. */
  rowsMin: number;
  signal: AbortSignal;
};

/** `kept`: what the next run compares with, which is `compared` where its buckets serve. */
export type TableDigest = { compared: Digested; kept: Digested };

const BUCKETS_WANTED = 4_096;
/** A statement gives at most this many buckets of a table that grew after it was counted. */
const BUCKETS_MAX = 2 * BUCKETS_WANTED + 2;
const HASH_DIGITS_MAX = 3;
/** The widest range, in bits: its width fits into every database's widest type, and so do numbers computed from it. */
const BITS_MAX = 96;
/** A bucket with so many times the rows that it would have if all were alike is read too often. */
const SKEW_MAX = 50;

/** Undefined: there are too many buckets, of a table that is not one moment's. */
export async function digestTable(digester: Digester, before: Digested | undefined): Promise<TableDigest | undefined> {
  const plan = await planBuckets(digester, before);
  const compared = await digestBuckets(digester, plan);
  if (!compared) return undefined;
  if (plan.by === "hash" || !isSkewed(compared, digester.rowsMin)) return { compared, kept: compared };
  const kept = await digestBuckets(digester, planByHash(rowsOf(compared.buckets), digester.rowsMin));
  return kept && { compared, kept };
}

/** By ranges of the key, so that neighbours that change together are read together; by hash where those don't serve. */
async function planBuckets(
  { dialect, key, rowsMin, signal }: Digester,
  before: Digested | undefined,
): Promise<BucketPlan> {
  if (before?.plan.by === "hash") return planByHash(rowsOf(before.buckets), rowsMin);
  const count = dialect.count ?? "COUNT(*)";
  if (!key.ordinal) {
    const [[rows] = refuse("no count")] = await dialect.fetchRows(`SELECT ${count} FROM ${dialect.from}`, "n", signal);
    return planByHash(Number(rows), rowsMin);
  }
  const [[rows, low, high] = refuse("no ends")] = await dialect.fetchRows(
    `SELECT ${count}, MIN(fjord_at), MAX(fjord_at) FROM (SELECT ${key.ordinal.sql} AS fjord_at FROM ${dialect.from}) fjord_t`,
    "nTT",
    signal,
  );
  if (low == null || high == null) return { by: "ordinal", bits: 0 };
  const [from, to] = [wholeNumber(low), wholeNumber(high)];
  if (!key.ordinal.holds(from) || !key.ordinal.holds(to)) return planByHash(Number(rows), rowsMin);
  // Numbers on both sides of nought are in two buckets at least.
  const wanted = BigInt(Math.max(2, bucketsWanted(Number(rows), rowsMin)));
  let bits = 0;
  while ((to >> BigInt(bits)) - (from >> BigInt(bits)) >= wanted) bits++;
  return bits <= BITS_MAX ? { by: "ordinal", bits } : planByHash(Number(rows), rowsMin);
}

const bucketsWanted = (rows: number, rowsMin: number): number =>
  Math.min(BUCKETS_WANTED, Math.max(1, Math.ceil(rows / rowsMin)));

function planByHash(rows: number, rowsMin: number): BucketPlan {
  const digits = Math.ceil(Math.log2(bucketsWanted(rows, rowsMin)) / 4);
  return { by: "hash", digits: Math.min(HASH_DIGITS_MAX, digits) };
}

/** Many values have the same number, or lie close together while a few lie far away. */
const isSkewed = ({ buckets }: Digested, rowsMin: number): boolean =>
  largestOf(buckets) > SKEW_MAX * Math.max(rowsMin, rowsOf(buckets) / BUCKETS_WANTED);

async function digestBuckets({ dialect, key, signal }: Digester, plan: BucketPlan): Promise<Digested | undefined> {
  const rowSums = dialect.sumHashes("fjord_row");
  const [keySum] = dialect.sumHashes("fjord_key");
  const hashed = `SELECT ${key.ordinal && plan.by === "ordinal" ? key.ordinal.sql : "0"} AS fjord_at,
    ${dialect.hash(dialect.rowText)} AS fjord_row, ${dialect.hash(key.text)} AS fjord_key FROM ${dialect.from}`;
  const divided = `SELECT ${bucketSql(dialect, plan)} AS fjord_bucket, fjord_row, fjord_key FROM (${hashed}) fjord_t`;
  const rows = await dialect.fetchRows(
    `SELECT fjord_bucket, ${dialect.count ?? "COUNT(*)"}, ${rowSums.join(", ")}, ${keySum}
      FROM (${divided}) fjord_u GROUP BY fjord_bucket`,
    "Tnttt",
    signal,
  );
  if (rows.length > BUCKETS_MAX) return undefined;
  const buckets = new Map<string, Bucket>();
  for (const [id, count, first, second, keys] of rows) {
    const name = id == null ? NO_VALUE : nameOf(plan, id);
    if (buckets.has(name)) refuse("a bucket twice");
    buckets.set(name, bucketOf(Number(count), sumOf(first), sumOf(second), sumOf(keys)));
  }
  return { plan, buckets };
}

/** Numbers below nought are divided as those above, so that each bucket has as many. */
export function bucketSql(dialect: DigestDialect, plan: BucketPlan): string {
  if (plan.by === "hash") return plan.digits === 0 ? "''" : dialect.firstDigits("fjord_key", plan.digits);
  if (plan.bits === 0) return "fjord_at";
  const by = 1n << BigInt(plan.bits);
  return `CASE WHEN fjord_at >= 0 THEN ${dialect.divide("fjord_at", by)}
    ELSE -1 - ${dialect.divide("(-1 - fjord_at)", by)} END`;
}

function nameOf(plan: BucketPlan, id: string): string {
  if (plan.by === "ordinal") return String(wholeNumber(id));
  return id.length === plan.digits && /^[0-9a-f]*$/.test(id) ? id : refuse("a bucket of another name");
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

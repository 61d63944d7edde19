// A set of keys in one checksum: the sum of a digest of each key. Checksums of two sets add up to that of both
// together, and equal sets have equal checksums, whatever their order.

import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";

export const KeyChecksum = z.object({
  rows: z.number().int(),
  low: z.string().regex(/^\d+$/),
  high: z.string().regex(/^\d+$/),
});
export type KeyChecksum = z.infer<typeof KeyChecksum>;

export const EMPTY_CHECKSUM: KeyChecksum = { rows: 0, low: "0", high: "0" };

/**
 * The digests are computed by the engine alone, or by the source as well (MySQL's is
 * `sources/mysql/extraction/key-sum.ts`).
 */
export type ChecksumMethod = "here" | "by_source";

/**
 * How a key is digested. `sha256`: 64 bits of it, which sources have as well. `md5`: 128 bits, as earlier versions did
 * it. Else it is DuckDB's own hash, which may be another in another version of it: {@link ownDigest} says which.
 */
export type Digest = string;

/** A digest of a row's key as SQL, and its two halves; `d` is the digest. */
type DigestSql = { of(keys: readonly LakeColumn[]): string; low: string; high: string };

const SHA256: DigestSql = {
  of: (keys) => `('0x' || left(sha256(${keyText(keys)}), 16))::UBIGINT`,
  low: "d",
  high: "0",
};
const MD5: DigestSql = {
  of: (keys) => `md5_number(${keyText(keys)})::UHUGEINT`,
  low: "(d & 18446744073709551615::UHUGEINT)::UBIGINT",
  high: "(d >> 64)::UBIGINT",
};
/** A tenth of MD5's work, of which a full read pays for each row. */
const OWN: DigestSql = {
  of: (keys) =>
    `hash(${keys.map((key) => (INTEGER.test(key.type) ? `${nameOf(key)}::BIGINT` : spell(key))).join(", ")})`,
  low: "d",
  high: "hash(d)",
};
const INTEGER = /^(u?int(8|16|32)|int64)$/;

const sqlOf = (digest: Digest): DigestSql => (digest === "sha256" ? SHA256 : digest === "md5" ? MD5 : OWN);

/** The digest of keys that are summed from now on: its name holds what DuckDB makes of a constant. */
export async function ownDigest(connection: DuckDBConnection): Promise<Digest> {
  const reader = await connection.runAndReadAll("SELECT hash(1::BIGINT, 'a')::VARCHAR");
  return `hash ${String(reader.getRows()[0]![0])}`;
}

/** Whether sums by this digest can still be made. */
export const isRepeatable = async (connection: DuckDBConnection, digest: Digest): Promise<boolean> =>
  digest === "md5" || digest === (await ownDigest(connection));

/** `keys`: of the rows that the clause `from` gives. `group`: an SQL expression. */
type Grouping = { keys: readonly LakeColumn[]; from: string; group: string; digest: Digest };

/** One checksum for each value of `group`. */
export async function checksumGroups(
  connection: DuckDBConnection,
  { keys, from, group, digest }: Grouping,
): Promise<Record<string, KeyChecksum>> {
  const { of, low, high } = sqlOf(digest);
  const reader = await connection.runAndReadAll(
    `SELECT g::VARCHAR, count(*)::DOUBLE, sum(${low})::VARCHAR, sum(${high})::VARCHAR
      FROM (SELECT ${group}, ${of(keys)} ${from}) AS digests(g, d) GROUP BY g`,
  );
  return Object.fromEntries(
    (reader.getRows() as [string | null, number, string, string][]).map(([part, rows, low, high]) => [
      part ?? "",
      { rows, low, high },
    ]),
  );
}

/** The checksum of the rows that `from` gives. */
export const checksumKeys = async (
  connection: DuckDBConnection,
  from: string,
  keys: readonly LakeColumn[],
  digest: Digest,
): Promise<KeyChecksum> =>
  Object.values(await checksumGroups(connection, { keys, from, group: "NULL", digest }))[0] ?? EMPTY_CHECKSUM;

/** The checksum of all keys, from the sums that a source made range by range, in hexadecimal digits. */
export const checksumOfRanges = (ranges: readonly { rows: number; keys: string }[]): KeyChecksum =>
  ranges
    .map(({ rows, keys }) => ({ rows, low: String(BigInt(`0x${keys}`)), high: "0" }))
    .reduce(addChecksums, EMPTY_CHECKSUM);

/** A key in DuckDB's SQL, as one text: what is hashed. */
export const keyText = (keys: readonly LakeColumn[]): string => `concat_ws(',', ${keys.map(spell).join(", ")})`;

/**
 * The SQL text of a key's column, such that different keys have different texts: a value that may hold a comma comes
 * after its length. An invalid date of MySQL's is NULL.
 */
function spell(column: LakeColumn): string {
  const { type } = column;
  const value = nameOf(column);
  if (/^(u?int|decimal|date|time|uuid|boolean)/.test(type)) return `coalesce(${value}::VARCHAR, 'N')`;
  return type === "blob" ? `hex(${value})` : `concat(strlen(${value}::VARCHAR), ' ', ${value}::VARCHAR)`;
}

const nameOf = ({ name }: LakeColumn): string => quoteIdentifier(name);

export const addChecksums = (a: KeyChecksum, b: KeyChecksum): KeyChecksum => ({
  rows: a.rows + b.rows,
  low: String(BigInt(a.low) + BigInt(b.low)),
  high: String(BigInt(a.high) + BigInt(b.high)),
});

export const isSameChecksum = (a: KeyChecksum, b: KeyChecksum): boolean =>
  a.rows === b.rows && a.low === b.low && a.high === b.high;

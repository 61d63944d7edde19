// A set of keys in one checksum: the sum of a digest of each key. Checksums of two sets add up to that of both
// together, and equal sets have equal checksums, whatever their order.

import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import type { LakeColumn } from "../../contract/lake.ts";

export const KeyChecksum = z.object({
  rows: z.number().int(),
  low: z.string().regex(/^\d+$/),
  high: z.string().regex(/^\d+$/),
});
export type KeyChecksum = z.infer<typeof KeyChecksum>;

export const EMPTY_CHECKSUM: KeyChecksum = { rows: 0, low: "0", high: "0" };

/**
 * Who computes the digests: the engine alone, with 128 bits a key, or the source as well (MySQL's is
 * `sources/mysql/extraction/key-sum.ts`), with 64.
 */
export type ChecksumMethod = "here" | "by_source";

/** The lower and the upper half of a digest. */
const HALVES: Record<ChecksumMethod, (text: string) => [low: string, high: string]> = {
  here: (text) => [
    `(md5_number(${text})::UHUGEINT & 18446744073709551615::UHUGEINT)::UBIGINT`,
    `(md5_number(${text})::UHUGEINT >> 64)::UBIGINT`,
  ],
  by_source: (text) => [`('0x' || left(sha256(${text}), 16))::UBIGINT`, "0"],
};

/** `keys`: of the rows that the clause `from` gives. `group`: an SQL expression. */
type Grouping = { keys: readonly LakeColumn[]; from: string; group: string; method: ChecksumMethod };

/** One checksum for each value of `group`. */
export async function checksumGroups(
  connection: DuckDBConnection,
  { keys, from, group, method }: Grouping,
): Promise<Record<string, KeyChecksum>> {
  const [low, high] = HALVES[method](keyText(keys));
  const reader = await connection.runAndReadAll(
    `SELECT (${group})::VARCHAR AS part, count(*)::DOUBLE, sum(${low})::VARCHAR, sum(${high})::VARCHAR ${from}
      GROUP BY part`,
  );
  return Object.fromEntries(
    (reader.getRows() as [string | null, number, string, string][]).map(([part, rows, low, high]) => [
      part ?? "",
      { rows, low, high },
    ]),
  );
}

/** Of the rows that `from` gives. */
export const checksumKeys = async (
  connection: DuckDBConnection,
  from: string,
  keys: readonly LakeColumn[],
  method: ChecksumMethod,
): Promise<KeyChecksum> =>
  Object.values(await checksumGroups(connection, { keys, from, group: "NULL", method }))[0] ?? EMPTY_CHECKSUM;

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
function spell({ name, type }: LakeColumn): string {
  const value = quoteIdentifier(name);
  if (/^(u?int|decimal|date|time|uuid|boolean)/.test(type)) return `coalesce(${value}::VARCHAR, 'N')`;
  return type === "blob" ? `hex(${value})` : `concat(strlen(${value}::VARCHAR), ' ', ${value}::VARCHAR)`;
}

export const addChecksums = (a: KeyChecksum, b: KeyChecksum): KeyChecksum => ({
  rows: a.rows + b.rows,
  low: String(BigInt(a.low) + BigInt(b.low)),
  high: String(BigInt(a.high) + BigInt(b.high)),
});

export const isSameChecksum = (a: KeyChecksum, b: KeyChecksum): boolean =>
  a.rows === b.rows && a.low === b.low && a.high === b.high;

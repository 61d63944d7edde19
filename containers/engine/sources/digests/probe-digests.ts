// A database proves that it hashes, sums and divides as the engine takes it to, before a table is compared by its
// answers: it is asked with constants whose results the engine knows. A digest that leaves out half of a hash hides
// changes, and a number that is rounded to another partition than its row is read from loses them.

import { createHash } from "node:crypto";
import { quoteLiteral } from "../../duckdb/quoting.ts";
import type { DigestDialect } from "./dialect.ts";
import { SAMPLES, type DigestKey } from "./digest-key.ts";
import { partitionSql } from "./digest-table.ts";

/** Both halves of these texts' hashes begin with a bit that is set, so that their sums need more than 64 bits. */
const TEXTS = ["fjord 5", "fjord 35"] as const;
const DIGITS = 3;
/** Four numbers to a partition: one of {@link SAMPLES} rounded up or towards nought, or its quotient, is in another. */
const PARTITIONING = { by: "ordinal", bits: 2 } as const;

type Probed = { dialect: DigestDialect; key: DigestKey; signal: AbortSignal };

export async function digestsAsExpected({ dialect, key, signal }: Probed): Promise<boolean> {
  const { ordinal } = key;
  const rows = TEXTS.map((text, i) => {
    const hash = `SELECT ${dialect.hash(quoteLiteral(text))} AS fjord_row`;
    return ordinal ? `${hash}, ${ordinal.sql} AS fjord_at FROM (SELECT ${ordinal.samples[i]}) fjord_t` : hash;
  });
  const partition = ordinal ? partitionSql(dialect, PARTITIONING) : "0";
  const sql = `SELECT ${dialect.sumHashes("fjord_row").join(", ")}, MIN(fjord_digits), MAX(fjord_digits),
      MIN(fjord_partition), MAX(fjord_partition)
    FROM (SELECT fjord_row, ${dialect.firstDigits("fjord_row", DIGITS)} AS fjord_digits, ${partition} AS fjord_partition
      FROM (${rows.join(" UNION ALL ")}) fjord_u) fjord_v`;
  const [answer = []] = await dialect.fetchRows(sql, "TTTTTT", signal);
  const expected = [...SUMS, ...FIRST_DIGITS, ...(ordinal ? PARTITIONS : ["0", "0"])];
  return expected.every((value, i) => answer[i] === value);
}

const HASHES = TEXTS.map((text) => createHash("sha256").update(text).digest("hex"));
const SUMS = [0, 16].map((at) =>
  String(HASHES.reduce((sum, hash) => sum + BigInt(`0x${hash.slice(at, at + 16)}`), 0n)),
);
const FIRST_DIGITS = HASHES.map((hash) => hash.slice(0, DIGITS)).sort();
const PARTITIONS = SAMPLES.map((sample) => String(sample >> BigInt(PARTITIONING.bits)));

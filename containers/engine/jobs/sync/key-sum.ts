// A set of keys in one sum: sets that are joined add up, equal sets have equal sums. 128 bits of each key's digest are summed.

import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import type { LakeColumn } from "../../lake-protocol.ts";
import { identifier } from "../../lake/lake-types.ts";

export const KeySum = z.object({ rows: z.number().int(), low: z.string().regex(/^\d+$/), high: z.string().regex(/^\d+$/) });
export type KeySum = z.infer<typeof KeySum>;

export const NO_KEYS: KeySum = { rows: 0, low: "0", high: "0" };

/** One sum for each value of `group`, an SQL text. */
export async function sumGroups(connection: DuckDBConnection, group: string, from: string, keys: readonly LakeColumn[]): Promise<Record<string, KeySum>> {
  const sums = "sum((digest & 18446744073709551615::UHUGEINT)::UBIGINT)::VARCHAR, sum((digest >> 64)::UBIGINT)::VARCHAR";
  const digest = `md5_number(concat_ws(',', ${keys.map(spell).join(", ")}))::UHUGEINT`;
  const reader = await connection.runAndReadAll(`SELECT part::VARCHAR, count(*)::DOUBLE, ${sums} FROM (SELECT ${group} AS part, ${digest} AS digest ${from}) GROUP BY part`);
  return Object.fromEntries((reader.getRows() as [string | null, number, string, string][]).map(([part, rows, low, high]) => [part ?? "", { rows, low, high }]));
}

/** No two keys look alike: what may hold a comma comes after its length. */
function spell({ name, type }: LakeColumn): string {
  const value = identifier(name);
  return /^(u?int|decimal|date|time|uuid|boolean)/.test(type) ? value : `concat(strlen(${value}::VARCHAR), ' ', ${value})`;
}

export const addKeys = (a: KeySum, b: KeySum): KeySum => ({ rows: a.rows + b.rows, low: String(BigInt(a.low) + BigInt(b.low)), high: String(BigInt(a.high) + BigInt(b.high)) });

export const isSameKeys = (a: KeySum, b: KeySum): boolean => a.rows === b.rows && a.low === b.low && a.high === b.high;

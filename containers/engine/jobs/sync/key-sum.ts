// A set of keys in one sum: sets that are joined add up, equal sets have equal sums. 128 bits of each key's digest are summed.

import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import type { LakeColumn } from "../../lake-protocol.ts";
import { identifier } from "../../lake/lake-types.ts";

export const KeySum = z.object({ rows: z.number().int(), low: z.string().regex(/^\d+$/), high: z.string().regex(/^\d+$/) });
export type KeySum = z.infer<typeof KeySum>;

export const NO_KEYS: KeySum = { rows: 0, low: "0", high: "0" };

/** One sum for each value of `group`, an SQL text. A key's values are told apart as a JSON list of strings. */
export async function sumGroups(connection: DuckDBConnection, group: string, from: string, keys: readonly LakeColumn[]): Promise<Record<string, KeySum>> {
  const key = `to_json([${keys.map(({ name }) => `${identifier(name)}::VARCHAR`).join(", ")}])::VARCHAR`;
  const sum = (half: string): string => `sum(md5_number_${half}(key))::VARCHAR`;
  const reader = await connection.runAndReadAll(`SELECT part, count(*)::DOUBLE, ${sum("lower")}, ${sum("upper")} FROM (SELECT ${group} AS part, ${key} AS key ${from}) GROUP BY part`);
  return Object.fromEntries((reader.getRows() as [string, number, string, string][]).map(([part, rows, low, high]) => [part, { rows, low, high }]));
}

export const addKeys = (a: KeySum, b: KeySum): KeySum => ({ rows: a.rows + b.rows, low: String(BigInt(a.low) + BigInt(b.low)), high: String(BigInt(a.high) + BigInt(b.high)) });

export const isSameKeys = (a: KeySum, b: KeySum): boolean => a.rows === b.rows && a.low === b.low && a.high === b.high;

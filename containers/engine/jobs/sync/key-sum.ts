// A set of keys in one sum: sets that are joined add up, equal sets have equal sums. 128 bits of each key's digest are summed.

import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import type { LakeColumn } from "../../lake-protocol.ts";
import { identifier } from "../../lake/lake-types.ts";

export const KeySum = z.object({ rows: z.number().int(), low: z.string().regex(/^\d+$/), high: z.string().regex(/^\d+$/) });
export type KeySum = z.infer<typeof KeySum>;

export const NO_KEYS: KeySum = { rows: 0, low: "0", high: "0" };

/** A key's values are told apart as a JSON list of strings. */
export async function sumKeys(connection: DuckDBConnection, from: string, keys: readonly LakeColumn[]): Promise<KeySum> {
  const key = `to_json([${keys.map(({ name }) => `${identifier(name)}::VARCHAR`).join(", ")}])::VARCHAR`;
  const sum = (half: string): string => `coalesce(sum(md5_number_${half}(key)), 0)::VARCHAR`;
  const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER, ${sum("lower")}, ${sum("upper")} FROM (SELECT ${key} AS key ${from})`);
  const [rows, low, high] = reader.getRows()[0] as [number, string, string];
  return { rows, low, high };
}

export const addKeys = (a: KeySum, b: KeySum): KeySum => ({ rows: a.rows + b.rows, low: String(BigInt(a.low) + BigInt(b.low)), high: String(BigInt(a.high) + BigInt(b.high)) });

export const isSameKeys = (a: KeySum, b: KeySum): boolean => a.rows === b.rows && a.low === b.low && a.high === b.high;

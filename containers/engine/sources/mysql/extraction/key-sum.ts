// The keys of a MySQL table's rows in one sum, made by the server, which the engine makes alike of what the lake has of
// them.
//
// A key is written as DuckDB writes the lake's columns of it (`spell` of extract/changes/key-checksum.ts is the other
// half), and 64 bits of the SHA-256 of that are summed. Sets of keys that are joined add up; where one key is lost and
// another doubled, sums differ.

import type { SnapshotRows } from "../../row-collector.ts";
import { protocolViolation } from "../connection/packets.ts";
import type { KeyColumn } from "./key-ranges.ts";

/**
 * The key sum of a range, in hexadecimal digits. `undated` is present where rows have an invalid date in the key, which
 * is NULL in the lake.
 */
export type RangeKeys = { keys: string; undated?: number };

const NOTHING = "'N'";
/** The bound on digits exceeds the sum over any table. */
const SUM = /^\d{1,40}$/;

/** Sums the keys of the rows of `from`, which is a table with a condition. */
export async function sumKeys(
  snapshot: SnapshotRows,
  key: readonly KeyColumn[],
  from: string,
  signal: AbortSignal,
): Promise<RangeKeys> {
  const dates = key.filter(({ kind }) => kind === "time");
  const undated = dates.length === 0 ? "0" : `SUM(IF(${dates.map(({ value }) => isDay(value)).join(" AND ")}, 0, 1))`;
  const text = `CONCAT_WS(',', ${key.map(formatKeyColumn).join(", ")})`;
  const hash = `CAST(CONV(LEFT(SHA2(${text}, 256), 16), 16, 10) AS UNSIGNED)`;
  const [[sum, none] = protocolViolation("it does not tell a sum")] = await snapshot.fetchRows(
    `SELECT SUM(${hash}), ${undated} FROM ${from}`,
    "TN",
    signal,
  );
  if (sum && !SUM.test(sum)) protocolViolation("a sum of keys is none");
  return { keys: BigInt(sum ?? 0).toString(16), ...(Number(none ?? 0) > 0 ? { undated: Number(none) } : {}) };
}

/** Whether a date is in the calendar: `0000-00-00`, `2026-00-00` and `2026-02-31` are not. */
const isDay = (value: string): string => `COALESCE(DAY(${value}) BETWEEN 1 AND DAY(LAST_DAY(${value})), FALSE)`;

function formatKeyColumn(column: KeyColumn): string {
  const { kind, type, value } = column;
  if (kind === "bytes") return `HEX(${value})`;
  if (kind === "time") return `IF(${isDay(value)}, ${formatTime(column)}, ${NOTHING})`;
  // DuckDB leaves out the zero of a decimal that has digits behind the point only.
  const digits = /^decimal\((\d+),(\d+)\)$/.exec(type.replace(" ", ""));
  if (digits) return digits[1] === digits[2] ? `REPLACE(${value}, '0.', '.')` : value;
  if (type !== "varchar" && type !== "json") return kind === "number" ? value : `CAST(${value} AS CHAR)`;
  const text = kind === "string" ? `CONVERT(${value} USING utf8mb4)` : `CAST(${value} AS CHAR)`;
  return `CONCAT(LENGTH(${text}), ' ', CAST(${text} AS BINARY))`;
}

/**
 * DuckDB ends a time after its last digit that counts, calls an instant's zone, and counts the years before the first
 * back from it.
 */
function formatTime({ type, value }: KeyColumn): string {
  const text = `CAST(${value} AS CHAR)`;
  const printed = `SUBSTRING(${text}, 11)`;
  const withoutZeros = `IF(LOCATE('.', ${text}), TRIM(TRAILING '0' FROM ${printed}), ${printed})`;
  const time = type === "date" ? "''" : `TRIM(TRAILING '.' FROM ${withoutZeros})`;
  const day = `IF(YEAR(${value}) = 0, CONCAT('0001', SUBSTRING(${text}, 5, 6), ' (BC)'), LEFT(${text}, 10))`;
  return `CONCAT(${day}, ${time}${type === "timestamptz" ? ", '+00'" : ""})`;
}

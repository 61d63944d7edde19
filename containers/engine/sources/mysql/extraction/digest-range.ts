// Digests of ranges of a table's rows, made by the server, and the cutting of ranges that are too large.

import type { SnapshotRows } from "../../row-collector.ts";
import { createHash } from "node:crypto";
import { protocolViolation } from "../connection/packets.ts";
import { quoteTable } from "../sql-text.ts";
import type { MysqlTable } from "./describe-table.ts";
import {
  isKey,
  orderByKey,
  selectKey,
  sourceCondition,
  type Key,
  type KeyColumn,
  type KeyRange,
} from "./key-ranges.ts";
import { encodeRow } from "./row-encoding.ts";

/** A range's end, and what it holds; `digest` is 128 bits as text. */
export type RangeDigest = { upTo: Key | null; rows: number; digest: string };

/** A digest of a row, in hexadecimal digits. */
const ROW_DIGITS = 32;
const RANGES_WANTED = 5_000;
/** More are cut of no table: it is read as a whole. */
export const RANGES_MAX = 10_000;

/** The dependencies and bounds of digesting ranges of a table. */
export type Digester = {
  snapshot: SnapshotRows;
  table: MysqlTable;
  key: KeyColumn[];
  /** A range is cut past this many rows. */
  rowsMax: number;
  signal: AbortSignal;
  /** Gets the rows of each range that the server has hashed. */
  onRange(rows: number): void;
};

/**
 * How many rows a range is cut to: few ranges for large tables, and row digests that fit into what the server holds in
 * one value.
 */
export async function chooseRangeRows(
  { snapshot, table: { rowsEstimate }, signal }: Pick<Digester, "snapshot" | "table" | "signal">,
  rowsMin: number,
): Promise<number> {
  const [[packet] = protocolViolation("it does not tell its largest packet")] = await snapshot.fetchRows(
    "SELECT @@max_allowed_packet",
    "n",
    signal,
  );
  const bytes = Math.min(Number(packet), 256 * 1024 * 1024);
  await snapshot.fetchRows(`SET SESSION group_concat_max_len = ${bytes}`, "", signal);
  return Math.max(
    Math.min(1_000, rowsMin),
    Math.min(Math.floor((bytes * 0.4) / ROW_DIGITS), Math.max(rowsMin, Math.ceil((rowsEstimate ?? 0) / RANGES_WANTED))),
  );
}

/** Digests a range as it is, or cut into new ones where it has outgrown its size or was never measured. */
export async function digestRange(digester: Digester, range: KeyRange, isNew: boolean): Promise<RangeDigest[]> {
  if (!isNew) {
    const one = await digestRows(digester, range);
    if (one) return [{ upTo: range.upTo, ...one }];
  }
  const ranges: RangeDigest[] = [];
  for (let { after } = range; ; ) {
    const cut = await findCut(digester, { after, upTo: range.upTo });
    const one = await digestRows(digester, { after, upTo: cut ?? range.upTo });
    if (!one) return protocolViolation("a range of a table is larger than it was");
    ranges.push({ upTo: cut ?? range.upTo, ...one });
    if (!cut) return ranges;
    after = cut;
    if (ranges.length > RANGES_MAX) return ranges;
  }
}

/** The server may refuse the hint for any index but the primary key's. */
export const tableInKeyOrder = (table: MysqlTable): string =>
  `${quoteTable(table)}${table.isPrimary ? " FORCE INDEX (PRIMARY)" : ""}`;

/** The key of the range's row number `rowsMax`; undefined where there are no more rows than that. */
async function findCut({ snapshot, table, key, rowsMax, signal }: Digester, range: KeyRange): Promise<Key | undefined> {
  const rows = await snapshot.fetchRows(
    `SELECT ${selectKey(key)} FROM ${tableInKeyOrder(table)} WHERE ${sourceCondition(key, range)}
    ORDER BY ${orderByKey(key)} LIMIT 2 OFFSET ${rowsMax - 1}`,
    "t".repeat(key.length),
    signal,
  );
  if (rows.length < 2) return undefined;
  const cut = rows[0] as Key;
  return isKey(key, cut) ? cut : protocolViolation("a key is none");
}

/**
 * Undefined: it holds more than twice the rows of a range. A row hash of NULL, or a list cut short, shows in the
 * length.
 */
async function digestRows(
  { snapshot, table, key, rowsMax, signal, onRange }: Digester,
  range: KeyRange,
): Promise<{ rows: number; digest: string } | undefined> {
  const hash = `LEFT(SHA2(${encodeRow(table)}, 256), ${ROW_DIGITS})`;
  const hashes = `GROUP_CONCAT(${hash} ORDER BY ${orderByKey(key)} SEPARATOR '')`;
  const from = `${tableInKeyOrder(table)} WHERE ${sourceCondition(key, range)}`;
  const counted = `SELECT COUNT(*) AS counted, ${hashes} AS hashes FROM ${from}`;
  const [[rowsCounted, length, digest] = protocolViolation("it does not tell a digest")] = await snapshot.fetchRows(
    `SELECT counted, COALESCE(LENGTH(hashes), 0), SHA2(hashes, 256) FROM (${counted}) AS digested`,
    "nnT",
    signal,
  );
  const rows = Number(rowsCounted);
  if (rows > 2 * rowsMax) return undefined;
  if (Number(length) !== rows * ROW_DIGITS)
    protocolViolation(
      `the digest of a range of ${table.schema}.${table.name} is not whole: ${length} digits of ${rows} rows`,
    );
  onRange(rows);
  return { rows, digest: shorten(digest ?? "") };
}

/** 128 bits of it, in 22 characters. */
const shorten = (digest: string): string =>
  createHash("sha256").update(digest).digest().subarray(0, 16).toString("base64").replace(/=+$/, "");

// Which ranges of a MySQL table changed since an earlier run, told by digests the server makes of their rows.
//
// The table is cut along its primary key into ranges of some ten thousand rows. For each, the server hashes every row
// (SHA-256, cut to 128 bits, of an encoding in which no two rows look alike) and then the row hashes in key order. What
// travels is a digest a range; ranges whose digest is as it was are not read. The server reads and hashes the whole
// table each time. Of ranges that changed it also sums up the keys: by that sum a merge sees whether the lake has come
// to the same keys before it commits.

import { createHash } from "node:crypto";
import { protocolViolation } from "../connection/packets.ts";
import type { MysqlColumn } from "./plan-column.ts";
import { quoteIdentifier, quoteTable } from "../sql-text.ts";
import { sumKeys, type RangeKeys } from "./key-sum.ts";
import {
  isKey,
  keyColumns,
  lakeRange,
  orderByKey,
  selectKey,
  sourceCondition,
  type Key,
  type KeyColumn,
  type LakeRange,
  type Range,
} from "./key-ranges.ts";
import type { MysqlSnapshot } from "./snapshot.ts";
import type { MysqlTable } from "./describe-table.ts";

/** What the next run needs to know of this one: plain data, well below a megabyte. */
export type TableDigests = {
  fingerprint: string;
  /** In key order; each begins after the one before it, the last has no end. */
  ranges: ({ upTo: Key | null; rows: number; digest: string } & RangeKeys)[];
};

export type ChangedRange = {
  /** Its rows at the source. */
  where: string;
  /** Its rows in the lake; absent where they can't be told by a range: then every key has to be compared. */
  lake?: LakeRange;
  rows: number;
};

export type Comparison = { digests: TableDigests; changed: ChangedRange[] } | { full: string };

/** A digest of a row, in hexadecimal digits. */
const ROW_DIGITS = 32;
const RANGE_ROWS_MIN = 20_000;
const RANGES_WANTED = 5_000;
const RANGES_MAX = 10_000;

/**
 * `rowsMin`: of a range, so that there are few of a small table. `onProgress` hears how many rows the server has hashed
 * so far.
 */
export type ComparisonOptions = { rowsMin?: number | undefined; onProgress?(rows: number): void };

/** Digests a table, by the ranges of `before` where they can still be used, and tells those that differ. */
export async function compareDigests(
  snapshot: MysqlSnapshot,
  table: MysqlTable,
  before: TableDigests | undefined,
  signal: AbortSignal,
  options: ComparisonOptions = {},
): Promise<Comparison> {
  const key = keyColumns(table);
  if (!key)
    return {
      full:
        table.primaryKey.length === 0
          ? "It has no key: all of it is read."
          : "Its key has a column whose ranges can't be told: all of it is read.",
    };
  const known =
    before?.fingerprint === table.fingerprint ? before.ranges : [{ upTo: null, rows: -1, digest: "", keys: "" }];
  const rowsMax = await boundRows(snapshot, table, options.rowsMin ?? RANGE_ROWS_MIN, signal);
  let rowsHashed = 0;
  const digester: Digester = {
    snapshot,
    table,
    key,
    rowsMax,
    signal,
    onRange: (rows) => options.onProgress?.((rowsHashed += rows)),
  };

  const ranges: TableDigests["ranges"] = [];
  const changed: { range: Range; rows: number }[] = [];
  let after: Key | null = null;
  for (const one of known) {
    for (const now of await digestRange(digester, { after, upTo: one.upTo }, one.rows < 0)) {
      const range = { after, upTo: now.upTo };
      const isSame = now.digest === one.digest && now.rows === one.rows && now.upTo === one.upTo;
      if (!isSame) changed.push({ range, rows: now.rows });
      ranges.push(
        isSame
          ? one
          : {
              ...now,
              ...(await sumKeys(snapshot, key, `${inOrder(table)} WHERE ${sourceCondition(key, range)}`, signal)),
            },
      );
      after = now.upTo;
    }
  }
  if (ranges.length > RANGES_MAX) return { full: "It has grown to many times its size: its ranges are cut anew." };
  // Rows whose date is none lie in their place here, and have NULL for it in the lake.
  const isUndated = [...known, ...ranges].some(({ undated }) => undated !== undefined);
  return {
    digests: { fingerprint: table.fingerprint, ranges },
    changed: changed.map(({ range, rows }) => {
      const lake = isUndated ? undefined : lakeRange(key, range);
      return { where: sourceCondition(key, range), rows, ...(lake && { lake }) };
    }),
  };
}

type Digested = Pick<TableDigests["ranges"][number], "upTo" | "rows" | "digest">;
type Digester = {
  snapshot: MysqlSnapshot;
  table: MysqlTable;
  key: KeyColumn[];
  rowsMax: number;
  signal: AbortSignal;
  onRange: (rows: number) => void;
};

/**
 * How many rows a range is cut to: few ranges for large tables, and row digests that fit into what the server holds in
 * one value.
 */
async function boundRows(
  snapshot: MysqlSnapshot,
  { rowsEstimate }: MysqlTable,
  rowsMin: number,
  signal: AbortSignal,
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
async function digestRange(digester: Digester, range: Range, isNew: boolean): Promise<Digested[]> {
  if (!isNew) {
    const one = await digestRows(digester, range);
    if (one) return [{ upTo: range.upTo, ...one }];
  }
  const ranges: Digested[] = [];
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

/** Of another index, the server may not take the hint. */
const inOrder = (table: MysqlTable): string => `${quoteTable(table)}${table.isPrimary ? " FORCE INDEX (PRIMARY)" : ""}`;

/** The key of the range's row number `rowsMax`; undefined where there are no more rows than that. */
async function findCut({ snapshot, table, key, rowsMax, signal }: Digester, range: Range): Promise<Key | undefined> {
  const rows = await snapshot.fetchRows(
    `SELECT ${selectKey(key)} FROM ${inOrder(table)} WHERE ${sourceCondition(key, range)} ORDER BY ${orderByKey(key)} LIMIT 2 OFFSET ${rowsMax - 1}`,
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
  range: Range,
): Promise<{ rows: number; digest: string } | undefined> {
  const hashes = `GROUP_CONCAT(LEFT(SHA2(${encodeRow(table)}, 256), ${ROW_DIGITS}) ORDER BY ${orderByKey(key)} SEPARATOR '')`;
  const counted = `SELECT COUNT(*) AS counted, ${hashes} AS hashes FROM ${inOrder(table)} WHERE ${sourceCondition(key, range)}`;
  const [[told, length, digest] = protocolViolation("it does not tell a digest")] = await snapshot.fetchRows(
    `SELECT counted, COALESCE(LENGTH(hashes), 0), SHA2(hashes, 256) FROM (${counted}) AS digested`,
    "nnT",
    signal,
  );
  const rows = Number(told);
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

/**
 * A row's columns in a form in which different rows look different: numbers and times, which hold no comma, as they are
 * printed; strings after their length in bytes; long ones by their own hash; NULL by an N where the number or the
 * length would be.
 */
const encodeRow = (table: MysqlTable): string =>
  `CONCAT_WS(',', ${table.columns.flatMap(({ name }) => encodeColumn(quoteIdentifier(name), table.declared.get(name)!)).join(", ")})`;

function encodeColumn(column: string, { dataType }: MysqlColumn): string[] {
  switch (dataType) {
    case "float":
      // As a double, for a float is printed with six digits only.
      return [`IFNULL(${column} * 1e0, 'N')`];
    case "bit":
      return [`IFNULL(${column} + 0, 'N')`];
    case "char":
    case "varchar":
    case "binary":
    case "varbinary":
    case "enum":
    case "set":
      return [`IFNULL(LENGTH(${column}), 'N')`, `CAST(${column} AS BINARY)`];
    case "geometry":
    case "point":
    case "linestring":
    case "polygon":
    case "multipoint":
    case "multilinestring":
    case "multipolygon":
    case "geometrycollection":
    case "geomcollection":
      return [`IFNULL(CONCAT(ST_SRID(${column}), ' ', SHA2(ST_AsBinary(${column}), 256)), 'N')`];
    case "tinytext":
    case "text":
    case "mediumtext":
    case "longtext":
    case "tinyblob":
    case "blob":
    case "mediumblob":
    case "longblob":
    case "json":
    case "vector":
    case "xmltype":
      return encodeLong(column);
    case "tinyint":
    case "smallint":
    case "mediumint":
    case "int":
    case "bigint":
    case "decimal":
    case "double":
    case "year":
    case "date":
    case "time":
    case "datetime":
    case "timestamp":
      return [`IFNULL(${column}, 'N')`];
    case "uuid":
    case "inet4":
    case "inet6":
      // As text: the N would be read as a value of the type, of which it is none, and NULL would be left out.
      return [`IFNULL(CAST(${column} AS CHAR), 'N')`];
    default:
      return encodeLong(column);
  }
}

const encodeLong = (column: string): string[] => [`IFNULL(CONCAT(LENGTH(${column}), ' ', SHA2(${column}, 256)), 'N')`];

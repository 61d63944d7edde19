// The statements that page through a table by its key, so that a page stays where it is while rows arrive. Pure.

import { lakeTableName, quoteName, quoteText } from "../../../api/sql-text.ts";

export type PageOf = {
  schema: string;
  table: string;
  /** Undefined means the newest snapshot. */
  snapshotId: number | undefined;
  /** The column the pages are ordered by, and its type; undefined where the table has none that orders it. */
  key: { name: string; type: string } | undefined;
  /** The key of the last row that was shown. */
  after: string | undefined;
  rows: number;
};

export function previewStatement({ schema, table, snapshotId, key, after, rows }: PageOf): string {
  const at = snapshotId === undefined ? "" : ` AT (VERSION => ${snapshotId})`;
  const where =
    key && after !== undefined ? ` WHERE ${quoteName(key.name)} > CAST(${quoteText(after)} AS ${key.type})` : "";
  const order = key ? ` ORDER BY ${quoteName(key.name)}` : "";
  return `SELECT * FROM ${lakeTableName(schema, table)}${at}${where}${order} LIMIT ${rows}`;
}

type Column = {
  name: string;
  type: string;
  nullable: boolean;
  statistics: { min: string | null; max: string | null } | null;
};

const WHOLE = new Set(["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"]);

/**
 * A whole number or UUID that is never NULL, and whose range is at least as wide as the table is long, may be its key.
 * The first of them that is called an id is the likeliest; a profile says then whether its values differ.
 */
export function likelyKey(columns: readonly Column[], rowCount: number | null): Column | undefined {
  const able = columns.filter(({ type, nullable, statistics }) => {
    if (nullable || rowCount === null) return false;
    if (type === "UUID") return true;
    if (!WHOLE.has(type) || statistics?.min == null || statistics.max == null) return false;
    return BigInt(statistics.max) - BigInt(statistics.min) + 1n >= BigInt(rowCount);
  });
  return able.find(({ name }) => /(^|_)id$/i.test(name)) ?? able[0];
}

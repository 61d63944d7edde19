// DuckLake's options that the lake follows: of the whole lake, of a schema, or of a table. The narrowest that is set
// counts.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { refuse, accept, type Answer } from "../../core/answer.ts";
import { parseAge, parseSize } from "./option-values.ts";

const isWhole = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
const isFlag = (text: string): boolean => text === "true" || text === "false";
const isShare = (text: string): boolean => /^(0(\.\d+)?|1(\.0+)?)$/.test(text);
const isAgeFrom = (msMin: number) => (text: string) => (parseAge(text) ?? -1) >= msMin;
const hours = (ms: number): string => `${ms / 3_600_000} h`;

/** What each holds, and whether it may be set for less than the whole lake. */
const OPTIONS: Record<string, { fits: (text: string) => boolean; canBeOfTable: boolean; form: string }> = {
  target_file_size: { fits: (text) => parseSize(text) !== undefined, canBeOfTable: true, form: "a size, as 512MB" },
  parquet_row_group_size: { fits: isWhole, canBeOfTable: true, form: "a number of rows" },
  parquet_compression: {
    fits: (text) => ["uncompressed", "snappy", "gzip", "zstd", "lz4_raw"].includes(text),
    canBeOfTable: true,
    form: "a compression",
  },
  rewrite_delete_threshold: { fits: isShare, canBeOfTable: true, form: "a share from 0 to 1" },
  auto_compact: { fits: isFlag, canBeOfTable: true, form: "true or false" },
  expire_older_than: {
    fits: isAgeFrom(LAKE_CATALOG_LIMITS.snapshotKeptMsMin),
    canBeOfTable: false,
    form: `an age, as 30d, of ${hours(LAKE_CATALOG_LIMITS.snapshotKeptMsMin)} or more: a statement may read a snapshot for so long`,
  },
  retain_last: { fits: isWhole, canBeOfTable: false, form: "a number of snapshots, 1 or more" },
  delete_older_than: {
    fits: isAgeFrom(LAKE_CATALOG_LIMITS.graceMs),
    canBeOfTable: false,
    form: `an age, as 7d, of ${hours(LAKE_CATALOG_LIMITS.graceMs)} or more: a job may name a file for so long`,
  },
};

export type OptionPlace = { schema?: string; table?: string };
export type Option = { key: string; value: string; scope: "lake" | "schema" | "table" };

/**
 * Sets an option, or with null unsets it. Refuses with `validation_failed`, or `resource_not_found` for a place that is
 * not there.
 */
export function setOption(sql: SqlStorage, key: string, value: string | null, place: OptionPlace = {}): Answer<null> {
  const option = Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
  if (!option)
    return refuse("validation_failed", `${key} is no option of the lake.`, [{ pointer: "/key", message: "Unknown." }]);
  if (value !== null && !option.fits(value))
    return refuse("validation_failed", `${key} is ${option.form}.`, [
      { pointer: "/value", message: `It is ${option.form}.` },
    ]);
  if (place.schema !== undefined && !option.canBeOfTable)
    return refuse("validation_failed", `${key} is for the whole lake.`, [
      { pointer: "/scope", message: "It has no scope." },
    ]);
  const target = findTarget(sql, place);
  if (!target)
    return refuse("resource_not_found", `${[place.schema, place.table].filter(Boolean).join(".")} was not found.`);
  sql.exec(
    "DELETE FROM ducklake_metadata WHERE key = ? AND scope IS ? AND scope_id IS ?",
    key,
    target.scope,
    target.id,
  );
  if (value !== null)
    sql.exec(
      "INSERT INTO ducklake_metadata (key, value, scope, scope_id) VALUES (?, ?, ?, ?)",
      key,
      value,
      target.scope,
      target.id,
    );
  return accept(null);
}

/** What counts at a place, by key; an option that is not set anywhere is absent. */
export function listOptions(sql: SqlStorage, place: OptionPlace = {}): Answer<Option[]> {
  const targets = [
    {},
    ...(place.schema === undefined ? [] : [{ schema: place.schema }]),
    ...(place.table === undefined ? [] : [place]),
  ].map((each) => findTarget(sql, each));
  const found = new Map<string, Option>();
  for (const target of targets) {
    if (!target)
      return refuse("resource_not_found", `${[place.schema, place.table].filter(Boolean).join(".")} was not found.`);
    const rows = sql.exec<{ key: string; value: string }>(
      "SELECT key, value FROM ducklake_metadata WHERE scope IS ? AND scope_id IS ?",
      target.scope,
      target.id,
    );
    for (const { key, value } of rows)
      if (Object.hasOwn(OPTIONS, key)) found.set(key, { key, value, scope: target.scope ?? "lake" });
  }
  return accept([...found.values()]);
}

type OptionTarget = { scope: "schema" | "table" | null; id: number | null };

function findTarget(sql: SqlStorage, { schema, table }: OptionPlace): OptionTarget | undefined {
  if (schema === undefined) return { scope: null, id: null };
  const schemas =
    "SELECT schema_id AS id FROM ducklake_schema WHERE schema_name = ? COLLATE NOCASE AND end_snapshot IS NULL";
  const [found] = sql.exec<{ id: number }>(schemas, schema).toArray();
  if (!found || table === undefined) return found && { scope: "schema", id: found.id };
  const tables = `SELECT table_id AS id FROM ducklake_table WHERE schema_id = ? AND table_name = ? COLLATE NOCASE
    AND end_snapshot IS NULL`;
  const [inside] = sql.exec<{ id: number }>(tables, found.id, table).toArray();
  return inside && { scope: "table", id: inside.id };
}

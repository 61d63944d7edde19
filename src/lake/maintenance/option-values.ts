// The lake's options are resolved: of each table, and of the whole lake, with what holds where nothing is set.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";

const UNITS: Record<string, number> = {
  ...{ "": 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 },
};

/** Bytes of a size as DuckDB writes it, `512MB`; undefined for what is none. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit = ""] = /^([1-9]\d{0,14}) ?(KB|MB|GB|KiB|MiB|GiB)?$/.exec(text) ?? [];
  const bytes = Number(digits) * UNITS[unit]!;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const AGES: [unit: RegExp, ms: number][] = [
  [/^(m|minutes?)$/, MINUTE],
  [/^(h|hours?)$/, HOUR],
  [/^(d|days?)$/, DAY],
  [/^weeks?$/, 7 * DAY],
  [/^months?$/, 30 * DAY],
];

/** Milliseconds of an age, `30d`; a month has 30 days. Undefined for what is none. */
export function parseAge(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,5}) ?([a-z]+)$/.exec(text) ?? [];
  const ms = AGES.find(([pattern]) => pattern.test(unit))?.[1];
  return ms === undefined ? undefined : Number(digits) * ms;
}

/** DuckLake's own for files; a month, and never the last twenty, for snapshots. */
const DEFAULTS = { targetBytes: 512e6, deleteThreshold: 0.95, expireOlderThanMs: 30 * DAY, retainLast: 20 } as const;

/** `rowGroupRows` and `compression` are null where the writer's own hold. */
export type TableRules = {
  targetBytes: number;
  deleteThreshold: number;
  isCompacted: boolean;
  rowGroupRows: number | null;
  compression: string | null;
};

type OptionRow = { key: string; value: string; scope: string | null; id: number | null };

const readRows = (sql: SqlStorage): OptionRow[] =>
  sql.exec<OptionRow>("SELECT key, value, scope, scope_id AS id FROM ducklake_metadata").toArray();

/** The rules of a table; the narrowest option that is set counts. */
export function readTableRules(sql: SqlStorage): (table: { tableId: number; schemaId: number }) => TableRules {
  const rows = readRows(sql);
  const known = new Map(rows.map(({ key, value, scope, id }) => [JSON.stringify([key, scope, id]), value]));
  return ({ tableId, schemaId }) => {
    const find = (key: string): string | undefined =>
      known.get(JSON.stringify([key, "table", tableId])) ??
      known.get(JSON.stringify([key, "schema", schemaId])) ??
      known.get(JSON.stringify([key, null, null]));
    return {
      targetBytes: parseSize(find("target_file_size") ?? "") ?? DEFAULTS.targetBytes,
      deleteThreshold: Number(find("rewrite_delete_threshold") ?? DEFAULTS.deleteThreshold),
      isCompacted: find("auto_compact") !== "false",
      rowGroupRows: Number(find("parquet_row_group_size") ?? 0) || null,
      compression: find("parquet_compression") ?? null,
    };
  };
}

/** How long what nobody reads any more is kept. Never less than is safe, whatever is set. */
export type LakeRules = { expireOlderThanMs: number; retainLast: number; deleteOlderThanMs: number };

export function readLakeRules(sql: SqlStorage): LakeRules {
  const rows = readRows(sql);
  const find = (key: string) => rows.find((row) => row.key === key && row.scope === null)?.value ?? "";
  return {
    expireOlderThanMs: Math.max(
      parseAge(find("expire_older_than")) ?? DEFAULTS.expireOlderThanMs,
      LAKE_CATALOG_LIMITS.snapshotKeptMsMin,
    ),
    retainLast: Number(find("retain_last")) || DEFAULTS.retainLast,
    deleteOlderThanMs: Math.max(parseAge(find("delete_older_than")) ?? 0, LAKE_CATALOG_LIMITS.graceMs),
  };
}

// All keys of the source's table, read in one statement; with them the names of its rows that changed, where the source
// gives them.

import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import type { ChangedRows, KeyTotals, NamedRows } from "../../../extract/changes/changes.ts";
import type { Digest } from "../../../extract/changes/key-checksum.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import { extractInto } from "../../../extract/extract-table.ts";
import { sameName } from "../../../duckdb/names.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { NO_CHECKSUMS, checksumRanges, type RangeChecksums } from "../changes/range-checksums.ts";
import type { Baseline } from "../commit/checkpoint.ts";
import { countRows, namesOf, type ScratchTables } from "../rows/scratch-tables.ts";
import type { Merge } from "./check-mergeable.ts";

/** So few names stand in one statement that the source looks rows up by them, rather than at all of its rows. */
const NAMES_PER_STATEMENT = 5_000;
/** Beyond as many, another scan of the source's table takes less than looking its rows up. */
const NAMES_MAX = 50_000;

/** All keys of the source, in the view `name`, and their checksums. */
export type SourceKeys = { name: string; checksums: RangeChecksums };

/** The lake's key columns, in the key's order. */
export const keyColumns = ({ table, columnPlan: { columns } }: Merge): LakeColumn[] =>
  table.primaryKey.map(
    (key) => columns.find(({ name }) => sameName(name, table.columns.find((each) => each.name === key)!.lake.name))!,
  );

/** Checksums of the keys that the last run left to this one. */
export const lastKeys = ({ checkpoint: { baseline } }: Merge): RangeChecksums | undefined =>
  baseline?.kind === "mark" ? baseline.keys : undefined;

/** The digest of the keys that the lake's keys are compared with; any digest does where there are none. */
export const digestOf = (totals: KeyTotals | undefined, baseline: Baseline | null): Digest =>
  totals?.method === "here" && baseline?.kind === "mark" ? baseline.keys.digest : "sha256";

/** Reads all keys of the source, and nothing else: a lake row whose key is not among them was deleted. */
export const readSourceKeys = async (
  merge: Merge,
  { keys: totals }: Pick<ChangedRows, "keys">,
  scratch: ScratchTables,
): Promise<SourceKeys> => toSourceKeys(merge, totals, scratch, await readKeys(merge, scratch));

/** `rows`: how many rows satisfy one of `wheres`, where that is known. */
export type KeysAndNames = { sourceKeys: SourceKeys; wheres: string[]; rows?: number };

/**
 * Reads all keys, and finds by the names that come with them how the changed rows are read. Throws
 * {@link ReadAllInstead} as soon as more than `rowsMax` are named.
 */
export async function readKeysAndNames(
  merge: Merge,
  { keys: totals, wheres, named }: ChangedRows & { named: NamedRows },
  scratch: ScratchTables,
  rowsMax: number,
): Promise<KeysAndNames> {
  const { connection } = scratch;
  const table = await readKeys(merge, scratch, { ...named, rowsMax });
  const name = quoteIdentifier(named.column.lake.name);
  const rows = `FROM ${table} WHERE ${name} IS NOT NULL`;
  const count = await countRows(connection, rows);
  const sourceKeys = await toSourceKeys(merge, totals, scratch, table);
  if (count > NAMES_MAX) return { sourceKeys, wheres };
  const names = (await connection.runAndReadAll(`SELECT ${name} ${rows}`)).getRows().map(([text]) => String(text));
  const statements = Array.from({ length: Math.ceil(count / NAMES_PER_STATEMENT) }, (_, i) =>
    named.where(names.slice(i * NAMES_PER_STATEMENT, (i + 1) * NAMES_PER_STATEMENT)),
  );
  return { sourceKeys, wheres: statements, rows: count };
}

async function readKeys(
  { run, table, progress }: Merge,
  scratch: ScratchTables,
  named?: NamedRows & { rowsMax: number },
): Promise<string> {
  progress.phase = "reading";
  const name = scratch.name("keys");
  const { sourceSnapshot, staging } = run;
  const enough = new AbortController();
  await extractInto(name, {
    snapshot: sourceSnapshot,
    table,
    staging,
    signal: AbortSignal.any([run.signal, enough.signal]),
    only: table.primaryKey,
    ...(named ? { beside: named.column } : {}),
    onProgress: (rows, _bytes, rowsNamed) => {
      progress.rowsCompared = rows;
      if (named && rowsNamed > named.rowsMax) enough.abort(new ReadAllInstead(READ_ALL.manyRowsChanged));
    },
  });
  return name;
}

async function toSourceKeys(
  merge: Merge,
  totals: KeyTotals | undefined,
  { connection, name }: ScratchTables,
  table: string,
): Promise<SourceKeys> {
  const keys = keyColumns(merge);
  const view = name("cast_keys");
  await connection.run(`CREATE VIEW ${view} AS SELECT ${namesOf(keys)} FROM ${table}`);
  const checksums =
    totals?.method === "here"
      ? await checksumRanges(connection, `FROM ${view}`, keys, digestOf(totals, merge.checkpoint.baseline))
      : NO_CHECKSUMS;
  return { name: view, checksums };
}

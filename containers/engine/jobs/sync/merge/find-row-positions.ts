// Finds the row positions to delete in the lake's files: which files to fetch at all, and which of their rows.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { FirstBounds, ComparedRows } from "../../../extract/changes/changes.ts";
import { ownDigest } from "../../../extract/changes/key-checksum.ts";
import { PLANNED } from "../../../../../kernel/lake/constants.ts";
import type { LakeColumn, Predicate } from "../../../../../kernel/lake/lake.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import {
  findChangedRanges,
  hasRanges,
  joinRanges,
  mayLackKeys,
  NO_CHECKSUMS,
  predicatesOfRange,
  checksumRanges,
  type RangeChecksums,
} from "../changes/range-checksums.ts";
import { POSITION, type LakeFile, type LakeFiles, type LocalRows } from "../rows/lake-files.ts";
import { countRows, declare, isEqual, isSame, type ScratchTables } from "../rows/scratch-tables.ts";
import type { Baseline } from "../commit/checkpoint.ts";

export type Search = {
  plan: LakeFiles;
  /** The lake table's columns, as they are now. */
  columns: readonly LakeColumn[];
  /** The key's columns, in the key's order. */
  keys: readonly LakeColumn[];
  /** The table or view of the rows that were read of the source. */
  read: string;
  /** All keys of the source, where `compared` asks for them, and their checksums. */
  sourceKeys: { name: string; checksums: RangeChecksums } | undefined;
  compared: ComparedRows;
  /** The last run's baseline, which the source is compared with. */
  baseline: Baseline | null;
};

/**
 * `hits`: lake rows as {@link HIT} says, and their keys beside. `deleted`: positions that were deleted before.
 * `keysGone`: the number of hits whose key the source has no more, where all its keys were read.
 */
export type RowPositions = { hits: string; deleted: string; keysGone: number };

/**
 * The columns of a hit: its file, its row position, and whether the source has the row unchanged. The names are chosen
 * so that no key column has them.
 */
export const HIT = { file: '"fjord file"', position: POSITION, same: '"fjord same"' };

const FOUND = '"fjord found"';

export async function findRowPositions(scratch: ScratchTables, search: Search): Promise<RowPositions> {
  const { connection, name } = scratch;
  const [hits, deleted] = [name("hits"), name("deleted")];
  await connection.run(
    `CREATE TEMP TABLE ${hits} (${HIT.file} BIGINT, ${HIT.position} BIGINT, ${HIT.same} BOOLEAN,
      ${declare(search.keys)})`,
  );
  await connection.run(`CREATE TEMP TABLE ${deleted} (file BIGINT, position BIGINT)`);
  const { anyOf, looksForLost } = await planSearch(connection, search);
  const columnsOf = (file: LakeFile): readonly LakeColumn[] =>
    comparesKeysAlone(search, file) ? search.keys : search.columns;
  let keysGone = 0;
  await search.plan.each(anyOf, columnsOf, async (file, rows) => {
    if (search.compared.kind === "ranges")
      await findInRanges(connection, search, { hits, file, rows }, search.compared);
    else {
      await findReadKeys(connection, search, { hits, file, rows });
      if (looksForLost) keysGone += await findLostKeys(connection, search, { hits, file, rows });
    }
    if (rows.deleted) await connection.run(`INSERT INTO ${deleted} SELECT ${file.id}, pos ${rows.deleted}`);
  });
  return { hits, deleted, keysGone };
}

/**
 * Whether rows of a larger file are found by their keys alone. Where the source says by a mark which rows were written,
 * those it has named have changed, give or take a few: to see which have not would take all columns of all rows around
 * them. Most rows of a range whose digest changed are as they were.
 */
const comparesKeysAlone = ({ compared, baseline }: Search, { bytes }: LakeFile): boolean =>
  compared.kind === "keys" && baseline?.kind === "mark" && bytes > COMPARED_BYTES_MAX;
const COMPARED_BYTES_MAX = 4 * 1024 * 1024;

/** One of the lake's files, fetched, and the table its hits go to. */
type FileSearch = { hits: string; file: LakeFile; rows: LocalRows };

/** The SQL before the FROM clause: its `f` are the lake's rows, and `same` an expression. */
const insertHits = ({ hits, file }: FileSearch, keys: readonly LakeColumn[], same: string): string => {
  const keyColumns = keys.map((key) => `f.${quoteIdentifier(key.name)}`);
  return `INSERT INTO ${hits} SELECT ${file.id}, f.${POSITION}, ${same}, ${keyColumns.join(", ")} FROM`;
};

/** All of the lake's rows within the ranges that changed are hits: those that were not read are gone. */
async function findInRanges(
  connection: DuckDBConnection,
  { columns, keys, read }: Search,
  found: FileSearch,
  { lakeWhere }: Extract<ComparedRows, { kind: "ranges" }>,
): Promise<void> {
  const source = `(SELECT *, true AS ${FOUND} FROM ${read})`;
  const same = `coalesce(c.${FOUND}, false) AND ${isSame("c", "f", columns)}`;
  await connection.run(
    `${insertHits(found, keys, same)} (SELECT * ${found.rows.left} WHERE ${lakeWhere}) AS f
      LEFT JOIN ${source} AS c ON ${isEqual("c", "f", keys)}`,
  );
}

/** Rows whose key was read are hits. */
async function findReadKeys(connection: DuckDBConnection, search: Search, found: FileSearch): Promise<void> {
  const { columns, keys, read } = search;
  const same = comparesKeysAlone(search, found.file) ? "false" : isSame("c", "f", columns);
  await connection.run(
    `${insertHits(found, keys, same)} (SELECT * ${found.rows.left}) AS f
      JOIN ${read} AS c ON ${isEqual("c", "f", keys)}`,
  );
}

/** Rows whose key the source has no more are hits, where all its keys were read. Answers how many there are. */
async function findLostKeys(
  connection: DuckDBConnection,
  { keys, read, sourceKeys }: Search,
  found: FileSearch,
): Promise<number> {
  if (!sourceKeys) return 0;
  const { file, rows } = found;
  const lake = `(SELECT * ${rows.left})`;
  const near = await nearKeys(connection, sourceKeys.name, keys, lake);
  // Where the source has as many keys of the file as the file has rows, none is gone: to count them is a third of the
  // work of looking for each.
  const there = await countRows(connection, `FROM ${near} AS k SEMI JOIN ${lake} AS f ON ${isEqual("k", "f", keys)}`);
  if (there === file.rows - (file.deletes?.rows ?? 0)) return 0;
  // A row that was read is a hit already, although a table without transactions may have lost its key since.
  const { rowsChanged } = await connection.run(
    `${insertHits(found, keys, "false")} ${lake} AS f ANTI JOIN ${near} AS k ON ${isEqual("k", "f", keys)}
      ANTI JOIN ${read} AS c ON ${isEqual("c", "f", keys)}`,
  );
  return rowsChanged;
}

/**
 * The source's keys that may lie among a file's: of a table of many files each would otherwise be held against all
 * keys. A date that is none is NULL in the lake.
 */
async function nearKeys(
  connection: DuckDBConnection,
  sourceKeys: string,
  [first]: readonly LakeColumn[],
  rows: string,
): Promise<string> {
  if (!first || !hasRanges(first)) return sourceKeys;
  const [column, type] = [quoteIdentifier(first.name), duckdbType(first)];
  const [[low = null, high = null] = []] = (
    await connection.runAndReadAll(`SELECT min(${column})::VARCHAR, max(${column})::VARCHAR FROM ${rows}`)
  ).getRows() as (string | null)[][];
  return low === null || high === null
    ? sourceKeys
    : `(SELECT * FROM ${sourceKeys} WHERE ${column} BETWEEN ${quoteLiteral(low)}::${type} AND ` +
        `${quoteLiteral(high)}::${type} OR ${column} IS NULL)`;
}

/**
 * `anyOf`: conditions of which the rows to be found satisfy one; none where no row does. `looksForLost`: whether keys
 * of the lake may be gone at the source.
 */
type SearchPlan = { anyOf: Predicate[][]; looksForLost: boolean };

async function planSearch(
  connection: DuckDBConnection,
  { compared, sourceKeys, baseline, read, keys }: Search,
): Promise<SearchPlan> {
  const [first] = keys;
  const everywhere: Predicate[][] = [[]];
  if (!first) return { anyOf: everywhere, looksForLost: true };
  if (compared.kind === "ranges")
    return { anyOf: compared.lakeWhere === "" ? [] : withinBounds(first, compared.bounds), looksForLost: false };
  if (sourceKeys && baseline?.kind !== "mark") return { anyOf: everywhere, looksForLost: true };
  const digest = baseline?.kind === "mark" ? baseline.keys.digest : await ownDigest(connection);
  const changed = await checksumRanges(connection, `FROM ${read}`, keys, digest);
  const [now, before] =
    sourceKeys && baseline?.kind === "mark" ? [sourceKeys.checksums, baseline.keys] : [NO_CHECKSUMS, NO_CHECKSUMS];
  const ranges = findChangedRanges(now, before, changed);
  return {
    anyOf: ranges === "everywhere" ? everywhere : joinRanges(ranges).map((range) => predicatesOfRange(first, range)),
    looksForLost: sourceKeys !== undefined && mayLackKeys(now, before, changed),
  };
}

/** Ranges are in the order of the key, so neighbours can be taken for one. */
function withinBounds({ id }: LakeColumn, bounds: readonly FirstBounds[]): Predicate[][] {
  const groups: Predicate[][] = [];
  const size = Math.ceil(bounds.length / PLANNED.listsMax);
  for (let i = 0; i < bounds.length; i += size) {
    const [low, high] = [bounds[i], bounds[Math.min(i + size, bounds.length) - 1]];
    const from = low?.from ?? null;
    const upTo = high?.upTo ?? null;
    groups.push([
      ...(from === null ? [] : [{ columnId: id, op: ">=" as const, values: [from] }]),
      ...(upTo === null ? [] : [{ columnId: id, op: "<=" as const, values: [upTo] }]),
    ]);
  }
  return groups;
}

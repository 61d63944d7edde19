// Where in the lake's files the rows lie that have to go: which files to fetch at all, and which of their positions.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { FirstBounds } from "../../../sources/mysql/extraction/key-ranges.ts";
import { PLANNED, type LakeColumn, type Predicate } from "../../../contract/lake.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import type { Scope } from "../changes/find-changes.ts";
import {
  findChangedRanges,
  hasRanges,
  joinRanges,
  NO_CHECKSUMS,
  predicatesOfRange,
  checksumRanges,
  type RangeChecksums,
} from "../changes/range-checksums.ts";
import { POSITION, type LakeFiles } from "../rows/lake-files.ts";
import { countRows, declare, isEqual, isSame, type ScratchTables } from "../rows/scratch-tables.ts";
import type { Baseline } from "../commit/checkpoint.ts";

export type Search = {
  plan: LakeFiles;
  /** The lake's, as they are now. */
  columns: readonly LakeColumn[];
  /** The key's, in its order. */
  keys: readonly LakeColumn[];
  /** The rows that were read of the source. */
  read: string;
  /** All keys of the source, where `scope` asks for them, and their sums. */
  sourceKeys: { name: string; spans: RangeChecksums } | undefined;
  scope: Scope;
  /** Of the last run. */
  memory: Baseline | null;
};

/** `hits`: lake rows as {@link HIT} says, and their keys beside. `deleted`: positions that were deleted before. */
export type RowPositions = { hits: string; deleted: string; bytesFetched: number };

/**
 * Of a hit: where it lies, and whether the source has it as it is. No names a key might have, as `position` is one's.
 */
export const HIT = { file: '"fjord file"', position: POSITION, same: '"fjord same"' };

const FOUND = '"fjord found"';

export async function findRowPositions({ connection, name }: ScratchTables, search: Search): Promise<RowPositions> {
  const { plan, columns, keys, read, sourceKeys, scope } = search;
  const [hits, deleted] = [name("hits"), name("deleted")];
  await connection.run(
    `CREATE TEMP TABLE ${hits} (${HIT.file} BIGINT, ${HIT.position} BIGINT, ${HIT.same} BOOLEAN, ${declare(keys)})`,
  );
  await connection.run(`CREATE TEMP TABLE ${deleted} (file BIGINT, position BIGINT)`);
  const looking = await whereToLook(connection, search);
  const hit = (id: number, same: string): string =>
    `INSERT INTO ${hits} SELECT ${id}, f.${POSITION}, ${same}, ${keys.map((key) => `f.${quoteIdentifier(key.name)}`).join(", ")} FROM`;
  const bytesFetched = await plan.each(looking, columns, async ({ id, rows: count, deletes }, rows) => {
    if (scope.kind === "ranges") {
      const found = `(SELECT *, true AS ${FOUND} FROM ${read})`;
      await connection.run(
        `${hit(id, `coalesce(c.${FOUND}, false) AND ${isSame("c", "f", columns)}`)} (SELECT * ${rows.left} WHERE ${scope.lakeWhere}) AS f LEFT JOIN ${found} AS c ON ${isEqual("c", "f", keys)}`,
      );
    } else {
      const lake = `(SELECT * ${rows.left})`;
      await connection.run(
        `${hit(id, isSame("c", "f", columns))} ${lake} AS f JOIN ${read} AS c ON ${isEqual("c", "f", keys)}`,
      );
      const near = sourceKeys && (await nearKeys(connection, sourceKeys.name, keys, lake));
      // Where the source has as many keys of the file as the file has rows, none is gone: to count them is a third of
      // the work of looking for each.
      if (
        near &&
        (await countRows(connection, `FROM ${near} AS k SEMI JOIN ${lake} AS f ON ${isEqual("k", "f", keys)}`)) !==
          count - (deletes?.rows ?? 0)
      ) {
        // A row that was read is a hit already, although a table without transactions may have lost its key since.
        await connection.run(
          `${hit(id, "false")} ${lake} AS f ANTI JOIN ${near} AS k ON ${isEqual("k", "f", keys)} ANTI JOIN ${read} AS c ON ${isEqual("c", "f", keys)}`,
        );
      }
    }
    if (rows.deleted) await connection.run(`INSERT INTO ${deleted} SELECT ${id}, pos ${rows.deleted}`);
  });
  return { hits, deleted, bytesFetched };
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
    : `(SELECT * FROM ${sourceKeys} WHERE ${column} BETWEEN ${quoteLiteral(low)}::${type} AND ${quoteLiteral(high)}::${type} OR ${column} IS NULL)`;
}

/** Conditions of which the rows that matter satisfy one; none where no row does. */
async function whereToLook(
  connection: DuckDBConnection,
  { scope, sourceKeys, memory, read, keys }: Search,
): Promise<Predicate[][]> {
  const [first] = keys;
  const everywhere: Predicate[][] = [[]];
  if (!first) return everywhere;
  if (scope.kind === "ranges") return scope.lakeWhere === "" ? [] : withinBounds(first, scope.bounds);
  if (sourceKeys && memory?.kind !== "postgres") return everywhere;
  const changed = await checksumRanges(connection, `FROM ${read}`, keys);
  const stretches =
    sourceKeys && memory?.kind === "postgres"
      ? findChangedRanges(sourceKeys.spans, memory.keys, changed)
      : findChangedRanges(NO_CHECKSUMS, NO_CHECKSUMS, changed);
  return stretches === "everywhere"
    ? everywhere
    : joinRanges(stretches).map((stretch) => predicatesOfRange(first, stretch));
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

// An `append` compares the rows that were read of a source with the lake's, and finds those that the lake does not
// have. With a key, rows are told by it; without one, equal rows are counted.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { PartUploads } from "../../../platform/part-uploads.ts";
import { castColumns, countRows, declare, isEqual, namesOf, type ScratchTables } from "../rows/scratch-tables.ts";
import { uploadPart, uploadRows, type ReadSize } from "../rows/upload-rows.ts";
import { columnsWithGaps } from "../commit/commit-table.ts";
import type { PreparedTable } from "../sync-run.ts";
import { loadLakeRows, type RowsToCompare } from "./load-lake-rows.ts";

/** Rows that were read of the source. Rows of a table with a key are in files. */
export type ReadRows = { size: ReadSize } & ({ kind: "keyed"; files: string[] } | { kind: "keyless"; table: string });

export type Comparison = {
  /** The view of all rows that were read, in the lake's types. */
  rows: string;
  /** How many of them the lake has as they are. */
  same: number;
  /** How many of them the lake has by their key, with other values. */
  changed: number;
  /** Uploads the rows that the lake lacks, with or without the `changed` rows. */
  upload(uploads: PartUploads, withChanged: boolean): Promise<void>;
};

/** `known`: how many of the rows that were read the lake has, as they are or by their key. */
type Compared = Pick<Comparison, "same" | "upload"> & { known: number };

type Rows = {
  rows: string;
  /** The lake's columns that the source has. */
  columns: LakeColumn[];
  /** The `columns` in which some rows of the lake have NULL, as no value was there when they were written. */
  gaps: LakeColumn[];
};

/** Compares the rows. The scratch tables that it makes live as long as `scratch`. */
export async function compareRows(order: RowsToCompare, read: ReadRows, scratch: ScratchTables): Promise<Comparison> {
  const { table, columnPlan } = order.prepared;
  const columns = columnPlan.columns.filter((column) => isOf(column, table.columns));
  const withGaps = columnsWithGaps(order.prepared);
  const gapped = columns.filter(({ name }) => withGaps.some((gap) => sameName(gap, name)));
  const gaps = gapped.length < columns.length ? gapped : [];
  const rows = scratch.name("cast");
  const from = read.kind === "keyless" ? read.table : rowsIn(read.files, columns);
  await scratch.connection.run(`CREATE VIEW ${rows} AS SELECT ${castColumns(columns)} FROM ${from}`);
  const { known, same, upload } = await (read.kind === "keyed"
    ? compareByKey(order, read, { rows, columns, gaps }, scratch)
    : compareByCount(order, read, { rows, columns, gaps }, scratch));
  return { rows, same, changed: known - same, upload };
}

const isOf = (column: LakeColumn, of: PreparedTable["table"]["columns"]): boolean =>
  of.some(({ lake }) => sameName(lake.name, column.name));

function rowsIn(files: readonly string[], columns: readonly LakeColumn[]): string {
  if (files.length > 0) return `read_parquet([${files.map(quoteLiteral).join(", ")}])`;
  return `(SELECT ${columns.map(({ name }) => `NULL AS ${quoteIdentifier(name)}`).join(", ")} WHERE false)`;
}

/** Digests of a row's values, but for its key and cursor. No names a column might have. */
const DIGEST = { values: '"fjord values"', gaps: '"fjord gaps"' };

/**
 * A key and its cursor name one state of a row: a changed row whose cursor grew is added beside its earlier self. A row
 * whose cursor is larger than the last run's largest is new, although the lake may have one of its key from before the
 * source's numbers began anew. A digest stands for the other columns, so that large values need not lie in memory.
 */
async function compareByKey(
  order: RowsToCompare,
  read: ReadRows & { kind: "keyed" },
  { rows, columns, gaps }: Rows,
  scratch: ScratchTables,
): Promise<Compared> {
  const { run, table, cursor } = order.prepared;
  const { connection } = scratch;
  const known = scratch.name("known");
  const named = new Set([...table.primaryKey, ...(cursor ? [cursor.column.name] : [])]);
  const naming = table.columns.filter(({ name }) => named.has(name));
  const identity = columns.filter((column) => isOf(column, naming));
  const values = columns.filter((column) => !identity.includes(column) && !gaps.includes(column));
  const later = gaps.filter((column) => !identity.includes(column));
  await connection.run(
    `CREATE TEMP TABLE ${known} (${declare(identity)}, ${DIGEST.values} UBIGINT, ${DIGEST.gaps} UBIGINT)`,
  );
  const isGap = later.map(({ name }) => `${quoteIdentifier(name)} IS NULL`).join(" AND ");
  const laterInLake = later.length === 0 ? "NULL" : `CASE WHEN ${isGap} THEN NULL ELSE ${digestOf(later)} END`;
  const withDigests = (from: string): string =>
    `(SELECT *, ${digestOf(values)} AS ${DIGEST.values}, ${digestOf(later)} AS ${DIGEST.gaps} FROM ${from}) AS r`;
  const states = scratch.name("states");
  await connection.run(
    `CREATE TEMP TABLE ${states} AS
      SELECT ${namesOf(identity)}, ${DIGEST.values}, ${DIGEST.gaps} FROM ${withDigests(rows)}`,
  );
  if (read.size.rows > 0)
    await loadLakeRows(order, connection, {
      columns,
      identity,
      select: `${namesOf(identity)}, ${digestOf(values)}, ${laterInLake}`,
      read: states,
      into: known,
    });
  const isKnown = (and = ""): string =>
    `EXISTS (SELECT 1 FROM ${known} AS k WHERE ${isEqual("k", "r", identity)}${and})`;
  const sameValues = ` AND k.${DIGEST.values} = r.${DIGEST.values}`;
  const sameGaps = ` AND k.${DIGEST.gaps} = r.${DIGEST.gaps}`;
  const isSame =
    later.length === 0
      ? isKnown(sameValues)
      : `(${isKnown(`${sameValues} AND k.${DIGEST.gaps} IS NULL`)} OR ${isKnown(sameValues + sameGaps)})`;
  const count = (condition: string): Promise<number> => countRows(connection, `FROM ${states} AS r WHERE ${condition}`);
  return {
    known: await count(isKnown()),
    same: await count(isSame),
    async upload(uploads, withChanged) {
      const isNew = `NOT ${withChanged ? isSame : isKnown()}`;
      for (const file of read.files) {
        const part = withDigests(`(SELECT ${castColumns(columns)} FROM ${rowsIn([file], columns)})`);
        const select = `SELECT ${namesOf(columns)} FROM ${part} WHERE ${isNew}`;
        await uploadPart({ run, connection, columns, uploads }, select);
      }
    },
  };
}

const digestOf = (columns: readonly LakeColumn[]): string =>
  columns.length === 0 ? "0::UBIGINT" : `hash(${namesOf(columns)})`;

/** Without a key, equal rows are counted: as many as the lake lacks are new. */
async function compareByCount(
  order: RowsToCompare,
  read: ReadRows & { kind: "keyless" },
  { rows, columns, gaps }: Rows,
  scratch: ScratchTables,
): Promise<Compared> {
  const { run } = order.prepared;
  const { connection } = scratch;
  const known = scratch.name("known");
  await connection.run(`CREATE TEMP TABLE ${known} (${declare(columns)})`);
  const others = columns.filter((column) => !gaps.includes(column));
  if (read.size.rows > 0)
    await loadLakeRows(order, connection, {
      columns,
      identity: others,
      select: namesOf(columns),
      read: rows,
      into: known,
    });
  let fresh = scratch.name("fresh");
  await connection.run(`CREATE TEMP TABLE ${fresh} AS ${lacking(rows, known, columns, columns)}`);
  if (gaps.length > 0) {
    const [old, left] = [scratch.name("old"), scratch.name("left")];
    const isGap = gaps.map(({ name }) => `${quoteIdentifier(name)} IS NULL`).join(" AND ");
    const gapped = `(SELECT * FROM ${known} WHERE ${isGap})`;
    await connection.run(`CREATE TEMP TABLE ${old} AS ${lacking(gapped, rows, columns, columns)}`);
    await connection.run(`CREATE TEMP TABLE ${left} AS ${lacking(fresh, old, columns, others)}`);
    fresh = left;
  }
  const same = read.size.rows - (await countRows(connection, `FROM ${fresh}`));
  return {
    known: same,
    same,
    upload: async (uploads) => void (await uploadRows({ run, connection, columns, uploads }, fresh, read.size)),
  };
}

/** The rows of `all` beyond as many as `known` has that are equal to them in the columns `by`. */
const lacking = (
  all: string,
  known: string,
  columns: readonly LakeColumn[],
  by: readonly LakeColumn[],
): string => `SELECT ${columns.map(({ name }) => `r.${quoteIdentifier(name)}`).join(", ")}
  FROM (SELECT *, row_number() OVER (PARTITION BY ${namesOf(by)}) AS "fjord nth" FROM ${all}) AS r
  LEFT JOIN (SELECT ${namesOf(by)}, count(*) AS "fjord rows" FROM ${known} GROUP BY ALL) AS k
    ON ${isEqual("k", "r", by)}
  WHERE "fjord nth" > coalesce("fjord rows", 0)`;

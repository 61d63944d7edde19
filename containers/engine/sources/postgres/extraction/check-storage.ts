// A table is read as a snapshot saw it only while its name and its storage are those that the snapshot described.

import { Failure } from "../../../core/failure.ts";
import type { SourceTableName } from "../../../extract/source-table.ts";
import { ServerError } from "../connection/errors.ts";
import { quoteLiteral, quoteTable } from "../sql-text.ts";
import { changedMeanwhile, type PostgresTable } from "./describe-table.ts";
import type { PostgresSession } from "./session.ts";

/**
 * Locks the table against changes of its form and its name, as reading it does, and sees whether the name still means
 * the table that was described, for rows are read by it, and whether its rows still lie where the snapshot saw them: a
 * table that was truncated or rewritten since would look empty to the snapshot. Returns the table's number of pages, or
 * 0 where it has to be read in one piece.
 */
export async function checkStorage(
  session: PostgresSession,
  table: PostgresTable,
  signal: AbortSignal,
): Promise<number> {
  const [[isRenamed, moved, pages] = []] = await session.fetchRows(
    `SELECT FROM ${quoteTable(table)} LIMIT 0;
    SELECT pg_catalog.to_regclass(${quoteLiteral(quoteTable(table))})::pg_catalog.oid IS DISTINCT FROM ${table.oid},
      (SELECT count(*) FROM pg_catalog.pg_class
        WHERE oid = ANY (ARRAY[${table.storage.join(", ")}]::pg_catalog.oid[]) AND relkind IN ('r', 'm')
          AND relfilenode IS DISTINCT FROM pg_catalog.pg_relation_filenode(oid)),
      ${pagesOf(table)}`,
    "tnN",
    signal,
  );
  if (isRenamed !== "f") throw changedMeanwhile(table);
  if (moved !== "0")
    throw new Failure(
      "busy",
      `Table ${table.schema}.${table.name} was truncated or rewritten after this run began; try again.`,
    );
  return Number(pages ?? 0);
}

/** Scans by ranges of pages came with version 14. They are for tables of PostgreSQL's own storage that lie in one. */
const pagesOf = ({ oid, storage, untrackedReason }: PostgresTable): string =>
  storage.length === 1 && untrackedReason === undefined
    ? `CASE WHEN pg_catalog.current_setting('server_version_num')::int >= 140000
        THEN pg_catalog.pg_relation_size(${oid}) / pg_catalog.current_setting('block_size')::int END`
    : "NULL";

/** No such table, no such column. */
const GONE = ["42P01", "42703"];

/** The table is not as the snapshot described it any more; a later snapshot sees it as it is. */
export function toChanged(error: unknown, table: SourceTableName): unknown {
  const cause = error instanceof Failure ? error.cause : undefined;
  return cause instanceof ServerError && GONE.includes(cause.code) ? changedMeanwhile(table, cause) : error;
}

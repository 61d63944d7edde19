// A merge reads the rows of the key partitions of a Redshift table whose digests changed since the last run. The key
// need not be unique for that: two rows with one key are both in the partition that is read, and a merge that finds
// them reads the table as a whole.

import { readWholeTable, type ChangeRequest, type ChangeReport } from "../../../extract/changes/changes.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import type { SourceTable } from "../../../extract/source-table.ts";
import { findChangedPartitions } from "../../digests/find-changes.ts";
import { quoteIdentifier, quoteTable } from "../../postgres/sql-text.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import type { RedshiftTable } from "./describe-table.ts";
import { digestDialect } from "./digest-dialect.ts";

export async function findChanges(snapshot: SnapshotRows, request: ChangeRequest): Promise<ChangeReport> {
  const { table, isFirstRun } = request;
  const dialect = (table as RedshiftTable).isStored ? digestDialect(snapshot, table) : undefined;
  if (!dialect) return readWholeTable(isFirstRun ? READ_ALL.firstRun : READ_ALL.notHashable);
  return findChangedPartitions(dialect, request);
}

/** Whether no two rows have the same key, as Redshift compares texts: blanks at their end don't count. */
export async function keyIsUnique(snapshot: SnapshotRows, table: SourceTable, signal: AbortSignal): Promise<boolean> {
  const key = table.primaryKey.map(quoteIdentifier).join(", ");
  const [[doubles] = []] = await snapshot.fetchRows(
    `SELECT COUNT(*) FROM (SELECT ${key} FROM ${quoteTable(table)} GROUP BY ${key} HAVING COUNT(*) > 1 LIMIT 1) fjord_t`,
    "n",
    signal,
  );
  return doubles === "0";
}

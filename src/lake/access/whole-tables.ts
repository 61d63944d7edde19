// Tables that are granted whole: only their files are handed out, for a reader of files can be shown no part of them.

import { decideTable } from "../../../kernel/access/decide-table.ts";
import { readKnownTables } from "./known-tables.ts";
import type { Reader } from "./readers.ts";

/**
 * Tells of a table's id whether its reader may see all rows of all columns that the table ever had: files hold the
 * values of columns that were dropped since. `tableIds` are the ids that are asked about.
 */
export function openWholeTables(
  reader: Reader,
  sql: SqlStorage,
  tableIds?: readonly number[],
): (tableId: number) => boolean {
  if (reader === "everything") return () => true;
  const known = readKnownTables(sql, "ever", tableIds);
  return (tableId) => {
    const table = known.get(tableId);
    return table !== undefined && decideTable(reader, table) === "whole";
  };
}

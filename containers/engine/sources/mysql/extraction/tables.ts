// The tables that a MySQL server has.

import type { FetchRows } from "../../row-collector.ts";
import { listedTables, type ListedTable } from "../../snapshot.ts";

export const listTables = async (fetchRows: FetchRows): Promise<ListedTable[]> =>
  listedTables(await fetchRows(TABLES, "tttN"));

const TABLES = `
  SELECT table_schema, table_name, IF(table_type LIKE '%VIEW%', '1', '0'), table_rows FROM information_schema.tables
  WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
    AND table_type <> 'SEQUENCE' ORDER BY 1, 2`;

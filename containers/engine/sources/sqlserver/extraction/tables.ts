// The tables of a SQL Server database, and how it compares their names.

import type { FetchRows } from "../../row-collector.ts";
import { listedTables, type ListedTable } from "../../snapshot.ts";

export const listTables = async (fetchRows: FetchRows): Promise<ListedTable[]> =>
  listedTables(await fetchRows(TABLES, "ttnN"));

const TABLES = `
  SELECT s.name AS schema_name, o.name, CASE WHEN o.type = 'V' THEN 1 ELSE 0 END AS is_view,
    CASE WHEN o.type = 'V' THEN NULL ELSE (SELECT SUM(p.rows) FROM sys.partitions p
      WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)) END AS row_count
  FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
  WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 AND EXISTS (SELECT 1 FROM sys.columns c
    WHERE c.object_id = o.object_id
      AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), 'OBJECT', 'SELECT', c.name, 'COLUMN') = 1)
  ORDER BY s.name, o.name`;

// The tables and columns of a source, read when they are asked for: the list of tables first, the columns of a table
// when it is opened or named in a text.

import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { ofCatalog, tablesSql } from "../../../api/tables-sql.ts";
import { askRows } from "../run/send-statement.ts";
import type { Question } from "../run/run.ts";
import type { DatabaseKind } from "../text/dialects.ts";

export type SourceTable = { schema: string; name: string; isView: boolean };
export type SourceColumn = { name: string; type: string };
/** `integrationId` is null for the lake. `catalog` begins the names of its tables. */
export type DataSource = { integrationId: string | null; kind: DatabaseKind; name: string; catalog?: string };

const FRESH_MS = 60_000;

type Statement = { sql: string; source: DataSource; values?: Question["values"]; signal: AbortSignal };

const ask = ({ sql, source, values = {}, signal }: Statement) =>
  askRows(sql, { sql, integrationId: source.integrationId, values }, signal);

export const tablesQuery = (source: DataSource) =>
  queryOptions({
    queryKey: ["query-schema", source.integrationId],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }): Promise<SourceTable[]> => {
      const { rows } = await ask({ sql: tablesSql(source.kind === "lake"), source, signal });
      return rows.map(([schema, name, type]) => ({ schema: schema!, name: name!, isView: /view/i.test(type ?? "") }));
    },
  });

export const columnsQuery = (source: DataSource, { schema, name }: { schema: string; name: string }) =>
  queryOptions({
    queryKey: ["query-schema", source.integrationId, schema, name],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }): Promise<SourceColumn[]> => {
      const sql =
        "SELECT column_name, data_type FROM information_schema.columns " +
        `WHERE table_schema = $schema AND table_name = $name${ofCatalog(source.kind === "lake")} ORDER BY ordinal_position`;
      const values = { schema: { type: "text", text: schema }, name: { type: "text", text: name } } as const;
      const { rows } = await ask({ sql, source, values, signal });
      return rows.map(([column, type]) => ({ name: column!, type: type! }));
    },
  });

export const useTables = (source: DataSource) => useQuery(tablesQuery(source));

/** Tables with their columns, as far as they are known. */
export function useWithColumns(source: DataSource, tables: readonly SourceTable[]) {
  return useQueries({
    queries: tables.map((table) => columnsQuery(source, table)),
    combine: (answers) => answers.map(({ data }, at) => ({ ...tables[at]!, columns: data ?? [] })),
  });
}

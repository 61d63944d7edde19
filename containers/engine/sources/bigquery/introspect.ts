// Lists a BigQuery project's datasets with their tables and views, columns and declared keys, by API calls that cost
// nothing.

import type { ForeignKey, Introspection } from "../../../../kernel/wire/source.ts";
import { INTROSPECTION_LIMITS, type SourceOf } from "../connector.ts";
import { introspectWhole, type IntrospectedTable } from "../introspection/introspected-tables.ts";
import { connect, type BigQueryConnection } from "./connection/connect.ts";
import { connectionFailure, GoogleError, protocolViolation } from "./connection/errors.ts";
import { DatasetList, Table, TableList, type TableReference } from "./connection/resources.ts";
import { isRepeated, typeText } from "./rows/column-types.ts";

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;
const LIST_ROWS = 1_000;
/** Each table is a call of its own; the service takes some hundred a second of one account. */
const CALLS_AT_ONCE = 12;

/** Lists the project's datasets, in the given location where the credentials name one. */
export async function introspectBigquery(
  { credentials }: SourceOf<"bigquery">,
  signal: AbortSignal,
): Promise<Introspection> {
  const connection = await connect(credentials, signal);
  try {
    const references = await listTables(connection, signal, tablesMax + 1);
    const tables = await describeTables(connection, references.slice(0, tablesMax), signal);
    const listed = tables.map((table) => ({ schema: table.tableReference.datasetId, table: describe(table) }));
    return introspectWhole(listed, references.length > tablesMax);
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionFailure(error);
  } finally {
    await connection.close();
  }
}

/** Names of the project's datasets, in their order. */
export async function listDatasets(connection: BigQueryConnection, signal: AbortSignal): Promise<string[]> {
  const wanted = connection.rest.credentials.location?.toLowerCase();
  const found = await listAll(async (pageToken) => {
    const { datasets = [], nextPageToken } = await connection.get({
      path: ["datasets"],
      query: { maxResults: String(LIST_ROWS), pageToken },
      answer: DatasetList,
      signal,
    });
    return { listed: datasets, nextPageToken };
  }, tablesMax);
  return found
    .filter(({ location }) => wanted === undefined || location?.toLowerCase() === wanted)
    .map(({ datasetReference }) => datasetReference.datasetId)
    .sort();
}

/** References to the project's tables and views, at most so many, by dataset and name. */
export async function listTables(
  connection: BigQueryConnection,
  signal: AbortSignal,
  most: number,
): Promise<(TableReference & { type: string })[]> {
  const listed: (TableReference & { type: string })[] = [];
  for (const dataset of await listDatasets(connection, signal)) {
    const found = await listAll(async (pageToken) => {
      const { tables = [], nextPageToken } = await connection.get({
        path: ["datasets", dataset, "tables"],
        query: { maxResults: String(LIST_ROWS), pageToken },
        answer: TableList,
        signal,
      });
      return { listed: tables, nextPageToken };
    }, most - listed.length);
    listed.push(...found.map(({ tableReference, type }) => ({ ...tableReference, type })));
    if (listed.length >= most) break;
  }
  return listed;
}

/** Every page of a list, until there are so many; a list that goes round ends in an error. */
async function listAll<T>(
  fetch: (pageToken: string | undefined) => Promise<{ listed: T[]; nextPageToken?: string | undefined }>,
  most: number,
): Promise<T[]> {
  const all: T[] = [];
  const tokens = new Set<string>();
  for (let pageToken: string | undefined; ; ) {
    const { listed, nextPageToken } = await fetch(pageToken);
    all.push(...listed);
    if (nextPageToken === undefined || all.length >= most) return all.slice(0, most);
    if (tokens.has(nextPageToken)) protocolViolation("a list is followed by a page that was read before");
    tokens.add(nextPageToken);
    pageToken = nextPageToken;
  }
}

export const fetchTable = (
  connection: BigQueryConnection,
  { datasetId, tableId }: Pick<TableReference, "datasetId" | "tableId">,
  signal: AbortSignal,
): Promise<Table> => connection.get({ path: ["datasets", datasetId, "tables", tableId], answer: Table, signal });

/** In the order of the references. One that is gone meanwhile, or may not be seen, is left out. */
async function describeTables(
  connection: BigQueryConnection,
  references: readonly TableReference[],
  signal: AbortSignal,
): Promise<Table[]> {
  const tables: (Table | undefined)[] = [];
  let next = 0;
  let columns = 0;
  const work = async (): Promise<void> => {
    while (next < references.length && columns <= columnsMax) {
      const at = next++;
      tables[at] = await fetchTable(connection, references[at]!, signal).catch(unlessHidden);
      columns += tables[at]?.schema?.fields?.length ?? 0;
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  return tables.filter((table) => table !== undefined);
}

const unlessHidden = (error: unknown): undefined => {
  if (error instanceof GoogleError && (error.status === 404 || error.status === 403)) return undefined;
  throw error;
};

const KINDS: Record<string, IntrospectedTable["kind"]> = {
  TABLE: "table",
  SNAPSHOT: "table",
  VIEW: "view",
  MATERIALIZED_VIEW: "materialized",
  EXTERNAL: "foreign",
};

function describe(table: Table): IntrospectedTable {
  const { tableReference, type, description, schema, numRows, numBytes, tableConstraints } = table;
  return {
    name: tableReference.tableId,
    kind: KINDS[type] ?? "view",
    comment: description ?? null,
    rowsEstimate: type === "VIEW" || numRows === undefined ? null : Number(numRows),
    bytesEstimate: type === "VIEW" || numBytes === undefined ? null : Number(numBytes),
    columns: (schema?.fields ?? []).map((field) => ({
      name: field.name,
      type: typeText(field),
      nullable: field.mode !== "REQUIRED" && !isRepeated(field),
      comment: field.description ?? null,
    })),
    primaryKey: tableConstraints?.primaryKey?.columns ?? [],
    foreignKeys: (tableConstraints?.foreignKeys ?? []).map(
      ({ referencedTable, columnReferences }): ForeignKey => ({
        columns: columnReferences.map(({ referencingColumn }) => referencingColumn),
        schema: referencedTable.datasetId,
        table: referencedTable.tableId,
        references: columnReferences.map(({ referencedColumn }) => referencedColumn),
      }),
    ),
  };
}

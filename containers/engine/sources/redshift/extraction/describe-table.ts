// A table's description, read from Redshift. Its columns are those of the result of reading it, which the server
// describes of tables, views, late-binding views and external tables alike.

import { fingerprintOf, noSuchTable } from "../../snapshot.ts";
import { commentsOf, planColumns } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import type { Field } from "../../postgres/connection/messages.ts";
import type { FetchRows } from "../../row-collector.ts";
import { fetchConstraints, fetchTables, oneTable } from "../catalog.ts";
import { REDSHIFT_TYPES } from "../rows/column-types.ts";
import { quoteLiteral } from "../sql-text.ts";
import { planColumn } from "./plan-column.ts";

/** `isStored`: its rows lie in this database, so that all of a transaction sees the same. */
export type RedshiftTable = SourceTable & { isStored: boolean };

/**
 * `fields` are of the result of reading all of it. Rejects with `sql_error` where there is no such table. `readAs` is
 * by the source's column names.
 */
export async function describeTable(
  fetchRows: FetchRows,
  { table, fields }: { table: SourceTableName; fields: readonly Field[] },
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<RedshiftTable> {
  const [found] = await fetchTables(fetchRows, oneTable(table.schema, table.name));
  if (!found || fields.length === 0) throw noSuchTable(table, "user");
  const declared = new Map((await fetchRows(columnsQuery(table), "ttT")).map((row) => [row[0]!, row] as const));
  const { columns, notes } = planColumns(
    fields.map(({ name, oid, typmod }) => ({
      name,
      oid,
      typmod,
      type: REDSHIFT_TYPES.nameOf({ oid, typmod }) ?? `oid ${oid}`,
      notNull: declared.get(name)?.[1] === "NO" && found.kind === "table",
    })),
    readAs,
    planColumn,
  );
  const primaryKey = found.kind === "table" ? await findKey(fetchRows, table, columns) : [];
  const identities = fields.map(({ name, oid, typmod }) => `${name} ${oid} ${typmod}`);
  const comments = fields.map(({ name }) => ({ name, comment: declared.get(name)?.[2] ?? null }));
  return {
    ...table,
    kind: found.kind,
    columns,
    primaryKey,
    isStored: found.kind === "table",
    fingerprint: fingerprintOf([identities, Object.fromEntries(readAs), primaryKey]),
    comments: { table: found.comment, columns: commentsOf(comments) },
    rowsEstimate: found.rows,
    bytesEstimate: null,
    notes: [...(primaryKey.length > 0 ? [INFORMATIONAL] : []), ...notes],
  };
}

const INFORMATIONAL =
  "Its key is declared, and Redshift holds no row to it: where two rows share one, the table is read as a whole.";

/** The primary key, else the first unique one of columns that are never NULL. */
async function findKey(
  fetchRows: FetchRows,
  { schema, name }: SourceTableName,
  columns: SourceTable["columns"],
): Promise<string[]> {
  const where = `n.nspname = ${quoteLiteral(schema)} AND c.relname = ${quoteLiteral(name)}`;
  const keys = (await fetchConstraints(fetchRows, where)).filter(({ kind }) => kind !== "f");
  const isNeverNull = (column: string): boolean => columns.some(({ name, lake }) => name === column && !lake.nullable);
  const isUsable = ({ columns: own }: { columns: string[] }) => own.length > 0 && own.every(isNeverNull);
  const key = keys.find((each) => each.kind === "p" && isUsable(each)) ?? keys.find(isUsable);
  return key?.columns ?? [];
}

const columnsQuery = ({ schema, name }: SourceTableName): string => `
  SELECT column_name, is_nullable, remarks FROM svv_columns WHERE ${oneTable(schema, name)}`;

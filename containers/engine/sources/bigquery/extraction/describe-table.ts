// A table's description, read from BigQuery's API.

import { z } from "zod";
import { fingerprintOf, noSuchTable } from "../../snapshot.ts";
import { Failure } from "../../../core/failure.ts";
import { commentsOf, planColumns } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import type { BigQueryConnection } from "../connection/connect.ts";
import { GoogleError } from "../connection/errors.ts";
import type { DryRun } from "../connection/jobs.ts";
import type { Field, Table } from "../connection/resources.ts";
import { fetchTable } from "../introspect.ts";
import { sqlType, typeText } from "../rows/column-types.ts";
import { quoteIdentifier, quoteTable } from "../sql-text.ts";
import { planColumn } from "./plan-column.ts";

export type BigqueryTable = SourceTable & {
  fields: readonly Field[];
  /** A FROM clause of its rows, as of the snapshot where it can be read so, and without a condition behind it. */
  from: string;
  /** Whether that is the snapshot's moment. */
  isOfMoment: boolean;
};

/** `moment`: in microseconds since 1970. */
export type Reading = { connection: BigQueryConnection; moment: bigint; signal: AbortSignal };

/**
 * Rejects with `sql_error` where there is no such table, or none that the account may read. `readAs` is by the source's
 * column names.
 */
export async function describeTable(
  reading: Reading,
  table: SourceTableName,
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<BigqueryTable> {
  const found = await findTable(reading, table);
  const fields = found.schema?.fields ?? [];
  if (fields.length === 0) throw new Failure("sql_error", `${table.schema}.${table.name} has no columns.`);
  const { columns, notes } = planColumns(fields, readAs, planColumn);
  const selected = columns.map(({ select }) => select).join(", ");
  const { from, isOfMoment, plan } = await planReading(reading, table, found, selected);
  const bytes = bytesOf(plan);
  const names = fields.map(({ name }) => name);
  const key = found.tableConstraints?.primaryKey?.columns ?? [];
  const identity = [
    kindOf(found),
    found.creationTime,
    fields.map((field) => [field.name, typeText(field), field.mode]),
  ];
  return {
    ...table,
    kind: kindOf(found),
    columns,
    fields,
    primaryKey: key.every((name) => names.includes(name)) ? key : [],
    fingerprint: fingerprintOf([identity, key, Object.fromEntries(readAs)]),
    comments: {
      table: found.description ?? null,
      columns: commentsOf(fields.map(({ name, description }) => ({ name, comment: description ?? null }))),
    },
    rowsEstimate: estimateOf(found, found.numRows),
    bytesEstimate: estimateOf(found, found.numBytes),
    from,
    isOfMoment,
    notes: [
      ...notes,
      ...(isOfMoment
        ? []
        : [`It is read as it is when its turn comes, as a whole at each run: ${whyNotOfMoment(found)}.`]),
      ...(bytes === undefined ? [] : [`BigQuery scans ${bytes} bytes to read all of it, and may bill them.`]),
    ],
  };
}

async function findTable({ connection, signal }: Reading, { schema, name }: SourceTableName): Promise<Table> {
  try {
    return await fetchTable(connection, { datasetId: schema, tableId: name }, signal);
  } catch (error) {
    if (!(error instanceof GoogleError) || (error.status !== 404 && error.status !== 403)) throw error;
    throw noSuchTable({ schema, name }, "account", error);
  }
}

const KINDS: Readonly<Record<string, SourceTable["kind"]>> = {
  VIEW: "view",
  MATERIALIZED_VIEW: "materialized",
  EXTERNAL: "foreign",
};

const kindOf = ({ type }: Table): SourceTable["kind"] => KINDS[type] ?? "table";

/** The API counts no rows of a view. */
const estimateOf = ({ type }: Table, count: string | undefined): number | null =>
  type === "VIEW" || count === undefined ? null : Number(count);

type PlannedReading = { from: string; isOfMoment: boolean; plan: DryRun };

/**
 * Asked of BigQuery before anything is read: a table that has or had policies on its rows can't be read as of a moment
 * by most accounts, and a table may want a condition on its partitions.
 */
async function planReading(
  { connection, moment, signal }: Reading,
  table: SourceTableName,
  found: Table,
  selected: string,
): Promise<PlannedReading> {
  const name = quoteTable(connection.project, table);
  const planned = async (isOfMoment: boolean): Promise<PlannedReading> => {
    const from = within(isOfMoment ? `${name} FOR SYSTEM_TIME AS OF TIMESTAMP_MICROS(${moment})` : name, found);
    const sql = `SELECT ${selected} FROM ${from}`;
    return { from, isOfMoment, plan: await connection.dryRun({ sql, signal }) };
  };
  if (!isKeptByTime(found, moment)) return planned(false);
  try {
    return await planned(true);
  } catch (error) {
    if (!(error instanceof GoogleError) || !isDeniedPast(error)) throw error;
    return planned(false);
  }
}

/** Views and external tables are read as they are; a table that is younger than the snapshot was not there then. */
const isKeptByTime = ({ type, creationTime }: Table, moment: bigint): boolean =>
  type === "TABLE" && (creationTime === undefined || BigInt(creationTime) * 1_000n < moment);

const isDeniedPast = ({ status, reason }: GoogleError): boolean => status === 403 || reason === "accessDenied";

const whyNotOfMoment = ({ type }: Table): string =>
  type === "TABLE"
    ? "it is new, or its rows have policies and this account may not read their past"
    : "BigQuery keeps the past of its own tables alone";

/** Every row satisfies the condition, and it is one on the partitions, which some tables can't be read without. */
function within(from: string, { requirePartitionFilter, timePartitioning, rangePartitioning, schema }: Table): string {
  if (!requirePartitionFilter) return from;
  const name = rangePartitioning?.field ?? timePartitioning?.field;
  const field = schema?.fields?.find((each) => each.name === name);
  const column = quoteIdentifier(name ?? "_PARTITIONTIME");
  return `(SELECT * FROM ${from} WHERE ${column} >= ${SMALLEST[field ? sqlType(field) : "TIMESTAMP"]} OR ${column} IS NULL)`;
}

/** The smallest values of the types by which tables are partitioned. */
const SMALLEST: Readonly<Record<string, string>> = {
  DATE: "DATE '0001-01-01'",
  DATETIME: "DATETIME '0001-01-01 00:00:00'",
  TIMESTAMP: "TIMESTAMP '0001-01-01 00:00:00+00'",
  INT64: "CAST('-9223372036854775808' AS INT64)",
};

const Bytes = z.object({ totalBytesProcessed: z.string().regex(/^\d{1,19}$/) });

const bytesOf = ({ statistics }: DryRun): string | undefined => Bytes.safeParse(statistics).data?.totalBytesProcessed;

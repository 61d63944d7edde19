// BigQuery's tables as of one moment: each read names it, for the service keeps what tables held in the last days.
//
// Rows are read by query jobs and not by the list of a table's rows (`tabledata.list`), which costs nothing but gives a
// table as it is at each page, and without conditions.

import { Failure } from "../../../core/failure.ts";
import { ChunkBuilder } from "../../../extract/chunk-builder.ts";
import { readWholeTable, type ChangeRequest, type ChangeReport } from "../../../extract/changes/changes.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";
import type { ReadAs, SourceColumn, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { TextRows } from "../../../extract/text-cells.ts";
import type { BigQueryCredentials } from "../../../../../kernel/wire/source.ts";
import { INTROSPECTION_LIMITS } from "../../connector.ts";
import { findChangedPartitions } from "../../digests/find-changes.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { type ListedTable, type SourceSnapshot, isNumeric } from "../../snapshot.ts";
import { connect, type BigQueryConnection } from "../connection/connect.ts";
import { explainBytes } from "../gate/check-dry-run.ts";
import { GoogleError, protocolViolation, statementFailure } from "../connection/errors.ts";
import { fetchTable, listTables } from "../introspect.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";
import { describeTable, type BigqueryTable } from "./describe-table.ts";
import { digestDialect } from "./digest-dialect.ts";

/** For a statement of the engine's own; to hash a large table takes minutes. */
const STATEMENT_MS = 1_800_000;
/** Each is a job of its own, whose pages wait on the network most of the time. */
const READERS = 3;

export class BigquerySnapshot implements SourceSnapshot {
  readonly consistency =
    "All tables are read as of one moment, which BigQuery keeps for days; views and external tables as they are.";
  readonly readersMax = READERS;

  readonly #connection: BigQueryConnection;
  /** In microseconds since 1970, by BigQuery's clock. */
  readonly #moment: bigint;

  private constructor(connection: BigQueryConnection, moment: bigint) {
    this.#connection = connection;
    this.#moment = moment;
  }

  static async open(credentials: BigQueryCredentials, signal: AbortSignal): Promise<BigquerySnapshot> {
    const connection = await connect(credentials, signal);
    const { maximumBytesBilled: bytesMax } = connection.rest.credentials;
    try {
      const sql = "SELECT UNIX_MICROS(CURRENT_TIMESTAMP)";
      const [[moment] = protocolViolation("it does not say what time it is")] = await guard(signal, bytesMax, () =>
        connection.fetchRows(sql, "n", signal),
      );
      return new BigquerySnapshot(connection, BigInt(moment!));
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<BigqueryTable> {
    const reading = { connection: this.#connection, moment: this.#moment, signal };
    return this.#guard(signal, () => describeTable(reading, table, readAs));
  }

  read({ table, columns, where, signal, emptyColumns, take }: ReadRequest): Promise<ReadReport> {
    const { from } = table as BigqueryTable;
    return this.#guard(signal, async () => {
      const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, rows.oddFloats));
      const rows = new TextRows(columns, builder);
      const sql = `SELECT ${columns.map(({ select }) => select).join(", ")} FROM ${from}`;
      const stream = await this.#connection.stream({
        sql: where === undefined ? sql : `${sql} WHERE ${where}`,
        signal,
      });
      await stream.rows((cells) => rows.add(cells));
      await builder.flush();
      if (builder.rowsTotal !== stream.totalRows)
        protocolViolation(`it counts ${stream.totalRows} rows and sent ${builder.rowsTotal}`);
      return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes: [] };
    });
  }

  async listTables(signal: AbortSignal): Promise<ListedTable[]> {
    const listed = await this.#guard(signal, () =>
      listTables(this.#connection, signal, INTROSPECTION_LIMITS.tablesMax),
    );
    return listed.map(({ datasetId, tableId, type }) => ({
      schema: datasetId,
      name: tableId,
      path: `${datasetId}.${tableId}`,
      isView: type === "VIEW" || type === "MATERIALIZED_VIEW",
      rowsEstimated: null,
    }));
  }

  async explainMissing(
    paths: readonly string[],
    wereSynced: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    const reasons = new Map<string, string>();
    for (const path of paths) reasons.set(path, await this.#explain(path, wereSynced.has(path), signal));
    return reasons;
  }

  /** A dataset elsewhere than the integration's location is in no list; the service says of a table that it may not. */
  async #explain(path: string, wasSynced: boolean, signal: AbortSignal): Promise<string> {
    const [datasetId = "", tableId = ""] = path.split(".", 2);
    try {
      const { location = "" } = await fetchTable(this.#connection, { datasetId, tableId }, signal);
      return `The source has ${path}, in ${location}: the integration's location has to be that, or to be left out.`;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof GoogleError && error.status === 403)
        return `The account may not read ${path}, or it is not there: grant it BigQuery Data Viewer on the dataset.`;
      return wasSynced
        ? `${path} is gone at the source: dropped, or renamed.`
        : `The source has no table ${path}. Capitals count in names of datasets and tables.`;
    }
  }

  isFrom(column: SourceColumn, from: string): string {
    const value = quoteIdentifier(column.name);
    // Before the first year there is nothing.
    if (from.endsWith("(BC)")) return `${value} IS NOT NULL`;
    const { type } = column.lake;
    if (isNumeric(column))
      return `${value} >= CAST(${quoteLiteral(from)} AS ${column.type.startsWith("BIG") ? "BIGNUMERIC" : "NUMERIC"})`;
    return `${value} >= ${LITERALS[type] ?? "STRING"} ${quoteLiteral(from)}`;
  }

  /** BigQuery takes keys down and enforces none. */
  async keyIsUnique(table: SourceTable, signal: AbortSignal): Promise<boolean> {
    const key = table.primaryKey.map(quoteIdentifier).join(", ");
    const { from } = table as BigqueryTable;
    const doubled = await this.fetchRows(
      `SELECT COUNT(*) FROM ${from} GROUP BY ${key} HAVING COUNT(*) > 1 LIMIT 1`,
      "n",
      signal,
    );
    return doubled.length === 0;
  }

  findChanges(request: ChangeRequest): Promise<ChangeReport> {
    const { from, fields, isOfMoment } = request.table as BigqueryTable;
    // Digests and rows must be of one moment. The table's notes say why they are not.
    if (!isOfMoment) return Promise.resolve(readWholeTable(READ_ALL.notOfOneMoment));
    return findChangedPartitions(digestDialect(this, from, fields), request);
  }

  /** Reads the rows of a statement of the engine's own. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    const tooLate = AbortSignal.timeout(STATEMENT_MS);
    return this.#guard(signal, async () => {
      try {
        return await this.#connection.fetchRows(sql, format, AbortSignal.any([signal, tooLate]));
      } catch (error) {
        throw tooLate.aborted
          ? new Failure("deadline_exceeded", `BigQuery did not answer within ${STATEMENT_MS / 60_000} minutes.`, {
              cause: error,
            })
          : error;
      }
    });
  }

  #guard<T>(signal: AbortSignal, use: () => Promise<T>): Promise<T> {
    return guard(signal, this.#connection.rest.credentials.maximumBytesBilled, use);
  }

  async close(): Promise<void> {
    await this.#connection.close().catch(() => undefined);
  }
}

const LITERALS: Readonly<Record<string, string>> = { date: "DATE", timestamp: "DATETIME", timestamptz: "TIMESTAMP" };

/** Failures in words, and the signal's own reason before them. */
async function guard<T>(signal: AbortSignal, bytesMax: string | undefined, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw explainBytes(error, bytesMax) ?? statementFailure(error, false);
  }
}

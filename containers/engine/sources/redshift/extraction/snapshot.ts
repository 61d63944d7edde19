// One consistent view of a Redshift database: a transaction on one connection, on which tables are read in turn.
//
// Rows come as the answer to one SELECT, as Amazon's own drivers read them unless they are told otherwise: a cursor
// would have the leader node put the whole result aside first, within a limit of its size for the whole cluster. The
// answer's end does not say how many rows it had, so they are counted at the server, in the same transaction.

import { Semaphore } from "../../../../program/semaphore.ts";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import type { ChangeRequest, ChangeReport } from "../../../extract/changes/changes.ts";
import { ChunkBuilder } from "../../../extract/chunk-builder.ts";
import type { ReadReport, ReadRequest } from "../../../extract/readable-snapshot.ts";
import type { ReadAs, SourceColumn, SourceTable, SourceTableName } from "../../../extract/source-table.ts";
import { TextRows } from "../../../extract/text-cells.ts";
import { ServerError } from "../../postgres/connection/errors.ts";
import { protocolViolation, type Field } from "../../postgres/connection/messages.ts";
import { changedMeanwhile } from "../../postgres/extraction/describe-table.ts";
import { PostgresSession } from "../../postgres/extraction/session.ts";
import { prepareStatement } from "../../postgres/rows/statement.ts";
import { quoteTable } from "../../postgres/sql-text.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { isNumeric, noSuchTable, type ListedTable, type SourceSnapshot } from "../../snapshot.ts";
import { PRODUCT } from "../product.ts";
import { REDSHIFT_TYPES } from "../rows/column-types.ts";
import { FOLDING, quoteLiteral } from "../sql-text.ts";
import { OPENING } from "../transaction.ts";
import { describeTable, type RedshiftTable } from "./describe-table.ts";
import { findChanges, keyIsUnique } from "./find-changes.ts";
import { explainMissing, listTables } from "./tables.ts";

/** For a statement of the engine's own; digests of a large table take minutes, and may wait in a queue. */
const STATEMENT_MS = 1_800_000;

export class RedshiftSnapshot implements SourceSnapshot {
  readonly consistency =
    "All tables are read in one transaction, from its snapshot of the database; what has to be read again, in a later one.";
  /** Its snapshot can't be shared. */
  readonly readersMax = 1;
  readonly folding = FOLDING;

  readonly #credentials: DatabaseCredentials;
  readonly #name: string;
  #session: PostgresSession;
  #isLost = false;
  /** It does one thing at a time. */
  readonly #use = new Semaphore(1);

  private constructor(credentials: DatabaseCredentials, name: string, session: PostgresSession) {
    this.#credentials = credentials;
    this.#name = name;
    this.#session = session;
  }

  static async open(credentials: DatabaseCredentials, name: string, signal: AbortSignal): Promise<RedshiftSnapshot> {
    return new RedshiftSnapshot(credentials, name, await openSession(credentials, name, signal));
  }

  listTables(signal: AbortSignal): Promise<ListedTable[]> {
    return this.#borrow(signal, (session) => listTables((sql, format) => session.fetchRows(sql, format, signal)));
  }

  explainMissing(
    paths: readonly string[],
    wereSynced: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    return this.#borrow(signal, (session) =>
      explainMissing((sql, format) => session.fetchRows(sql, format, signal), paths, wereSynced),
    );
  }

  describe(table: SourceTableName, signal: AbortSignal, readAs?: ReadonlyMap<string, ReadAs>): Promise<RedshiftTable> {
    return this.#borrow(signal, async (session) => {
      const fields = await readNothing(session, table, signal);
      return describeTable((sql, format) => session.fetchRows(sql, format, signal), { table, fields }, readAs);
    });
  }

  read({ table, columns, where, signal, emptyColumns, take }: ReadRequest): Promise<ReadReport> {
    const reading = this.#borrow(signal, async (session) => {
      const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, rows.oddFloats));
      const rows = new TextRows(columns, builder);
      const from = `FROM ${quoteTable(table)}${where === undefined ? "" : ` WHERE ${where}`}`;
      const select = `SELECT ${columns.map((column) => column.select).join(", ")} ${from}`;
      await session.use(signal, async (wire) => {
        const statement = await prepareStatement(wire, "", { sql: select, values: [] }, REDSHIFT_TYPES);
        await statement.run((row) => rows.addPacked(row)?.then(() => true) ?? true);
      });
      await builder.flush();
      const counted = await session.fetchRows(`SELECT COUNT(*) ${from}`, "n", signal, STATEMENT_MS);
      if (counted[0]?.[0] !== String(builder.rowsTotal))
        protocolViolation(
          `it counts ${counted[0]?.[0]} rows of ${table.schema}.${table.name}, and ${builder.rowsTotal} arrived`,
        );
      return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes: [] };
    });
    return reading.catch((error: unknown) => {
      throw isGone(error) ? changedMeanwhile(table, error as Error) : error;
    });
  }

  isFrom(column: SourceColumn, from: string): string {
    const value = isNumeric(column) ? from : `CAST(${quoteLiteral(from)} AS ${column.lake.type})`;
    return `${column.select} >= ${value}`;
  }

  keyIsUnique(table: SourceTable, signal: AbortSignal): Promise<boolean> {
    return keyIsUnique(this, table, signal);
  }

  findChanges(request: ChangeRequest): Promise<ChangeReport> {
    return findChanges(this, request);
  }

  /** Runs a statement of the engine's own in this snapshot. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    return this.#borrow(signal, (session) => session.fetchRows(sql, format, signal, STATEMENT_MS));
  }

  async close(): Promise<void> {
    await this.#session.close().catch(() => undefined);
  }

  /** A session that failed is replaced by one with a later snapshot; it may hold half a statement. */
  #borrow<T>(signal: AbortSignal, use: (session: PostgresSession) => Promise<T>): Promise<T> {
    return this.#use.run(async () => {
      try {
        if (this.#isLost) {
          this.#session = await openSession(this.#credentials, this.#name, signal);
          this.#isLost = false;
        }
        return await use(this.#session);
      } catch (error) {
        this.#isLost = true;
        await this.#session.close();
        throw error;
      }
    }, signal);
  }
}

/** Names in quotes mean what they say then, so that those with capital letters are found. */
const EXACT_NAMES = "SET enable_case_sensitive_identifier TO true";
/** A user's time limit is meant for people. */
const NO_TIME_LIMIT = "SET LOCAL statement_timeout TO 0;";

async function openSession(
  credentials: DatabaseCredentials,
  name: string,
  signal: AbortSignal,
): Promise<PostgresSession> {
  const session = await PostgresSession.open(credentials, name, signal, PRODUCT);
  try {
    // A cluster may not know the setting, or not leave it to users.
    await session.fetchRows(EXACT_NAMES, "", signal).catch((error: unknown) => {
      if (!session.idle) throw error;
    });
    await session.fetchRows(`${OPENING} ${NO_TIME_LIMIT}`, "", signal);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Describes the result of reading all of a table. It locks the table against changes of its form until the transaction
 * ends, and needs the right to read each of its columns.
 */
async function readNothing(
  session: PostgresSession,
  table: SourceTableName,
  signal: AbortSignal,
): Promise<readonly Field[]> {
  const sql = `SELECT * FROM ${quoteTable(table)} WHERE 1 = 0`;
  try {
    return await session.use(signal, async (wire) => {
      const statement = await prepareStatement(wire, "", { sql, values: [] }, REDSHIFT_TYPES);
      await statement.run(() => protocolViolation("a row came where there is none"));
      return statement.fields;
    });
  } catch (error) {
    throw toUnreadable(error, table);
  }
}

/** The codes of missing tables, columns and schemas. */
const GONE = ["42P01", "42703", "3F000"];
const NO_PRIVILEGE = "42501";

const codeOf = (error: unknown): string | undefined =>
  error instanceof Failure && error.cause instanceof ServerError ? error.cause.code : undefined;

const isGone = (error: unknown): boolean => GONE.includes(codeOf(error) ?? "");

function toUnreadable(error: unknown, { schema, name }: SourceTableName): unknown {
  const code = codeOf(error);
  if (code === NO_PRIVILEGE)
    return new Failure(
      "sql_error",
      `This user may not read all columns of ${schema}.${name}. Grant it SELECT on it, or make a view of those it may.`,
      { cause: error },
    );
  return isGone(error) ? noSuchTable({ schema, name }, "user", error) : error;
}

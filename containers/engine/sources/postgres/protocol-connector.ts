// Sources that speak PostgreSQL's protocol share this code: a test of the connection, and one read-only statement in a
// read-only transaction, its rows straight from the wire.

import type { ConnectionReport, DatabaseCredentials, Hindrance } from "../../../../kernel/wire/source.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import { TIMEOUT_SLACK_MS, type SourceResult } from "../connector.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { RowFormat, TextRow } from "../row-collector.ts";
import type { BoundStatement } from "./access/bound-statement.ts";
import type { RestrictedStatement } from "./access/restrict-statement.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure } from "./connection/errors.ts";
import { fetchRows } from "./connection/fetch-rows.ts";
import { protocolViolation } from "./connection/messages.ts";
import type { Wire } from "./connection/wire.ts";
import type { StatementText } from "./gate/check-statement.ts";
import type { ParserGate } from "./gate/parser-gate.ts";
import type { ColumnTypes } from "./rows/column-types.ts";
import { prepareStatement } from "./rows/statement.ts";
import { testOpened } from "../open-connection.ts";

const TIMEOUT_MS_MAX = 2_147_483_647;
/** PostgreSQL cuts longer names of applications. */
const APPLICATION_NAME_MAX = 63;

export type RestrictRequest = { text: StatementText; statement: BoundStatement; access: CallerAccess };

/** How one such server differs from the others. */
export type ProtocolDialect = {
  /** Its name, for people. */
  product: string;
  gate: ParserGate;
  types: ColumnTypes;
  /** Asked once to test a connection: one row of `format`, which `read` understands. */
  report: { sql: string; format: RowFormat; read(row: TextRow): Omit<ConnectionReport, "tls" | "hindrances"> };
  /** The database's objects by which callers who are bound by data-access roles can do less, where it can have any. */
  findHindrances?(wire: Wire): Promise<Hindrance[]>;
  /** Statements that open the read-only transaction, run just before the user's; it may ask the server before. */
  openTransaction(wire: Wire, timeoutMs: number | undefined): string | Promise<string>;
  /** Holds a statement to data-access roles, in the open transaction. */
  restrict(wire: Wire, request: RestrictRequest, signal: AbortSignal): Promise<RestrictedStatement>;
  /** A rewritten statement runs under this setting. */
  restrictedOpening: string;
  /** The failure of a statement that was sent. `expired` says that its own time limit has passed. */
  statementFailure(error: unknown, expired: boolean): unknown;
};

type Statement = {
  source: { credentials: DatabaseCredentials };
  sql: string;
  values?: readonly BoundValue[] | undefined;
  access: "everything" | CallerAccess;
  signal: AbortSignal;
  id?: string;
  deadlineMs?: number;
};

/** `Connector.test`. */
export async function testConnection(
  { product, report, findHindrances }: ProtocolDialect,
  { credentials }: { credentials: DatabaseCredentials },
  signal: AbortSignal,
): Promise<ConnectionReport> {
  const { wire, tls, close } = await connect(credentials, signal, "fjord", product);
  const ask = async (until: AbortSignal) => {
    const [row = protocolViolation("it does not tell its version")] = await wire.untilAborted(until, () =>
      fetchRows(wire, report.sql, report.format),
    );
    const hindrances = (await wire.untilAborted(until, async () => findHindrances?.(wire))) ?? [];
    return { ...report.read(row), tls, ...(hindrances.length > 0 ? { hindrances } : {}) };
  };
  return testOpened({ signal, ask, failureOf: (error) => connectionFailure(error, product), close });
}

/** `Connector.query`. */
export async function runQuery<T>(
  dialect: ProtocolDialect,
  { source, sql, values = [], access, signal, id = "", deadlineMs }: Statement,
  use: (result: SourceResult) => Promise<T>,
): Promise<T> {
  const { gate, types, product } = dialect;
  const startedAt = Date.now();
  const leftMs = () => (deadlineMs ?? Infinity) - (Date.now() - startedAt);
  let failureOf: RestrictedStatement["runFailureOf"] = dialect.statementFailure;
  const toFailure = (error: unknown) => failureOf(error, leftMs() <= 0);
  const text = { sql, parameters: values.length };
  const bound = access === "everything" ? undefined : { text, access, statement: await gate.read(text, signal) };
  if (!bound) await gate.check(text, signal);
  signal.throwIfAborted();
  const name = `fjord ${id}`.trim().slice(0, APPLICATION_NAME_MAX);
  const { wire, close } = await connect(source.credentials, signal, name, product);
  const timeoutMs = deadlineMs === undefined ? undefined : Math.min(leftMs() + TIMEOUT_SLACK_MS, TIMEOUT_MS_MAX);
  const prepareBound = async (opening: string) => {
    await fetchRows(wire, opening, "");
    const restricted = await dialect.restrict(wire, bound!, signal);
    failureOf = restricted.parseFailureOf;
    const statement = await prepareStatement(wire, dialect.restrictedOpening, { sql: restricted.sql, values }, types);
    failureOf = restricted.runFailureOf;
    return statement;
  };
  try {
    return await wire.untilAborted(signal, async () => {
      const opening = await dialect.openTransaction(wire, timeoutMs);
      const statement = bound
        ? await prepareBound(opening)
        : await prepareStatement(wire, opening, { sql, values }, types);
      return use({
        columns: statement.columns,
        rows: (take) => statement.run(take).catch((error: unknown) => Promise.reject(toFailure(error))),
      });
    });
  } catch (error) {
    throw toFailure(error);
  } finally {
    await close();
  }
}

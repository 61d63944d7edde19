// Google's BigQuery as a source: jobs of its REST API, whose rows come page by page.

import type { ConnectionReport } from "../../../../kernel/wire/source.ts";
import {
  DEADLINE_MS_DEFAULT,
  type Connector,
  type SourceOf,
  type SourceResult,
  type SourceStatement,
} from "../connector.ts";
import { notThere } from "../access/not-there.ts";
import { BoundStatement } from "./access/check-tables.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, GoogleError, statementFailure } from "./connection/errors.ts";
import { BigquerySnapshot } from "./extraction/snapshot.ts";
import { checkDryRun, explainBytes } from "./gate/check-dry-run.ts";
import { checkBigqueryStatement } from "./gate/check-statement.ts";
import { introspectBigquery } from "./introspect.ts";
import { mayWrite } from "./may-write.ts";
import { createRowPacker } from "../../formats/row-packer.ts";
import { testOpened } from "../open-connection.ts";

const TEST_MS = 20_000;
/** Google's reasons that say of a table whether it is there. */
const HIDING = ["notFound", "accessDenied", "invalid"];

export const bigquery: Connector<"bigquery"> = {
  test,
  introspect: introspectBigquery,
  query,
  openSnapshot: ({ credentials }, _name, signal) => BigquerySnapshot.open(credentials, signal),
};

/** A dry run says that the account may run statements in the project, and costs nothing. */
async function test({ credentials }: SourceOf<"bigquery">, signal: AbortSignal): Promise<ConnectionReport> {
  const connection = await connect(credentials, signal);
  const ask = async (until: AbortSignal) => {
    await connection.dryRun({ sql: "SELECT 1", signal: until });
    const canWrite = await mayWrite(connection, until);
    return { product: "BigQuery", version: "REST v2", tls: connection.isEncrypted, canWrite };
  };
  const close = () => connection.close();
  return testOpened({ signal, product: "BigQuery", testMs: TEST_MS, ask, failureOf: connectionFailure, close });
}

async function query<T>(
  { source, sql, values, access, signal, deadlineMs = DEADLINE_MS_DEFAULT }: SourceStatement<"bigquery">,
  use: (result: SourceResult) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const leftMs = () => deadlineMs - (Date.now() - startedAt);
  const { project_id: project, maximum_bytes_billed: bytesMax } = source.credentials;
  const statement = checkBigqueryStatement(sql, values?.length);
  const bound = access === "everything" ? undefined : new BoundStatement(statement, access, project);
  const toFailure = (error: unknown) => {
    if (signal.aborted) return signal.reason;
    // A missing column of a view, or a table beneath it that the account may not read, is named in the error.
    if (bound && error instanceof GoogleError && HIDING.includes(error.reason)) return notThere(error);
    return explainBytes(error, bytesMax) ?? statementFailure(error, leftMs() <= 0, statement.sql);
  };
  const connection = await connect(source.credentials, signal);
  try {
    const { statistics, location } = await connection.dryRun({ sql: statement.sql, values, signal });
    checkDryRun(statistics, bytesMax, (planned) => bound?.checkPlan(planned));
    const request = { sql: statement.sql, values, signal, location, deadlineMs: leftMs(), mayUseCache: true };
    const { columns, rows } = await connection.stream(request);
    const pack = createRowPacker(columns.length);
    return await use({
      columns: [...columns],
      rows: (take) => rows((cells) => take(pack(cells))).catch((error: unknown) => Promise.reject(toFailure(error))),
    });
  } catch (error) {
    throw toFailure(error);
  } finally {
    await connection.close();
  }
}

// Google's BigQuery as a source: jobs of its REST API, whose rows come page by page.

import type { ConnectionReport } from "../../contract/source.ts";
import { Failure } from "../../core/failure.ts";
import type { Connector, SourceOf } from "../connector.ts";
import { mayWrite } from "./may-write.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure } from "./connection/errors.ts";
import { introspectBigquery } from "./introspect.ts";

const TEST_MS = 20_000;

const unsupported = (): Promise<never> =>
  Promise.reject(new Failure("connection_failed", "This kind of source is not supported yet.", { reason: "other" }));

export const bigquery: Connector<"bigquery"> = {
  test,
  introspect: introspectBigquery,
  query: unsupported,
  openSnapshot: unsupported,
};

/** A dry run says that the account may run statements in the project, and costs nothing. */
async function test({ credentials }: SourceOf<"bigquery">, signal: AbortSignal): Promise<ConnectionReport> {
  const connection = await connect(credentials, signal);
  const until = AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]);
  try {
    await connection.dryRun({ sql: "SELECT 1", signal: until });
    return {
      product: "BigQuery",
      version: "REST v2",
      tls: connection.isEncrypted,
      canWrite: await mayWrite(connection, until),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw until.aborted
      ? new Failure("connection_failed", "BigQuery did not answer in time.", { reason: "timeout", cause: error })
      : connectionFailure(error);
  } finally {
    await connection.close();
  }
}

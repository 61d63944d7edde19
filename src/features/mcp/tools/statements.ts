// The tools that run SQL: one that reads, and one that may write, so that a client can allow the first for ever.

import { z } from "@hono/zod-openapi";
import { newId } from "../../../core/ids.ts";
import { isProblem, Problem } from "../../../core/problem.ts";
import type { NewQuery } from "../../query/query.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { readRows, type Rows } from "../rows.ts";
import { tool } from "../tool.ts";

export const STATEMENT = {
  sql: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional().describe("Values of $name."),
};

/** Wide integers and decimals come as texts, which a client's doubles cannot change. */
export async function rowsOf(
  calls: OperationCalls,
  body: NewQuery,
  headers: Record<string, string> = {},
): Promise<Rows> {
  const input = { query: { numbers: "string" }, body: { timeout_ms: MCP_LIMITS.statementMsMax, ...body } };
  const sent = { headers: { accept: "application/json", ...headers } };
  return readRows(await calls.call<Response>("runQuery", input, sent));
}

export const runSql = tool({
  name: "run_sql",
  group: "query",
  title: "Read with SQL",
  description: `One reading statement on the lake, or on a database by integration_id. At most ${MCP_LIMITS.rowsMax} rows: aggregate.`,
  input: z.strictObject({ ...STATEMENT, integration_id: z.string().optional() }),
  operations: ["runQuery"],
  reads: true,
  run: (calls, body) =>
    rowsOf(calls.readingOnly, body as NewQuery).catch((error: unknown) => {
      throw isProblem(error) &&
        error.code === "forbidden_insufficient_permissions" &&
        calls.ctx.scope.rights.includes("lake:write")
        ? new Problem(error.code, `${error.message} This tool only reads: write with write_sql.`)
        : error;
    }),
});

export const writeSql = tool({
  name: "write_sql",
  group: "query",
  title: "Write with SQL",
  description:
    "One statement that changes the lake (CREATE TABLE AS, INSERT, UPDATE, DELETE, MERGE …), as one atomic snapshot. Where the " +
    "outcome is unknown, repeat it with the request_id that was answered: it is not done twice.",
  input: z.strictObject({ ...STATEMENT, request_id: z.uuid().optional() }),
  operations: ["runQuery"],
  right: "lake:write",
  reads: false,
  async run(calls, { request_id = newId(), ...body }) {
    const rows = await rowsOf(calls.named(request_id), body as NewQuery, { "x-request-id": request_id }).catch(
      (error: unknown) => {
        throw isProblem(error)
          ? new Problem(error.code, `${error.message} request_id: ${request_id}.`, error.flaws)
          : error;
      },
    );
    return { request_id, ...rows };
  },
});

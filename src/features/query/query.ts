// The noun: one statement to run, what it may say, and the shape of its JSON answer.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { SqlText } from "../../http/request/sql-text.ts";

export const NewQuery = z
  .strictObject({
    sql: SqlText,
    cube_query: z
      .record(z.string(), z.unknown())
      .openapi({
        description:
          "In place of `sql`, for an integration of type cube: a query in the format of Cube's REST API, with " +
          "`measures`, `dimensions`, `timeDimensions`, `segments`, `filters`, `order`, `limit` (" +
          `${LIMITS.semanticRowsDefault} when absent, at most ${LIMITS.semanticRowsMax}), \`offset\`, \`total\`, ` +
          "`timezone`, `ungrouped`, `responseFormat` and `joinHints`. What is wrong with it is 422 in Cube's words.",
        example: {
          measures: ["orders.count"],
          timeDimensions: [{ dimension: "orders.created_at", granularity: "month" }],
        },
      }),
    integration_id: z
      .string()
      .openapi({
        description: "Where to run it. When absent: `sql` on the team's own lake, `cube_query` by its only cube.",
      }),
    persist: z.boolean().openapi({ description: "Accepted for existing clients; results are not stored." }),
    invalidate: z
      .boolean()
      .openapi({ description: "Accepted for existing clients; there is no stored result to drop." }),
    timeout_ms: z
      .number()
      .int()
      .min(1)
      .max(LIMITS.queryDeadlineMsMax)
      .openapi({
        description: `Extension. From receipt to the last byte; ${LIMITS.queryDeadlineMsDefault} when absent.`,
      }),
  })
  .partial()
  .superRefine(({ sql, cube_query: cube }, context) => {
    if ((sql === undefined) !== (cube === undefined)) return;
    const message = sql === undefined ? "Send `sql` or `cube_query`." : "Send either `sql` or `cube_query`, not both.";
    for (const path of sql === undefined ? ["sql"] : ["sql", "cube_query"])
      context.addIssue({ code: "custom", path: [path], message });
  })
  .openapi("NewQuery", { example: { sql: "SELECT 1 AS one" } });
export type NewQuery = z.infer<typeof NewQuery>;

const Cell = z.unknown().openapi({ description: "As the column's kind says; null is NULL." });

export const QueryResult = z
  .object({
    success: z
      .boolean()
      .openapi({
        description:
          "The last member. False when the statement failed after its first rows were out; then " +
          "`message` and `error` say why.",
      }),
    columns: z.array(z.string()),
    types: z
      .array(z.object({ name: z.string(), type: z.string(), kind: z.string() }).openapi("ResultColumn"))
      .openapi({
        description:
          "Of each column: the source's own name of its type, and the kind it is written as: boolean, integer, " +
          "bigint, decimal, float, date, time, timestamp, timestamptz, binary, json or text.",
      }),
    data: z.array(z.record(z.string(), Cell)),
    rowCount: z.number().int(),
    truncated: z
      .boolean()
      .openapi({
        description: `Whether rows past ${LIMITS.queryRowsMax}, or past ${LIMITS.queryBytesMax} bytes, were cut off.`,
      }),
    timing: z.object({ durationMs: z.number() }),
    meta: z.object({ requestId: z.string(), durationMs: z.number() }),
    message: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .openapi("QueryResult");

// The noun: one statement to run, and what it may say.

import { z } from "@hono/zod-openapi";
import { SEMANTIC_LIMITS } from "../semantic/limits.ts";
import { LIMITS } from "../../core/limits.ts";
import { Parameters } from "../../http/request/parameters.ts";
import { SqlText } from "../../http/request/sql-text.ts";

const names = { type: "array" as const, items: { type: "string" as const } };
const objects = { type: "array" as const, items: { type: "object" as const } };
/** For the document, and generated clients: what is wrong with a query is told in Cube's words. */
const CUBE_QUERY_PROPERTIES = {
  measures: names,
  dimensions: names,
  segments: names,
  timeDimensions: objects,
  filters: objects,
  order: { type: ["object" as const, "array" as const], items: names },
  limit: { type: "integer" as const, minimum: 1, maximum: SEMANTIC_LIMITS.rowsMax },
  timezone: { type: "string" as const },
};

export const CubeQuery = z
  .record(z.string(), z.unknown())
  .openapi("CubeQuery", {
    type: "object",
    properties: CUBE_QUERY_PROPERTIES,
    description:
      "In place of `sql`, for an integration of type cube: a query in the format of Cube's REST API, with " +
      "`measures`, `dimensions`, `timeDimensions`, `segments`, `filters`, `order`, `limit` (" +
      `${SEMANTIC_LIMITS.rowsDefault} when absent, at most ${SEMANTIC_LIMITS.rowsMax}), \`offset\`, \`total\`, ` +
      "`timezone`, `ungrouped`, `responseFormat` and `joinHints`. What is wrong with it is 422 in Cube's words.",
    example: { measures: ["orders.count"], timeDimensions: [{ dimension: "orders.created_at", granularity: "month" }] },
  });

export const DIALECTS = ["duckdb", "trino"] as const;
/** What runs a statement on a lake; `auto`: whichever is fit for it. */
export const ENGINES = ["duckdb", "trino", "auto"] as const;
export type EngineChoice = (typeof ENGINES)[number];

export const NewQuery = z
  .strictObject({
    sql: SqlText,
    dialect: z
      .enum(DIALECTS)
      .openapi({ description: "Whose SQL `sql` is; `duckdb` when absent. `trino` is for statements on a lake." }),
    engine: z
      .enum(ENGINES)
      .openapi({
        description:
          "What runs it; `duckdb` when absent. `trino`, the team's own, and `auto` take the dialect `trino` alone: " +
          "DuckDB's SQL has no other engine.",
      }),
    parameters: Parameters,
    cube_query: CubeQuery,
    integration_id: z
      .string()
      .openapi({
        description: "Where to run it. When absent: `sql` on the team's own lake, `cube_query` by its only cube.",
      }),
    persist: z
      .boolean()
      .openapi({ description: "False: the result is not kept for who asks the same of the lake again." }),
    invalidate: z
      .boolean()
      .openapi({
        description:
          "True: the statement runs, whatever is kept of its result. What is kept of the lake is never older than its " +
          "tables, so that this is for measuring, or for another of several answers that are right.",
      }),
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
  .superRefine(({ sql, cube_query: cube, parameters, dialect = "duckdb", engine = "duckdb" }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (parameters !== undefined && sql === undefined) refuse("parameters", "Parameters are of `sql`.");
    if (dialect !== "duckdb" && sql === undefined) refuse("dialect", "The dialect is of `sql`.");
    if (dialect === "trino" && parameters !== undefined)
      refuse("parameters", "Text of Trino's has no parameters here: write the values into it.");
    if (engine !== "duckdb" && dialect !== "trino")
      refuse("engine", "Text of DuckDB's runs on DuckDB. Send Trino's, with `dialect`: `trino`.");
    if ((sql === undefined) !== (cube === undefined)) return;
    const message = sql === undefined ? "Send `sql` or `cube_query`." : "Send either `sql` or `cube_query`, not both.";
    for (const path of sql === undefined ? ["sql"] : ["sql", "cube_query"])
      context.addIssue({ code: "custom", path: [path], message });
  })
  .openapi("NewQuery", { example: { sql: "SELECT 1 AS one" } });
export type NewQuery = z.infer<typeof NewQuery>;

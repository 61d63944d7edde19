// The shape of a statement's JSON answer, and of what the answer of a semantic query says besides.

import { z } from "@hono/zod-openapi";
import { EARLIER_PHASES, PHASES } from "../../../kernel/wire/phases.ts";
import { QUERY_LIMITS } from "./limits.ts";

const Cell = z.unknown().openapi({ description: "As the column's kind says; null is NULL." });

const Rows = z.array(z.record(z.string(), Cell)).openapi("ResultRows");

const Data = z.union([
  Rows,
  z
    .object({ members: z.array(z.string()), dataset: z.array(z.array(Cell)) })
    .openapi("CompactData", { description: "Of a semantic query with `responseFormat` compact: each row a list." }),
  z
    .object({ members: z.array(z.string()), columns: z.array(z.array(Cell)) })
    .openapi("ColumnarData", {
      description: "Of a semantic query with `responseFormat` columnar: each column a list.",
    }),
]);

const Annotated = z.record(z.string(), z.record(z.string(), z.unknown()));

/** The fields of semantic queries; the names are Cube's. */
const SemanticPart = {
  query: z
    .record(z.string(), z.unknown())
    .optional()
    .openapi({ description: "The semantic query as it was understood: its dates resolved, its defaults filled in." }),
  annotation: z
    .object({ measures: Annotated, dimensions: Annotated, segments: Annotated, timeDimensions: Annotated })
    .optional()
    .openapi({ description: "Of each member that the semantic query selects: title, type, format and the like." }),
  lastRefreshTime: z.string().optional().openapi({ description: "When its rows were read." }),
  dataSource: z.string().optional(),
  dbType: z.string().optional(),
  external: z.boolean().optional(),
  usedPreAggregations: z.record(z.string(), z.unknown()).optional(),
  slowQuery: z.boolean().optional(),
  total: z
    .number()
    .int()
    .nullable()
    .optional()
    .openapi({ description: "With `total`: how many rows there are without limit and offset." }),
};

export const QueryResult = z
  .object({
    success: z
      .boolean()
      .openapi({
        description:
          "The last member. False when the statement failed after its first rows were out; then " +
          "`message` and `error` say why.",
      }),
    columns: z
      .array(z.string())
      .openapi({ description: "Of a semantic query the members, `cube.time.granularity` among them." }),
    types: z
      .array(z.object({ name: z.string(), type: z.string(), kind: z.string() }).openapi("ResultColumn"))
      .openapi({
        description:
          "Of each column: the source's own name of its type, and the kind it is written as: boolean, integer, " +
          "bigint, decimal, float, date, time, timestamp, timestamptz, binary, json or text.",
      }),
    data: Data.optional().openapi({ description: "The rows. Of a query with `compareDateRange` `results` has them." }),
    rowCount: z.number().int(),
    truncated: z
      .boolean()
      .openapi({
        description: `Whether rows past ${QUERY_LIMITS.rowsMax}, or past ${QUERY_LIMITS.bytesMax} bytes, were cut off.`,
      }),
    timing: z.object({
      durationMs: z.number(),
      phases: z
        .partialRecord(z.enum([...EARLIER_PHASES, ...PHASES]), z.number())
        .optional()
        .openapi({
          description: "Of a statement on the lake: milliseconds of its parts, of which some go on side by side.",
        }),
    }),
    meta: z.object({
      requestId: z.string(),
      durationMs: z.number(),
      engine: z
        .literal("trino")
        .optional()
        .openapi({ description: "Of a statement that the team's own Trino ran; absent of any other." }),
      bytesRead: z.number().int().optional().openapi({ description: "What the team's own Trino read for it." }),
      cachedAt: z
        .string()
        .optional()
        .openapi({
          description: "When the rows were read that were kept of the same statement; absent where it has run.",
        }),
    }),
    ...SemanticPart,
    queryType: z
      .literal("compareDateRangeQuery")
      .optional()
      .openapi({
        description: "Of a semantic query with `compareDateRange`, whose rows are then in `results`, one of a range.",
      }),
    pivotQuery: z.record(z.string(), z.unknown()).optional(),
    results: z.array(z.object({ ...SemanticPart, data: Data }).openapi("ComparedResult")).optional(),
    message: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .openapi("QueryResult");

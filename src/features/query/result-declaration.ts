// An operation that answers a statement's result declares it by these schemas, headers and failures.

import { z } from "@hono/zod-openapi";
import type { ProblemCode } from "../../core/problem.ts";
import { MEDIA_TYPES } from "./format.ts";
import { QueryResult } from "./query-result.ts";

const BINARY = { schema: { type: "string" as const, format: "binary" } };

export const RESULT = {
  description: "The result",
  content: {
    [MEDIA_TYPES.json]: { schema: QueryResult },
    [MEDIA_TYPES.csv]: BINARY,
    [MEDIA_TYPES.ndjson]: BINARY,
    [MEDIA_TYPES.arrow]: BINARY,
    [MEDIA_TYPES.parquet]: BINARY,
  },
};

export const NUMBERS = z.enum(["exact", "string"]).default("exact");

export const RESULT_HEADERS = {
  "Server-Timing":
    "Milliseconds until the first byte: `authenticate`, `prepare` and `engine`, what the engine's part consists " +
    "of, and `total`.",
  "Fjord-Engine": "`trino` where the team's own ran it; `duckdb` of any other on a lake that is answered at once.",
  "Cache-Status":
    "Of a statement on the lake, as in RFC 9211: `Fjord; hit` where its result was kept, `Fjord; fwd=…` where it ran.",
  Age: "How many seconds ago a result that was kept was read.",
};

/** The failures of a statement that only reads. */
export const RESULT_FAILURES = [
  "query_failed",
  "connection_failed",
  "source_unreachable",
  "source_unavailable",
  "not_acceptable",
  "query_timeout",
  "work_in_progress",
  "query_cancelled",
  "engine_unavailable",
] as const satisfies ProblemCode[];

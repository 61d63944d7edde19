// A semantic query as it goes to the engine: normalised, its members known to exist, its dates resolved.

import { z } from "zod";
import { FILTER_OPERATORS } from "../access/access.ts";
import { SemanticModel, SqlDialect } from "./model.ts";

/** A local time of the query's zone without zone: `2026-01-31T00:00:00.000`. */
const LocalTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/);

/** `measureFilter`, of clients that drill into a measure: the rows that the measure counts, by its own filters. */
export const SEMANTIC_OPERATORS = [...FILTER_OPERATORS, "measureFilter"] as const;
export type SemanticOperator = (typeof SEMANTIC_OPERATORS)[number];

/**
 * A condition on a dimension or a measure; `values` are as Cube takes them: text, or null. Dates are {@link LocalTime},
 * two of them for the ranges and `onTheDate`.
 */
export type SemanticFilter =
  | { member: string; operator: SemanticOperator; values: (string | null)[] }
  | { and: SemanticFilter[] }
  | { or: SemanticFilter[] };
export const SemanticFilter: z.ZodType<SemanticFilter> = z.lazy(() =>
  z.union([
    z.strictObject({
      member: z.string(),
      operator: z.enum(SEMANTIC_OPERATORS),
      values: z.array(z.string().nullable()),
    }),
    z.strictObject({ and: z.array(SemanticFilter) }),
    z.strictObject({ or: z.array(SemanticFilter) }),
  ]),
);

/** The members that a filter is about. */
export const filterMembers = (filter: SemanticFilter): string[] =>
  "member" in filter ? [filter.member] : ("and" in filter ? filter.and : filter.or).flatMap(filterMembers);

export const SemanticTimeDimension = z.strictObject({
  dimension: z.string(),
  /** A predefined granularity, or one that the dimension defines. Absent: the dimension is only filtered by. */
  granularity: z.string().optional(),
  /** The date range, both ends included. */
  dateRange: z.tuple([LocalTime, LocalTime]).optional(),
});
export type SemanticTimeDimension = z.infer<typeof SemanticTimeDimension>;

export const SemanticQuery = z.strictObject({
  measures: z.array(z.string()),
  dimensions: z.array(z.string()),
  timeDimensions: z.array(SemanticTimeDimension),
  segments: z.array(z.string()),
  filters: z.array(SemanticFilter),
  /** `id` is a member, or `cube.time.granularity`. */
  order: z.array(z.strictObject({ id: z.string(), desc: z.boolean() })),
  limit: z.number().int().nonnegative(),
  offset: z.number().int().nonnegative(),
  /** An IANA name. */
  timezone: z.string(),
  ungrouped: z.boolean(),
  /** Paths of cubes to join by, where several lead from one to another. */
  joinHints: z.array(z.array(z.string())).optional(),
});
export type SemanticQuery = z.infer<typeof SemanticQuery>;

/** How the rows of a semantic answer are laid out; Cube's `responseFormat`. */
export const RESPONSE_FORMATS = ["default", "compact", "columnar"] as const;
export const ResponseFormat = z.enum(RESPONSE_FORMATS);
export type ResponseFormat = z.infer<typeof ResponseFormat>;

/**
 * A semantic statement's content, in place of SQL. `model` holds only the definitions that the queries reach: the
 * caller can see nothing else.
 */
export const SemanticStatement = z.strictObject({
  model: SemanticModel,
  /** One query, or several that are compared, in their order (`compareDateRange`). */
  queries: z
    .array(
      z.strictObject({
        query: SemanticQuery,
        /** Members of this query's result document, copied into it: `query`, `annotation`. */
        head: z.record(z.string(), z.unknown()),
        /** The value of `compareDateRange` in each row of this query. */
        compareDateRange: z.string().optional(),
      }),
    )
    .min(1),
  /** Members of the whole answer, copied to its beginning. */
  head: z.record(z.string(), z.unknown()),
  /** Whether to count all rows, without limit and offset. */
  total: z.boolean(),
  responseFormat: ResponseFormat,
});
export type SemanticStatement = z.infer<typeof SemanticStatement>;

/** POST /semantic/sql: the SQL that a query would run in its database. */
export const SemanticSqlRequest = z.strictObject({
  model: SemanticModel,
  dialect: SqlDialect,
  query: SemanticQuery,
  /** The sender, as in statements. */
  sender: z.string(),
  deadlineMs: z.number().int().positive(),
});
export type SemanticSqlRequest = z.infer<typeof SemanticSqlRequest>;

/** A value bound to a statement; numbers are text too where they would lose digits. */
export const BoundValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type BoundValue = z.infer<typeof BoundValue>;

export const SemanticSql = z.strictObject({
  /** The SQL, with `?` (MySQL, DuckDB) or `$1` (PostgreSQL) where a value is bound. */
  sql: z.string(),
  values: z.array(BoundValue),
  /** The columns of its result in their order: the member that each is, `cube.time.granularity` for a time grouped. */
  columns: z.array(z.strictObject({ member: z.string(), kind: z.enum(["time", "value"]) })),
  /** The join taken: each step from one cube to the next. Empty where the query reads one cube. */
  joinPath: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      relationship: z.enum(["one_to_one", "one_to_many", "many_to_one"]),
      sql: z.string(),
    }),
  ),
  /** Cubes whose rows a join repeats, so that their measures are computed by distinct keys. */
  multiplied: z.array(z.string()),
});
export type SemanticSql = z.infer<typeof SemanticSql>;

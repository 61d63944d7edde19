// A caller may read of one integration what data-access roles grant. The platform sends it as data: the roles' grants
// of that integration, with the caller's attributes already in the filters.

import { z } from "zod";

/** Stands for every schema, or every table of a schema. */
export const EVERY = "*";

/** Cube's operators that compare a column's value, with Cube's rules for NULL. */
export const FILTER_OPERATORS = [
  "equals",
  "notEquals",
  "in",
  "notIn",
  "contains",
  "notContains",
  "startsWith",
  "notStartsWith",
  "endsWith",
  "notEndsWith",
  "gt",
  "gte",
  "lt",
  "lte",
  "set",
  "notSet",
  "inDateRange",
  "notInDateRange",
  "onTheDate",
  "beforeDate",
  "beforeOrOnDate",
  "afterDate",
  "afterOrOnDate",
] as const;
export const FilterOperator = z.enum(FILTER_OPERATORS);
export type FilterOperator = z.infer<typeof FilterOperator>;

/** A condition on a row, in Cube's filter grammar; `member` is a column of the table, and values are text. */
export type RowFilter =
  | { member: string; operator: FilterOperator; values: (string | null)[] }
  | { and: RowFilter[] }
  | { or: RowFilter[] };
export const RowFilter: z.ZodType<RowFilter> = z.lazy(() =>
  z.union([
    z.strictObject({ member: z.string(), operator: FilterOperator, values: z.array(z.string().nullable()) }),
    z.strictObject({ and: z.array(RowFilter) }),
    z.strictObject({ or: z.array(RowFilter) }),
  ]),
);

/** The value in place of one that is masked. */
export const MaskValue = z.union([z.null(), z.string(), z.number(), z.boolean()]);
export type MaskValue = z.infer<typeof MaskValue>;

/** The part of a table, of a schema's tables, or of all that one role grants. */
export const AccessGrant = z.strictObject({
  schema: z.string(),
  table: z.string(),
  /** Columns that are left out. */
  excludes: z.array(z.string()),
  /** Values that some columns show instead of their own. */
  masks: z.record(z.string(), MaskValue),
  /**
   * Conditions that all have to hold for a row to be granted. Null grants no row: the caller lacks an attribute that
   * the conditions name.
   */
  filters: z.array(RowFilter).nullable(),
});
export type AccessGrant = z.infer<typeof AccessGrant>;

/** The grants of each role. Within a role, the grant that names a table most closely counts. Roles add up. */
export const AccessRoles = z.array(z.array(AccessGrant));
export type AccessRoles = z.infer<typeof AccessRoles>;

/**
 * The access of a statement's caller: everything that the source's credentials may read, or the roles of a digest.
 * Equal digests mean equal roles, so that the roles are sent only until the engine knows them, and again once it
 * answers that it does not.
 */
export const StatementAccess = z.union([
  z.literal("everything"),
  z.strictObject({ digest: z.string().min(1).max(200), roles: AccessRoles.optional() }),
]);
export type StatementAccess = z.infer<typeof StatementAccess>;

/** A {@link RowFilter} of one table whose columns are known: `column` is a column's key. */
export type RowCondition =
  | { column: number; operator: FilterOperator; values: (string | null)[] }
  | { and: RowCondition[] }
  | { or: RowCondition[] };
export const RowCondition: z.ZodType<RowCondition> = z.lazy(() =>
  z.union([
    z.strictObject({ column: z.number().int(), operator: FilterOperator, values: z.array(z.string().nullable()) }),
    z.strictObject({ and: z.array(RowCondition) }),
    z.strictObject({ or: z.array(RowCondition) }),
  ]),
);

/**
 * A case in which a column shows: in the rows of these grants, with its own value, or with `mask` where that is given.
 */
export const CellCase = z.strictObject({ grants: z.array(z.number().int()), mask: MaskValue.optional() });
export type CellCase = z.infer<typeof CellCase>;

/**
 * A restricted table as its caller sees it. A row is visible where the condition of any grant holds. A column shows the
 * value of the first of its cases with a grant whose condition holds for the row, and NULL where there is none.
 */
export const TableView = z.strictObject({
  /** `{and: []}` holds for every row. */
  grants: z.array(RowCondition),
  /** The visible columns, by key, in the table's order. */
  cells: z.array(z.strictObject({ column: z.number().int(), cases: z.array(CellCase) })),
});
export type TableView = z.infer<typeof TableView>;

// The wire of a row filter, in Cube's grammar: a column, an operator and values, which may be an attribute of the user.
// Pure.

import { z } from "@hono/zod-openapi";
import { FilterOperator } from "../../../kernel/access/access.ts";
import { instantOf } from "../../../kernel/access/filter-constants.ts";
import { FILTER_GRAMMAR } from "../../../kernel/access/filter-grammar.ts";
import { ACCESS_LIMITS } from "./limits.ts";

/** A name or a value as databases take it. */
export const plainText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "Send text without NUL or half surrogate pairs.");

/** A name of a schema, table or column. */
export const DatabaseName = plainText(ACCESS_LIMITS.nameCharactersMax).min(1);

export const AttributeName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "A letter, then letters, digits and _, at most 64.");

const AttributeReference = z.strictObject({ attribute: AttributeName });

/** A number with more digits than a double holds would be another one by now. */
const ExactNumber = z
  .number()
  .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), "Send a number this large as text.");

const FilterValue = z.union([
  plainText(ACCESS_LIMITS.valueCharactersMax),
  ExactNumber,
  z.boolean(),
  z.null(),
  AttributeReference,
]);
export type FilterValue = z.infer<typeof FilterValue>;

const ColumnFilter = z
  .strictObject({
    member: DatabaseName.openapi({ description: "A column of the table." }),
    operator: FilterOperator,
    values: z.array(FilterValue).max(ACCESS_LIMITS.filterValuesMax).optional(),
  })
  .superRefine(({ operator, values = [] }, context) => {
    const message = flawOfValues(operator, values);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["values"], message });
  });

export type GrantFilter = z.infer<typeof ColumnFilter> | { and: GrantFilter[] } | { or: GrantFilter[] };

/** Groups hold one filter at least, for an empty one would say nothing; so many of them may lie in each other. */
const GROUPS_DEEP_MAX = 8;

/** Built level by level, so that what is sent can't take the reader deeper than that. */
function filtersUpTo(depth: number): z.ZodType<GrantFilter> {
  if (depth === 0) return ColumnFilter;
  const inner = z.array(filtersUpTo(depth - 1)).min(1);
  return z.union([ColumnFilter, z.strictObject({ and: inner }), z.strictObject({ or: inner })]);
}

export const GrantFilter = filtersUpTo(GROUPS_DEEP_MAX).openapi("AccessFilter", {
  type: "object",
  description:
    "A condition on a row in Cube's grammar: `member` is a column, `operator` one of Cube's, `values` are texts, " +
    'numbers, booleans, null or `{"attribute": "name"}`, all values of an attribute of the user; where it is not set, ' +
    "or empty, the grant gives no rows. Or `and` or `or` hold further filters, " +
    `${GROUPS_DEEP_MAX} deep at most. Dates are days (\`2026-01-31\`) or instants (\`2026-01-31T10:00:00Z\`) in UTC.`,
  example: { member: "region", operator: "equals", values: [{ attribute: "region" }] },
});

function flawOfValues(operator: FilterOperator, values: readonly FilterValue[]): string | undefined {
  const { takes } = FILTER_GRAMMAR[operator];
  if (takes === "nothing") return values.length > 0 ? `${operator} takes no values.` : undefined;
  if (values.length === 0) return `Values are required for ${operator}.`;
  if (takes === "values") return undefined;
  if (values.length > 1 && (takes !== "dates" || operator === "onTheDate")) return `${operator} takes one value.`;
  if (values.length > 2) return `${operator} takes one or two values.`;
  if (values.includes(null)) return `${operator} does not take null.`;
  const isBad = (value: FilterValue): boolean =>
    typeof value !== "object" && (typeof value !== "string" || !instantOf(value));
  return takes !== "value" && values.some(isBad)
    ? `${operator} takes days, like 2026-01-31, or instants in UTC, like 2026-01-31T10:00:00Z; relative dates are not ` +
        "taken here."
    : undefined;
}

export const countConditions = (filter: GrantFilter): number =>
  "member" in filter
    ? 1
    : ("and" in filter ? filter.and : filter.or).reduce((sum, inner) => sum + countConditions(inner), 0);

/** The columns that a filter is about. */
export const membersOf = (filter: GrantFilter): string[] =>
  "member" in filter ? [filter.member] : ("and" in filter ? filter.and : filter.or).flatMap(membersOf);

/** The attributes that a filter's values name. */
export function attributesOf(filter: GrantFilter): string[] {
  if (!("member" in filter)) return ("and" in filter ? filter.and : filter.or).flatMap(attributesOf);
  return (filter.values ?? []).flatMap((value) =>
    typeof value === "object" && value !== null ? [value.attribute] : [],
  );
}

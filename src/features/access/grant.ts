// The wire of what a role grants, and the form in which it is kept. Pure.

import { z } from "@hono/zod-openapi";
import { EVERY } from "../../../kernel/access/access.ts";
import { foldText } from "../../../kernel/text/fold-name.ts";
import { isUuid } from "../../core/ids.ts";
import { ACCESS_LIMITS } from "./limits.ts";
import type { Flaw } from "../../core/problem.ts";
import { attributesOf, countConditions, DatabaseName, GrantFilter, plainText } from "./filter.ts";

const IntegrationId = z
  .string()
  .refine((id) => id === EVERY || isUuid(id), "Send the id of an integration, or `*` for every one.")
  .transform((id) => id.toLowerCase())
  .openapi({ type: "string", description: "An integration of the team, or `*` for every one." });

/** A record drops what is called so without a word, and a mask that is dropped shows what it should hide. */
const DROPPED_NAME = "__proto__";

const MaskText = plainText(ACCESS_LIMITS.valueCharactersMax);

export const Mask = z
  .union([z.null(), MaskText, z.number(), z.boolean()])
  .openapi("AccessMask", {
    type: ["string", "number", "boolean", "null"],
    maxLength: ACCESS_LIMITS.valueCharactersMax,
    description: "What stands in place of a value.",
  });

const Masks = z.preprocess(
  (masks, context) => {
    if (typeof masks === "object" && masks !== null && Object.hasOwn(masks, DROPPED_NAME))
      context.addIssue(`A column called ${DROPPED_NAME} can't be masked; exclude it.`);
    return masks;
  },
  z
    .record(DatabaseName, Mask)
    .refine((masks) => Object.keys(masks).length <= ACCESS_LIMITS.columnsMax, {
      error: `At most ${ACCESS_LIMITS.columnsMax} columns.`,
    }),
);

export const Grant = z
  .strictObject({
    integration_id: IntegrationId,
    schema: DatabaseName.openapi({ description: "A schema, or `*` for every one." }),
    table: DatabaseName.default(EVERY).openapi({ description: "A table, or `*` for every one, later ones too." }),
    exclude_columns: z
      .array(DatabaseName)
      .max(ACCESS_LIMITS.columnsMax)
      .default([])
      .openapi({ description: "Columns that are not there." }),
    masks: Masks.default({}).openapi({
      type: "object",
      description: "By column, what shows instead of each of its values: null, or a text, number or boolean.",
    }),
    filters: z
      .array(GrantFilter)
      .max(ACCESS_LIMITS.filtersMax)
      .default([])
      .refine(
        (filters) => filters.reduce((sum, filter) => sum + countConditions(filter), 0) <= ACCESS_LIMITS.filtersMax,
        { error: `At most ${ACCESS_LIMITS.filtersMax} conditions in all.` },
      )
      .openapi({ description: "Rows for which all of them hold are granted." }),
  })
  .openapi("AccessGrant", {
    description: "Of a role's grants the one that names a table most closely counts.",
    example: { integration_id: "*", schema: "sales", table: "orders", exclude_columns: ["email"] },
  });
export type Grant = z.infer<typeof Grant>;

/** A grant without what is as usual: most are of one table and nothing else, and a role may have many. */
export type KeptGrant = Pick<Grant, "integration_id" | "schema"> & Partial<Grant>;

export function keepGrant({ table, exclude_columns: excludes, masks, filters, ...rest }: Grant): KeptGrant {
  return {
    ...rest,
    ...(table !== EVERY && { table }),
    ...(excludes.length > 0 && { exclude_columns: excludes }),
    ...(Object.keys(masks).length > 0 && { masks }),
    ...(filters.length > 0 && { filters }),
  };
}

/** One for all grants that have none: there may be hundreds of thousands. */
const NO_COLUMNS: string[] = [];
const NO_MASKS: Grant["masks"] = {};
const NO_FILTERS: GrantFilter[] = [];

export const wholeGrant = ({
  integration_id,
  schema,
  table = EVERY,
  exclude_columns = NO_COLUMNS,
  masks = NO_MASKS,
  filters = NO_FILTERS,
}: KeptGrant): Grant => ({ integration_id, schema, table, exclude_columns, masks, filters });

export const namesAttributes = (grants: readonly Grant[]): boolean =>
  grants.some(({ filters }) => filters.some((filter) => attributesOf(filter).length > 0));

/**
 * A target that two grants of a role name: which of them counts would be chance. Names that differ by case alone are
 * one to many databases, so they are one here; another role can have the other.
 */
export function flawsOfTargets(grants: readonly Grant[]): Flaw[] {
  const seen = new Map<string, number>();
  return grants.flatMap(({ integration_id: id, schema, table }, index) => {
    const target = JSON.stringify([id, foldText(schema), foldText(table)]);
    const first = seen.get(target);
    if (first === undefined) seen.set(target, index);
    const message = `Grant ${index} has the target of grant ${first}; the case of letters makes no difference.`;
    return first === undefined ? [] : [{ pointer: `/grants/${index}`, message }];
  });
}

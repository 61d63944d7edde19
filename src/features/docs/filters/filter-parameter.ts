// A dataset of SQL declares which of its parameters have the value of a filter. Pure.

import { z } from "@hono/zod-openapi";
import { Id } from "../../../../kernel/docs/dashboard.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { PARAMETER_TYPES } from "../../../../kernel/wire/parameter-types.ts";
import { byParameterName, checkValues, ParameterValue } from "../../../http/request/parameters.ts";

export const FilterParameter = z
  .strictObject({
    type: z.enum(PARAMETER_TYPES),
    filter: Id,
    list: z
      .boolean()
      .optional()
      .openapi({ description: "Whether it stands for all values of the filter with commas between: `IN ($ids)`." }),
    part: z.enum(["from", "to"]).optional().openapi({ description: "Of a range of days, the one that it has." }),
  })
  .openapi("FilterParameter", {
    description: "Has the value of a filter of the doc, or NULL while none is set. A list then has one value, NULL.",
    example: { type: "text", filter: "country" },
  });
export type FilterParameter = z.infer<typeof FilterParameter>;

const hasFilter = (value: unknown): boolean => isObject(value) && Object.hasOwn(value, "filter");

/** The parameters of a dataset: values of its own, and those that filters have. */
export const DatasetParameters = byParameterName(z.union([FilterParameter, ParameterValue]))
  .superRefine((parameters, context) => {
    const entries = Object.entries(parameters);
    for (const [name, value] of entries.filter(([, one]) => hasFilter(one)))
      for (const { path, message } of FilterParameter.safeParse(value).error?.issues ?? [])
        context.addIssue({ code: "custom", path: [name, ...path], message });
    checkValues(Object.fromEntries(entries.filter(([, one]) => !hasFilter(one))), context);
  })
  .openapi("DatasetParameters");

/** Parameters that were checked, apart from each other. */
export function partParameters(parameters: Readonly<Record<string, unknown>> = {}): {
  own: Record<string, unknown>;
  filtered: Record<string, FilterParameter>;
} {
  const entries = Object.entries(parameters);
  return {
    own: Object.fromEntries(entries.filter(([, value]) => !hasFilter(value))),
    filtered: Object.fromEntries(entries.filter((entry): entry is [string, FilterParameter] => hasFilter(entry[1]))),
  };
}

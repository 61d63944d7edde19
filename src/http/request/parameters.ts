// The parameters of a statement, as requests and documents bring them.

import { z } from "@hono/zod-openapi";
import { PARAMETER_TYPES } from "../../../kernel/wire/parameter-types.ts";
import type { BoundParameter } from "../../../kernel/wire/parameters.ts";
import { PARAMETER_LIMITS, readParameter } from "../../core/parameters.ts";

export const ParameterName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, "A parameter's name has letters, digits and _, at most 63, no digit first.");

const SCALAR = { type: ["string" as const, "number" as const, "boolean" as const, "null" as const] };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** What takes null is written down as nullable wherever it is referred to. */
const notNull = z.unknown().refine((value) => value !== null);

/** `readParameter` reads the values, and says what is wrong with one; these schemas only describe them. */
export const ParameterValue = z.union([
  z.unknown().openapi("ParameterScalar", SCALAR),
  notNull.openapi("ParameterList", { type: "array", items: ref("ParameterScalar") }),
  notNull.openapi("TypedParameter", {
    type: "object",
    required: ["type", "value"],
    properties: {
      type: { type: "string", enum: [...PARAMETER_TYPES] },
      value: { anyOf: [ref("ParameterScalar"), ref("ParameterList")] },
    },
  }),
]);

const VALUES = { type: "array", items: SCALAR };
/** A parameter's value as JSON Schema without references, for schemas that are no part of the API's document. */
export const PARAMETER_VALUE_SCHEMA = {
  anyOf: [
    SCALAR,
    { ...VALUES, minItems: 1 },
    {
      type: "object",
      required: ["type", "value"],
      properties: { type: { enum: [...PARAMETER_TYPES] }, value: { anyOf: [SCALAR, VALUES] } },
      additionalProperties: false,
    },
  ],
};

/** A record of zod's drops what is called so without a word. */
const DROPPED_NAME = "__proto__";

/** Members by the names of parameters, or by others, each of them told of. */
export const byParameterName = <Value extends z.ZodType>(value: Value, name: z.ZodString = ParameterName) =>
  z.preprocess(
    (members, context) => {
      if (typeof members === "object" && members !== null && Object.hasOwn(members, DROPPED_NAME))
        context.addIssue({ code: "custom", path: [DROPPED_NAME], message: `Nothing can be called ${DROPPED_NAME}.` });
      return members;
    },
    z.record(name, value),
  );

export const Parameters = byParameterName(ParameterValue)
  .superRefine(checkValues)
  .openapi("Parameters", {
    description:
      "Values for the `$names` of `sql`: each is bound, and never becomes part of the text. A value of JSON, a list of " +
      "them, which stands for its values with commas between (`IN ($ids)`), or " +
      '`{"type": "date", "value": "2026-01-31"}`, which says its type.',
    example: { country: "NO", ids: [1, 2, 3], since: { type: "date", value: "2026-01-31" } },
  });
export type Parameters = z.infer<typeof Parameters>;

/** The parameters have been checked. */
export const boundParameters = (parameters: Parameters): Record<string, BoundParameter> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const read = readParameter(value);
      if ("flaw" in read) throw new Error(`The parameter ${name} was not checked`);
      return [name, read.parameter];
    }),
  );

/** Adds what is wrong with each of the values, and with all of them together. */
export function checkValues(parameters: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const entries = Object.entries(parameters);
  if (entries.length > PARAMETER_LIMITS.parametersMax)
    context.addIssue({ code: "custom", message: `A statement may have ${PARAMETER_LIMITS.parametersMax} parameters.` });
  let values = 0;
  for (const [name, value] of entries) {
    const read = readParameter(value);
    if ("parameter" in read) values += read.parameter.values.length;
    else context.addIssue({ code: "custom", path: [name, ...read.flaw.path], message: read.flaw.message });
  }
  if (values > PARAMETER_LIMITS.valuesMax)
    context.addIssue({
      code: "custom",
      message: `The lists of a statement's parameters may have ${PARAMETER_LIMITS.valuesMax} values together.`,
    });
}

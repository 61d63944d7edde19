// A question declares its parameters: their types, defaults and allowed values. Pure.

import { z } from "@hono/zod-openapi";
import { PARAMETER_TYPES } from "../../../../kernel/wire/parameter-types.ts";
import type { BoundParameter } from "../../../../kernel/wire/parameters.ts";
import { QUESTION_LIMITS } from "../limits.ts";
import { byParameterName } from "../../../http/request/parameters.ts";
import { SqlText } from "../../../http/request/sql-text.ts";
import { flawOfValue, readDeclared } from "./read-declared.ts";

const scalar = ["string", "number", "boolean", "null"] as const;
/** Read by the declared type, so its schema says no more than that it is a value of JSON or a list of them. */
const Value = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  ])
  .openapi("ParameterValue", { type: [...scalar, "array"], items: { type: [...scalar] } });

export const ParameterDeclaration = z
  .strictObject({
    type: z.enum(PARAMETER_TYPES),
    list: z
      .boolean()
      .default(false)
      .openapi({ description: "Whether it stands for several values with commas between: `IN ($ids)`." }),
    description: z.string().max(QUESTION_LIMITS.savedQueryDescriptionCharactersMax).nullable().default(null),
    nullable: z
      .boolean()
      .default(false)
      .openapi({ description: "Whether NULL may be sent for it, or within its list." }),
    default: Value.optional().openapi({ description: "Absent: a value must be sent. Null needs `nullable`." }),
    allowed_values: z
      .array(Value)
      .min(1)
      .max(QUESTION_LIMITS.allowedValuesMax)
      .optional()
      .openapi({ description: "The values that it may have, or the members of its list. NULL goes by `nullable`." }),
    allowed_sql: SqlText.optional().openapi({
      description:
        "In place of `allowed_values`: SQL for the same integration, whose first column has the values, at most " +
        `${QUESTION_LIMITS.allowedValuesReadMax}. It runs with the rights of whoever runs the question.`,
    }),
  })
  .superRefine((declared, context) => {
    const { allowed_values: allowed, allowed_sql: sql } = declared;
    const add = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
    if (allowed && sql !== undefined) add(["allowed_sql"], "Send either `allowed_values` or `allowed_sql`.");
    for (const [i, value] of (allowed ?? []).entries()) {
      const message = flawOfValue({ ...declared, list: false, nullable: false }, value);
      if (message !== undefined) add(["allowed_values", i], message);
    }
    if (declared.default === undefined || (allowed && context.issues.length > 0)) return;
    const read = readDeclared(declared, declared.default);
    if ("message" in read) add(["default"], read.message);
  })
  .openapi("ParameterDeclaration");
export type ParameterDeclaration = z.infer<typeof ParameterDeclaration>;

export const ParameterDeclarations = byParameterName(ParameterDeclaration)
  .refine((declared) => Object.keys(declared).length <= QUESTION_LIMITS.declaredParametersMax, {
    error: `A question may have ${QUESTION_LIMITS.declaredParametersMax} parameters.`,
  })
  .refine(
    (declared) =>
      Object.values(declared).filter(({ allowed_sql: sql }) => sql !== undefined).length <=
      QUESTION_LIMITS.allowedQueriesMax,
    { error: `At most ${QUESTION_LIMITS.allowedQueriesMax} parameters may have allowed_sql.` },
  );
export type ParameterDeclarations = z.infer<typeof ParameterDeclarations>;

/** What a question that is asked has to say of its parameters, whoever declared them. */
export type QuestionParameters = Readonly<
  Record<
    string,
    Pick<ParameterDeclaration, "list" | "nullable" | "allowed_values" | "allowed_sql"> & {
      type: BoundParameter["type"];
      default?: unknown;
    }
  >
>;

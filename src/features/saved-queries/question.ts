// The question that a saved query keeps, and how its parameters' values get into it. Pure.

import { isObject } from "../../../kernel/text/is-object.ts";
import { z } from "@hono/zod-openapi";
import { isUuid } from "../../core/ids.ts";
import type { Flaw } from "../../core/problem.ts";
import { SqlText } from "../../http/request/sql-text.ts";
import { CubeQuery, type NewQuery } from "../query/query.ts";
import { ParameterDeclarations, type QuestionParameters } from "./parameters/declaration.ts";
import type { BoundParameters } from "./parameters/resolve.ts";

const PLACE = "parameter";

export const QUESTION_FIELDS = {
  sql: SqlText.openapi({ description: "Names its parameters as `$name`." }),
  cube_query: CubeQuery.openapi({
    description:
      "In place of `sql`, for an integration of type cube. A value of a filter may be " +
      '`{"parameter": "name"}`, which stands for the value, or all values of a list, that is sent for it.',
  }),
  integration_id: z
    .string()
    .refine(isUuid, "Send the id of an integration, or null.")
    .transform((id) => id.toLowerCase())
    .nullable()
    .openapi({
      type: ["string", "null"],
      format: "uuid",
      description: "Where it runs. Null: `sql` on the team's own lake, `cube_query` by its only semantic model.",
    }),
  parameters: ParameterDeclarations.openapi({
    type: "object",
    description:
      "By name, what may be sent when the question is run. Each is bound, and never becomes part of the text.",
  }),
};

export type Question = {
  sql?: string | undefined;
  cube_query?: Record<string, unknown> | undefined;
  integration_id: string | null;
  parameters: ParameterDeclarations;
};

/** A question that is asked, whoever keeps it. */
export type RunnableQuestion = Omit<Question, "parameters"> & { parameters: QuestionParameters };

/** What is wrong with a question as a whole. */
export function flawsOfQuestion({ sql, cube_query: cube, parameters }: RunnableQuestion): Flaw[] {
  if ((sql === undefined) === (cube === undefined)) {
    const message = sql === undefined ? "Send `sql` or `cube_query`." : "Send either `sql` or `cube_query`, not both.";
    return [{ pointer: "/sql", message }];
  }
  const named = sql === undefined ? placesIn(cube) : new Set(sql.match(/(?<=\$)[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  const unused = Object.keys(parameters).filter((name) => !named.has(name));
  // What SQL names within quotes or comments is no parameter: the engine, which knows the language, names the others.
  const unknown = sql === undefined ? [...named].filter((name) => !Object.hasOwn(parameters, name)) : [];
  return [
    ...unused.map((name) => ({ pointer: `/parameters/${name}`, message: `The question does not name ${name}.` })),
    ...unknown.map((name) => ({
      pointer: "/cube_query",
      message: `It names the parameter ${name}, which is not declared.`,
    })),
  ];
}

/** The query to run for these values. */
export function fillQuestion(question: RunnableQuestion, bound: BoundParameters): Omit<NewQuery, "parameters"> {
  const { sql, cube_query: cube, integration_id: id } = question;
  const where = id === null ? {} : { integration_id: id };
  return sql === undefined ? { cube_query: fill(cube, bound) as Record<string, unknown>, ...where } : { sql, ...where };
}

/** The name of the parameter whose place this is. */
function nameOf(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const name = value[PLACE];
  return typeof name === "string" ? name : undefined;
}

function placesIn(value: unknown, found = new Set<string>()): Set<string> {
  const name = nameOf(value);
  if (name !== undefined) found.add(name);
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) placesIn(inner, found);
  return found;
}

function fill(value: unknown, bound: BoundParameters): unknown {
  if (Array.isArray(value))
    return value.flatMap((item) => {
      const name = nameOf(item);
      return name === undefined ? [fill(item, bound)] : (bound[name]?.values ?? []);
    });
  if (!isObject(value)) return value;
  const name = nameOf(value);
  if (name === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, bound)]));
  const parameter = bound[name];
  return parameter && (parameter.isList ? parameter.values : parameter.values[0]);
}

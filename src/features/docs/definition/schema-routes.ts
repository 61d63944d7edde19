// /schemas: the grammar of docs for editors and programs.

import { z } from "@hono/zod-openapi";
import { json, type AnswerDocument } from "../../../http/answer.ts";
import { PARAMETER_VALUE_SCHEMA, ParameterValue } from "../../../http/request/parameters.ts";
import { createRouter } from "../../../http/router.ts";
import { Grammar } from "./grammar.ts";

export const schemas = createRouter(["Docs", "Extensions"]);

const CACHE_SECONDS = 3_600;

const DocSchema = z.record(z.string(), z.unknown()).openapi("DocSchema");

let schema: z.infer<typeof DocSchema> | undefined;

/** The grammar as JSON Schema 2020-12: made of what checks a definition, once per isolate. */
export const getDocSchema = (): z.infer<typeof DocSchema> =>
  (schema ??= {
    title: "A doc",
    description:
      "Datasets, what is drawn of them, and when they run. A doc may have other members: it is warned of them.",
    ...z.toJSONSchema(Grammar, {
      ...{ target: "draft-2020-12", io: "input", reused: "ref" },
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema === ParameterValue) Object.assign(jsonSchema, PARAMETER_VALUE_SCHEMA);
      },
    }),
  });

const SCHEMA: AnswerDocument = { description: "The schema", ...json(DocSchema) };

schemas.rawOperation("getDocSchema", "GET /doc-2025-01.json", {
  permission: "everybody",
  summary: "Get the grammar of docs as JSON Schema",
  description:
    "JSON Schema 2020-12, for editors and programs that write docs. A doc may have members that it does not know; " +
    "they are named in the doc's `warnings`.",
  query: z.strictObject({}),
  responses: { 200: SCHEMA },
  fails: ["validation_failed"],
  respond: (ctx) => {
    ctx.overrideHeaders({ "Cache-Control": `public, max-age=${CACHE_SECONDS}` });
    return Response.json(getDocSchema());
  },
});

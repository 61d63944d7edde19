// The input of an operation that is called without HTTP, read by the schemas by which HTTP reads it.

import type { z } from "@hono/zod-openapi";
import { Problem, type Flaw } from "../../core/problem.ts";
import { flawsOf } from "../render-problem.ts";

/** As a caller sends it. Values of `params` and `query` may be numbers and booleans, which HTTP has as text. */
export type Input = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

type Schemas = {
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
  optionalBody?: z.ZodType | undefined;
  rawBody?: object | undefined;
};

/**
 * The valid input, and the request that operations read further from. Throws `validation_failed` for the first part
 * that is not valid, in the order in which HTTP looks at them.
 */
export function readInput(schemas: Schemas, { params, query, body }: Input, request: Request) {
  const valid = {
    query: readPart(schemas.query, "query", asTexts(query)),
    params: readPart(schemas.params, "param", asTexts(params)),
    body: readBody(schemas, body),
  };
  return { valid, request: schemas.rawBody && body !== undefined ? withBody(request, body) : request };
}

/** What HTTP hands on of a path and a query: texts, or of a repeated parameter a list of them. */
const asTexts = (values: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(asText) : asText(value)]),
  );

const asText = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

function readPart(schema: z.ZodType | undefined, target: "query" | "param", values: Record<string, unknown>): unknown {
  if (schema) return parse(schema, target, values);
  const root = target === "param" ? "path" : target;
  const flaws = Object.keys(values).map((name) => ({
    pointer: `/${root}/${name}`,
    message: "This parameter is not known here.",
  }));
  if (flaws.length > 0) throw invalid(flaws);
  return undefined;
}

function readBody({ body: required, optionalBody, rawBody }: Schemas, body: unknown): unknown {
  if (required && body === undefined) throw invalid([{ pointer: "", message: "Send a body." }]);
  if (required) return parse(required, "json", body);
  if (optionalBody) return parse(optionalBody, "json", body === undefined ? {} : body);
  if (!rawBody && body !== undefined) throw invalid([{ pointer: "", message: "There is no body here." }]);
  return undefined;
}

function parse(schema: z.ZodType, target: string, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(flawsOf(parsed.error, target));
  return parsed.data;
}

const invalid = (flaws: Flaw[]) => new Problem("validation_failed", "One or more fields are not valid.", flaws);

function withBody({ url, headers: asked }: Request, body: unknown): Request {
  const headers = new Headers(asked);
  headers.set("content-type", "application/json");
  return new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
}

// An operation declares its answers: how the document says them, and how a verb's value becomes the body.

import { z } from "@hono/zod-openapi";
import type { Call } from "./call.ts";
import { metaOf } from "./meta.ts";

export const MetaDocument = z
  .object({ requestId: z.uuid(), durationMs: z.number() })
  .openapi("Meta", { description: "Identity of the request and its duration in milliseconds." });

export type AnswerDocument = { description: string; content?: object; headers?: z.ZodObject };

/** An answer of an operation whose verb has the value `Value`. */
export type Answer<Value> = {
  status: 200 | 201 | 202 | 204;
  document: AnswerDocument;
  /** The JSON that is sent; undefined where nothing is. */
  bodyOf(call: Call, value: Value): object | undefined;
  headersOf?(value: Value): Record<string, string>;
  /** The text that is sent to who takes YAML. */
  yamlOf?(value: Value): string;
};

type Status = 200 | 201 | 202;

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { "application/json": { schema } } });

const document = (description: string, schema: z.ZodType): AnswerDocument => ({ description, ...json(schema) });

/** The verb's value, as it is. */
export const plain = <Schema extends z.ZodType<unknown, object>>(
  description: string,
  schema: Schema,
  status: Status = 200,
): Answer<z.input<Schema>> => ({ status, document: document(description, schema), bodyOf: (_, value) => value });

/** A v4 success: the verb's value in its envelope. */
export const enveloped = <Schema extends z.ZodType>(
  description: string,
  data: Schema,
  status: Status = 200,
): Answer<z.input<Schema>> => ({
  status,
  document: document(description, z.object({ success: z.literal(true), data, meta: MetaDocument })),
  bodyOf: envelope,
});

/** A v1 success: the members of the verb's value beside `success: true`. */
export const succeeded = <Schema extends z.ZodObject>(
  description: string,
  schema: Schema,
  status: Status = 200,
): Answer<BesideSuccess<z.input<Schema>>> => ({
  status,
  document: document(description, schema),
  bodyOf: (_, value) => ({ success: true, ...(value as object | undefined) }),
});

type BesideSuccess<Body> = keyof Omit<Body, "success"> extends never ? unknown : Omit<Body, "success">;

/** 204: that it is done is all there is to say. */
export const nothing = (description: string): Answer<unknown> => ({
  status: 204,
  document: { description },
  bodyOf: () => undefined,
});

/** The answer with further headers, each with what it is for and its value. */
export const withHeaders = <Value>(
  headers: Record<string, [description: string, valueOf: (value: NoInfer<Value>) => string]>,
  answer: Answer<Value>,
): Answer<Value> => ({
  ...answer,
  document: describeHeaders(
    mapValues(headers, ([description]) => description),
    answer.document,
  ),
  headersOf: (value) => mapValues(headers, ([, valueOf]) => valueOf(value)),
});

/** The answer, which is the text alone for who takes YAML and not JSON, or YAML more gladly. */
export const orYaml = <Value>(yamlOf: (value: NoInfer<Value>) => string, answer: Answer<Value>): Answer<Value> => ({
  ...answer,
  document: {
    ...answer.document,
    content: { ...answer.document.content, "application/yaml": { schema: { type: "string" } } },
  },
  yamlOf,
});

/** Adds headers to the document alone, where an operation writes its response itself. */
export const describeHeaders = (headers: Record<string, string>, answer: AnswerDocument): AnswerDocument => ({
  ...answer,
  headers: z.object(mapValues(headers, (description) => z.string().optional().openapi({ description }))),
});

const mapValues = <From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/** A page of a v4 list, under a name of its own in the document, so that generated clients have a type for it. */
export const pageOf = <Schema extends z.ZodType>(name: string, item: Schema) =>
  z
    .object({ items: z.array(item), total: z.number().int(), limit: z.number().int(), offset: z.number().int() })
    .openapi(name);

/** A named schema's value, or null. Its own `nullable()` would make the component null wherever it is named. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]);

/** Wraps a payload in the v4 envelope. */
export const envelope = <Data>(call: Call, data: Data) => ({ success: true as const, data, meta: metaOf(call) });

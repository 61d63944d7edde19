// How route declarations say what comes back, and the envelopes handlers answer with.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { PROBLEMS, type ProblemCode } from "../core/problem.ts";
import { metaOf } from "./meta.ts";
import type { AppEnv } from "./app-env.ts";

export const MetaDocument = z
  .object({ requestId: z.uuid(), durationMs: z.number() })
  .openapi("Meta", { description: "Identity of the request and its duration in milliseconds." });

const FlawDocument = z
  .object({
    pointer: z.string(),
    message: z.string(),
    line: z
      .number()
      .int()
      .optional()
      .openapi({ description: "Where in the text of a definition or statement, from 1." }),
    column: z.number().int().optional(),
    file: z.string().optional().openapi({ description: "Of semantic models: the path of the file." }),
    member: z
      .string()
      .optional()
      .openapi({ description: "Of semantic models: what it is about, a `cube` or a `cube.member`." }),
  })
  .openapi("Flaw");

export const FailureDocument = z
  .object({
    success: z.literal(false),
    message: z.string().openapi({ description: "What went wrong, for people." }),
    error: z.object({
      code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
      title: z.string(),
      status: z.number().int(),
      retryable: z.boolean().openapi({ description: "Whether the same request may succeed later." }),
      flaws: z.array(FlawDocument),
      position: z
        .number()
        .int()
        .optional()
        .openapi({
          description:
            "Where in the SQL that was sent the error is, where that is known: its " +
            "character (Unicode code point), from 1.",
        }),
      line: z.number().int().optional().openapi({ description: "The line of `position`, from 1." }),
      column: z.number().int().optional().openapi({ description: "The character of `position` in its line, from 1." }),
      quota: z
        .object({
          what: z.string(),
          limit: z.number().int(),
          used: z.number().int(),
          resetsAt: z.iso.datetime().nullable().openapi({ description: "Null: it is held, not used up." }),
        })
        .optional()
        .openapi("ExceededQuota", { description: "Of a plan's bound that is reached." }),
      conflictsWith: z
        .array(z.string())
        .optional()
        .openapi({ description: "Of some conflicts: the ids of what is in the way." }),
    }),
    meta: MetaDocument,
  })
  .openapi("Failure");

const CubeFailureDocument = z
  .object({ error: z.string().openapi({ description: "What went wrong, for people." }) })
  .openapi("CubeFailure", { description: "A failure in the form of Cube's REST API." });

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { "application/json": { schema } } });

export const answers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  ...json(schema),
});

/** A v4 success: the payload in its envelope. */
export const enveloped = <Schema extends z.ZodType>(description: string, data: Schema) =>
  answers(description, z.object({ success: z.literal(true), data, meta: MetaDocument }));

/** A page of a v4 list, under a name of its own in the document, so that generated clients have a type for it. */
export const pageOf = <Schema extends z.ZodType>(name: string, item: Schema) =>
  z
    .object({ items: z.array(item), total: z.number().int(), limit: z.number().int(), offset: z.number().int() })
    .openapi(name);

/** A named schema's value, or null. Its own `nullable()` would make the component null wherever it is named. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]);

/** Wraps a payload in the v4 envelope. */
export const envelope = <Data>(c: Context<AppEnv>, data: Data) => ({ success: true as const, data, meta: metaOf(c) });

type FailureFor<Code extends ProblemCode> = {
  [C in Code as (typeof PROBLEMS)[C]["status"]]: ReturnType<typeof failure<typeof FailureDocument>>;
};

/** What every authenticated operation may answer, so that no route has to remember it. */
const ALWAYS = [
  "auth_invalid_token",
  "forbidden_insufficient_permissions",
  "validation_failed",
  "business_quota_exceeded",
  "monthly_quota_exceeded",
  "too_many_requests",
  "internal_error",
] as const satisfies ProblemCode[];

const ALWAYS_V3 = [
  "invalid_request",
  "forbidden_invalid_key",
  "forbidden_insufficient_permissions",
  "too_many_requests",
  "internal_error",
] as const satisfies ProblemCode[];

/**
 * Declares an authenticated operation's failures by code, so the document and the catalogue cannot disagree on a
 * status.
 */
export const fails = <Code extends ProblemCode>(...codes: Code[]) =>
  failsOnly<Code | (typeof ALWAYS)[number]>(...codes, ...ALWAYS);

/** The same for version 3: all that is invalid is 400, and a key that nobody holds 403. */
export const failsV3 = <Code extends ProblemCode>(...codes: Code[]) =>
  failsOnly<Code | (typeof ALWAYS_V3)[number]>(...codes, ...ALWAYS_V3);

/** The failures of Cube's API: everything invalid is 400, a key that nobody holds 403, and a failure is one text. */
export const failsAsCube = <Code extends ProblemCode>(...codes: Code[]) => {
  const all: ProblemCode[] = [...codes, ...ALWAYS, "invalid_request"];
  const declared = all.filter((code) => code !== "auth_invalid_token" && code !== "validation_failed");
  return failuresByStatus(declared, CubeFailureDocument);
};

/** The same for an operation that asks for no key. */
export function failsOnly<Code extends ProblemCode>(...codes: Code[]): FailureFor<Code> {
  return failuresByStatus(codes, FailureDocument) as never;
}

function failuresByStatus(codes: readonly ProblemCode[], schema: z.ZodType) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set<ProblemCode>(codes)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, all]) => [status, failure(all, schema)]));
}

/** The failures of an operation that takes a JSON body. */
export const BODY_FAILURES = [
  "validation_failed",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies ProblemCode[];

export const BODY_FAILURES_V3 = [
  "invalid_request",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies ProblemCode[];

const failure = <Schema extends z.ZodType>(codes: ProblemCode[], schema: Schema) => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join("; "),
  ...json(schema),
});

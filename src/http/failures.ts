// Operations declare their failures by code, so that the document and the catalogue cannot disagree on a status.

import { z } from "@hono/zod-openapi";
import { PROBLEMS, type ProblemCode } from "../core/problem.ts";
import { json, MetaDocument } from "./answer.ts";

export const FlawDocument = z
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

const IcebergFailureDocument = z
  .object({
    error: z.object({
      message: z.string().openapi({ description: "What went wrong, for people." }),
      type: z.string().openapi({ example: "NoSuchTableException" }),
      code: z.number().int().openapi({ description: "The status." }),
    }),
  })
  .openapi("IcebergFailure", { description: "A failure in the form of Iceberg's REST catalog." });

const McpFailureDocument = z
  .union([
    FailureDocument,
    z
      .object({
        jsonrpc: z.literal("2.0"),
        id: z.unknown(),
        error: z.object({ code: z.number().int(), message: z.string() }),
      })
      .openapi("McpError", { description: "A failure of the protocol itself." }),
  ])
  .openapi("McpFailure", { description: "A failure that the platform or the Model Context Protocol names." });

const OAuthFailureDocument = z
  .union([
    FailureDocument,
    z
      .object({
        error: z.string().openapi({ example: "invalid_grant" }),
        error_description: z.string().openapi({ description: "What went wrong, for people." }),
      })
      .openapi("OAuthError", { description: "A failure that OAuth names." }),
  ])
  .openapi("OAuthFailure", { description: "A failure that the platform or OAuth names." });

/** How a part of the API spells its failures, and what each of its operations may answer. */
export type Dialect = "v4" | "v3" | "cube" | "iceberg" | "mcp" | "oauth";

type Spelling = { always: readonly ProblemCode[]; ofBodies: readonly ProblemCode[]; document: z.ZodType };

const ALWAYS = [
  "auth_invalid_token",
  "forbidden_insufficient_permissions",
  "validation_failed",
  "business_quota_exceeded",
  "monthly_quota_exceeded",
  "too_many_requests",
  "internal_error",
] as const satisfies ProblemCode[];

/** In version 3 and in Cube's API all that is invalid is 400, and a key that nobody holds 403. */
const SPELLINGS: Record<Dialect, Spelling> = {
  v4: {
    always: ALWAYS,
    ofBodies: ["validation_failed", "body_too_large", "unsupported_media_type"],
    document: FailureDocument,
  },
  v3: {
    always: [
      "invalid_request",
      "forbidden_invalid_key",
      "forbidden_insufficient_permissions",
      "too_many_requests",
      "internal_error",
    ],
    ofBodies: ["invalid_request", "body_too_large", "unsupported_media_type"],
    document: FailureDocument,
  },
  cube: {
    always: [
      ...ALWAYS.filter((code) => code !== "auth_invalid_token" && code !== "validation_failed"),
      "invalid_request",
    ],
    ofBodies: ["body_too_large", "unsupported_media_type"],
    document: CubeFailureDocument,
  },
  iceberg: {
    always: [...ALWAYS.filter((code) => code !== "validation_failed"), "invalid_request"],
    ofBodies: [],
    document: IcebergFailureDocument,
  },
  mcp: { always: ALWAYS, ofBodies: ["body_too_large", "unsupported_media_type"], document: McpFailureDocument },
  oauth: {
    always: ALWAYS,
    ofBodies: ["invalid_request", "body_too_large", "unsupported_media_type"],
    document: OAuthFailureDocument,
  },
};

/** What follows from the rest of a declaration, so that no operation has to remember it. */
export type Implied = { names: boolean; hasBody: boolean; isOpen: boolean };

/**
 * The failures of an operation by status: those that it declares, and those implied. `names`: a text of its path
 * may name nothing; `isOpen`: it asks for no key.
 */
export function failuresOf(dialect: Dialect, declared: readonly ProblemCode[], implied: Implied) {
  const { always, ofBodies, document } = SPELLINGS[dialect];
  const codes: ProblemCode[] = [
    ...(implied.names ? (["resource_not_found"] as const) : []),
    ...declared,
    ...(implied.hasBody ? ofBodies : []),
    ...(implied.isOpen ? (["internal_error"] as const) : always),
  ];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, all]) => [status, failure(all, document)]));
}

const failure = (codes: ProblemCode[], schema: z.ZodType) => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join("; "),
  ...json(schema),
});

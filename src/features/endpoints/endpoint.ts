// The noun: an endpoint, on the wire and in the mind. Pure.

import { z } from "@hono/zod-openapi";
import { ENDPOINT_LIMITS } from "./limits.ts";
import { QUESTION_LIMITS } from "../saved-queries/limits.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import type { endpoints } from "../../platform/db/schema/question-schema.ts";
import type { Question } from "../saved-queries/question.ts";

/** An endpoint is its row. */
export type EndpointRow = typeof endpoints.$inferSelect;

const Name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,62}$/, "A small letter, then small letters, digits, _ and -, at most 63.")
  .openapi({ description: "Stands in the address, and stays as it is." });
const Id = z
  .uuid()
  .transform((id) => id.toLowerCase())
  .openapi({ type: "string", format: "uuid" });

const SETTINGS = {
  description: z.string().max(QUESTION_LIMITS.savedQueryDescriptionCharactersMax).nullable(),
  role_id: Id.openapi({ description: "The data-access role whose grants bind every caller." }),
  audience: z
    .string()
    .min(1)
    .max(ENDPOINT_LIMITS.audienceCharactersMax)
    .openapi({ description: "The `aud` that a token must have." }),
  numbers: z.enum(["exact", "string"]),
  rate_per_minute: z
    .int()
    .min(1)
    .max(ENDPOINT_LIMITS.ratePerMinuteMax)
    .openapi({ description: "Calls of one key or token, within what the team's plan allows." }),
};

const QueryVersion = z
  .int()
  .min(1)
  .openapi({ description: "Of the saved query. When absent, the newest; a later one is published by a change." });

export const NewEndpoint = z
  .strictObject({
    name: Name,
    query_id: Id,
    query_version: QueryVersion.optional(),
    ...SETTINGS,
    description: SETTINGS.description.default(null),
    audience: SETTINGS.audience.default("fjord"),
    numbers: SETTINGS.numbers.default("exact"),
    rate_per_minute: SETTINGS.rate_per_minute.default(ENDPOINT_LIMITS.ratePerMinuteDefault),
  })
  .openapi("NewEndpoint", {
    example: {
      name: "orders-of-country",
      query_id: "0198f3c2-0000-7000-8000-000000000001",
      role_id: "0198f3c2-0000-7000-8000-000000000002",
    },
  });
export type NewEndpoint = z.infer<typeof NewEndpoint>;

export const EndpointPatch = z
  .strictObject({ query_id: Id, query_version: QueryVersion, ...SETTINGS })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("EndpointPatch", { example: { rate_per_minute: 60 } });
export type EndpointPatch = z.infer<typeof EndpointPatch>;

const instant = z.iso.datetime();

export const Endpoint = z
  .object({
    id: z.uuid(),
    name: z.string(),
    path: z.string().openapi({ description: "Where it is called." }),
    description: z.string().nullable(),
    query_id: z.uuid(),
    query_version: z.int(),
    role_id: z.uuid(),
    publisher_id: z
      .uuid()
      .openapi({ description: "Who published or changed it last; it answers while they read what the role grants." }),
    audience: z.string(),
    numbers: z.enum(["exact", "string"]),
    rate_per_minute: z.int(),
    takes_tokens: z.boolean().openapi({ description: "Whether there is a secret that signs tokens." }),
    previous_secret_until: instant.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Endpoint");
export type Endpoint = z.infer<typeof Endpoint>;

export const pathOf = ({ teamId, name }: Pick<EndpointRow, "teamId" | "name">): string =>
  `/v1/endpoints/${teamId}/${name}`;

export const shownEndpoint = (row: EndpointRow): Endpoint => ({
  id: row.id,
  name: row.name,
  path: pathOf(row),
  description: row.description,
  query_id: row.queryId,
  query_version: row.queryVersion,
  role_id: row.roleId,
  publisher_id: row.publisherId,
  audience: row.audience,
  numbers: row.numbers,
  rate_per_minute: row.ratePerMinute,
  takes_tokens: row.sealedSecrets !== null,
  previous_secret_until: row.previousSecretUntil,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
});

export const questionOfEndpoint = ({ question }: Pick<EndpointRow, "question">): Question =>
  JSON.parse(question) as Question;

/** Who published an endpoint, as they are now; undefined where they are gone. */
export type Publisher = { role: "member" | "admin"; holdsRole: boolean };

/**
 * Whether the publisher reads what the role grants. An admin reads everything, and who holds the role reads what it
 * grants, since roles add up.
 */
export const isCovered = (publisher: Publisher | undefined): boolean =>
  publisher !== undefined && (publisher.role === "admin" || publisher.holdsRole);

/** The audit log's facts of an endpoint. */
export const auditedEndpoint = (row: EndpointRow): AuditFacts => ({
  name: row.name,
  query_id: row.queryId,
  query_version: row.queryVersion,
  role_id: row.roleId,
  publisher_id: row.publisherId,
  audience: row.audience,
  rate_per_minute: row.ratePerMinute,
});

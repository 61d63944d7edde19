// The noun: an endpoint, which publishes a saved query at one version. Pure.

import { z } from "@hono/zod-openapi";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import {
  auditedPublication,
  NEW_PUBLICATION_SETTINGS,
  PUBLICATION_FIELDS,
  PUBLICATION_SETTINGS,
  PublicationId,
  shownPublication,
  type PublicationRow,
} from "../publications/publication.ts";
import type { Question } from "../saved-queries/question.ts";

const QueryVersion = z
  .int()
  .min(1)
  .openapi({ description: "Of the saved query. When absent, the newest; a later one is published by a change." });

export const NewEndpoint = z
  .strictObject({ query_id: PublicationId, query_version: QueryVersion.optional(), ...NEW_PUBLICATION_SETTINGS })
  .openapi("NewEndpoint", {
    example: {
      name: "orders-of-country",
      query_id: "0198f3c2-0000-7000-8000-000000000001",
      role_id: "0198f3c2-0000-7000-8000-000000000002",
    },
  });
export type NewEndpoint = z.infer<typeof NewEndpoint>;

export const EndpointPatch = z
  .strictObject({ query_id: PublicationId, query_version: QueryVersion, ...PUBLICATION_SETTINGS })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("EndpointPatch", { example: { rate_per_minute: 60 } });
export type EndpointPatch = z.infer<typeof EndpointPatch>;

export const Endpoint = z
  .object({ ...PUBLICATION_FIELDS, query_id: z.uuid(), query_version: z.int() })
  .openapi("Endpoint");
export type Endpoint = z.infer<typeof Endpoint>;

export const shownEndpoint = (row: PublicationRow): Endpoint => ({
  ...shownPublication(row),
  query_id: row.subjectId,
  query_version: row.subjectVersion,
});

/** An endpoint's content is the question that it asks. */
export const questionOfEndpoint = ({ content }: Pick<PublicationRow, "content">): Question =>
  JSON.parse(content) as Question;

/** The audit log's facts of an endpoint. */
export const auditedEndpoint = (row: PublicationRow): AuditFacts => ({
  ...auditedPublication(row),
  query_id: row.subjectId,
  query_version: row.subjectVersion,
});

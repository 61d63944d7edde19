// The noun: a doc, on the wire and in the mind. Pure.

import { z } from "@hono/zod-openapi";
import { DOC_KINDS, DOC_MEDIA_TYPES } from "../../platform/db/schema/schema.ts";
import { CREATOR_NAME } from "../teams/users/user.ts";
import type { Definition } from "./definition/definition.ts";
import type { ParsedDefinition } from "./definition/parse.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";

export const Doc = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    kind: z.enum(DOC_KINDS),
    version: z.number().int().openapi({ description: "Counts the definition's changes, from 1; its ETag." }),
    is_signed: z.boolean().openapi({ description: "Whether webhooks have to be signed." }),
    created_by: z.uuid(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    archived_at: z.iso.datetime().nullable(),
  })
  .openapi("Doc");
export type Doc = z.infer<typeof Doc>;

const source = {
  media_type: z.enum(DOC_MEDIA_TYPES),
  text: z.string().openapi({ description: "The definition as it was sent, to the character." }),
};

const warnings = z
  .array(z.string())
  .openapi({
    description:
      "What its writer may want to look at again, by JSON pointer, line and column: members that nothing here knows or " +
      "acts on, which are kept as they are; fields that their dataset does not answer now; and jobs of its " +
      "`automations` that were changed or deleted by themselves.",
  });

export const DocDetail = Doc.extend({
  ...source,
  definition: z
    .record(z.string(), z.unknown())
    .openapi({
      description:
        "The same, read; absent members have their defaults, and charts that name fields by their place name them, as " +
        "far as their dataset's columns were known when it was saved.",
    }),
  warnings,
}).openapi("DocDetail");
export type DocDetail = z.infer<typeof DocDetail>;

export const DocVersion = z
  .object({ version: z.number().int(), created_by: z.uuid(), created_at: z.iso.datetime() })
  .openapi("DocVersion");
export type DocVersion = z.infer<typeof DocVersion>;

export const ListedDocVersion = DocVersion.extend(CREATOR_NAME).openapi("ListedDocVersion");
export type ListedDocVersion = z.infer<typeof ListedDocVersion>;

export const DocVersionDetail = DocVersion.extend(source).openapi("DocVersionDetail");
export type DocVersionDetail = z.infer<typeof DocVersionDetail>;

/** A doc's text with its media type and its parsed definition. */
export type Source = { text: string; mediaType: (typeof DOC_MEDIA_TYPES)[number]; definition: Definition };

export type SentSource = Source & ParsedDefinition;

/** A doc as it answers whoever has just written it. */
export const WrittenDoc = Doc.extend({ warnings }).openapi("WrittenDoc");
export type WrittenDoc = z.infer<typeof WrittenDoc>;

/** The fields of a doc's row that come from its definition, for lists. */
export const headOf = ({ kind, metadata }: Definition): Pick<Doc, "name" | "description" | "kind"> => ({
  name: metadata.name,
  description: metadata.description ?? null,
  kind,
});

/** The audit log's facts of a version: its definition, which may hold anything, is kept with the doc. */
export const auditedDoc = ({ name, kind, version }: Doc, text: string | undefined): AuditFacts => ({
  name,
  kind,
  version,
  bytes: text && new TextEncoder().encode(text).length,
});

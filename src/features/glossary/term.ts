// The noun: a term of a team's glossary, and what its words mean there. Pure.

import { z } from "@hono/zod-openapi";
import { foldText } from "../../../kernel/text/fold-name.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import { CREATOR_NAME } from "../teams/users/user.ts";
import { GLOSSARY_LIMITS } from "./limits.ts";

const Word = z.string().trim().min(1).max(GLOSSARY_LIMITS.termCharactersMax);

const Link = z
  .strictObject({
    integration_id: z.uuid().transform((id) => id.toLowerCase()),
    name: z
      .string()
      .trim()
      .min(1)
      .max(GLOSSARY_LIMITS.linkNameCharactersMax)
      .openapi({ description: "`schema.table` of a lake, or `cube.member` of a semantic model." }),
  })
  .openapi("GlossaryLink");
export type Link = z.infer<typeof Link>;

const FIELDS = {
  term: Word,
  synonyms: z
    .array(Word)
    .max(GLOSSARY_LIMITS.synonymsMax)
    .transform((words) => [...new Set(words)]),
  definition: z.string().trim().min(1).max(GLOSSARY_LIMITS.definitionCharactersMax),
  links: z.array(Link).max(GLOSSARY_LIMITS.linksMax),
};

const EXAMPLE = {
  term: "Net revenue",
  synonyms: ["turnover"],
  definition: "What orders were paid, less refunds, without VAT. It counts in the month of the payment.",
};

export const NewGlossaryTerm = z
  .strictObject({ ...FIELDS, synonyms: FIELDS.synonyms.default([]), links: FIELDS.links.default([]) })
  .openapi("NewGlossaryTerm", { example: EXAMPLE });

export const GlossaryTermPatch = z
  .strictObject(FIELDS)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("GlossaryTermPatch", { example: { synonyms: ["turnover", "sales"] } });
export type GlossaryTermPatch = z.infer<typeof GlossaryTermPatch>;

/** What a term's versions are versions of. */
export type TermContent = z.infer<typeof NewGlossaryTerm>;

const instant = z.iso.datetime();

const ShownLink = z
  .object({
    integration_id: z.uuid(),
    name: z.string(),
    missing: z.boolean().openapi({ description: "Whether there is no such table or member by now." }),
  })
  .openapi("ShownGlossaryLink");
export type ShownLink = z.infer<typeof ShownLink>;

const shown = {
  term: z.string(),
  synonyms: z.array(z.string()),
  definition: z.string(),
  links: z.array(ShownLink).openapi({ description: "Those alone that the caller's roles let them read." }),
};

export const GlossaryTerm = z
  .object({
    id: z.uuid(),
    ...shown,
    version: z.number().int().openapi({ description: "Counts its changes, from 1; its ETag." }),
    created_by: z.uuid(),
    created_at: instant,
    updated_by: z.uuid(),
    updated_at: instant,
  })
  .openapi("GlossaryTerm");
export type GlossaryTerm = z.infer<typeof GlossaryTerm>;

export const GlossaryTermVersion = z
  .object({ version: z.number().int(), created_by: z.uuid(), created_at: instant })
  .openapi("GlossaryTermVersion");
export type GlossaryTermVersion = z.infer<typeof GlossaryTermVersion>;

export const ListedGlossaryTermVersion = GlossaryTermVersion.extend(CREATOR_NAME).openapi("ListedGlossaryTermVersion");
export type ListedGlossaryTermVersion = z.infer<typeof ListedGlossaryTermVersion>;

export const GlossaryTermVersionDetail = GlossaryTermVersion.extend(shown).openapi("GlossaryTermVersionDetail");
export type GlossaryTermVersionDetail = z.infer<typeof GlossaryTermVersionDetail>;

/** A term as it is kept: whichever links it has, whoever reads it. */
export type KeptTerm = Omit<GlossaryTerm, "links"> & { links: Link[] };

/** Two terms that differ in case alone are one. */
export const termKeyOf = ({ term }: Pick<TermContent, "term">): string => foldText(term);

/** In one order of its members, so that equal contents are equal texts. */
export const packContent = ({ term, synonyms, definition, links }: TermContent): string =>
  JSON.stringify({
    ...{ term, synonyms, definition },
    links: links.map(({ integration_id, name }) => ({ integration_id, name })),
  });

/** The audit log's facts of a term; its text is kept with its versions. */
export const auditedTerm = ({ term, synonyms, version }: KeptTerm): AuditFacts => ({ term, synonyms, version });

// The noun: a saved query, on the wire and in the mind. Pure.

import { z } from "@hono/zod-openapi";
import { foldText } from "../../../kernel/text/fold-name.ts";
import { LIMITS } from "../../core/limits.ts";
import { QUESTION_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import { CREATOR_NAME } from "../teams/users/user.ts";
import { flawsOfQuestion, QUESTION_FIELDS, type Question } from "./question.ts";

const Name = z.string().trim().min(1).max(LIMITS.nameCharactersMax);
const Description = z.string().max(QUESTION_LIMITS.savedQueryDescriptionCharactersMax).nullable();
const Tags = z
  .array(z.string().trim().min(1).max(QUESTION_LIMITS.savedQueryTagCharactersMax))
  .max(QUESTION_LIMITS.savedQueryTagsMax)
  .transform((tags) => [...new Set(tags)]);

const Questions = z
  .array(z.string().trim().min(1).max(QUESTION_LIMITS.savedQueryQuestionCharactersMax))
  .max(QUESTION_LIMITS.savedQueryQuestionsMax)
  .transform((questions) => [...new Set(questions)])
  .openapi({
    type: "array",
    items: { type: "string" },
    description:
      "In the words of who asks, what it answers besides its name: agents are given certified ones as pairs.",
  });

const { sql, cube_query, integration_id, parameters } = QUESTION_FIELDS;
const KEPT = {
  ...{ name: Name, description: Description, tags: Tags, questions: Questions },
  ...{ integration_id, parameters },
};

const instant = z.iso.datetime();

export const SavedQuery = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    questions: z.array(z.string()).openapi({ description: "What it answers besides its name." }),
    owner_id: z.uuid().openapi({ description: "Who may change it beside the team's admins." }),
    version: z.number().int().openapi({ description: "Counts the changes of its definition, from 1; its ETag." }),
    certified: z.boolean().openapi({ description: "Whether an admin vouches for the question as it is." }),
    certified_by: z.uuid().nullable(),
    certified_at: instant.nullable(),
    created_by: z.uuid(),
    created_at: instant,
    updated_at: instant,
    archived_at: instant.nullable(),
  })
  .openapi("SavedQuery");
export type SavedQuery = z.infer<typeof SavedQuery>;

const shown = {
  sql: sql.optional(),
  cube_query: cube_query.optional(),
  integration_id: z.uuid().nullable(),
  parameters,
};

export const SavedQueryDetail = SavedQuery.extend(shown).openapi("SavedQueryDetail");
export type SavedQueryDetail = z.infer<typeof SavedQueryDetail>;

export const SavedQueryVersion = z
  .object({ version: z.number().int(), created_by: z.uuid(), created_at: instant })
  .openapi("SavedQueryVersion");
export type SavedQueryVersion = z.infer<typeof SavedQueryVersion>;

export const ListedSavedQueryVersion = SavedQueryVersion.extend(CREATOR_NAME).openapi("ListedSavedQueryVersion");
export type ListedSavedQueryVersion = z.infer<typeof ListedSavedQueryVersion>;

export const SavedQueryVersionDetail = SavedQueryVersion.extend({
  name: z.string(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  questions: z.array(z.string()),
  ...shown,
}).openapi("SavedQueryVersionDetail");
export type SavedQueryVersionDetail = z.infer<typeof SavedQueryVersionDetail>;

export const SavedQueryUse = z
  .object({
    kind: z.enum(["endpoint", "delivery"]),
    id: z.uuid(),
    name: z.string(),
    version: z.number().int().openapi({ description: "Of the saved query, as it is used." }),
  })
  .openapi("SavedQueryUse");
export type SavedQueryUse = z.infer<typeof SavedQueryUse>;

export const NewSavedQuery = z
  .strictObject({
    ...KEPT,
    description: Description.default(null),
    tags: Tags.default([]),
    questions: Questions.default([]),
    integration_id: integration_id.default(null),
    parameters: parameters.default({}),
    sql: sql.optional(),
    cube_query: cube_query.optional(),
  })
  .openapi("NewSavedQuery", {
    example: {
      name: "Orders of a country",
      tags: ["sales"],
      sql: "SELECT * FROM LAKE.sample.orders WHERE status = $status LIMIT 100",
      parameters: { status: { type: "text", allowed_values: ["shipped", "returned"] } },
    },
  });

export const SavedQueryPatch = z
  .strictObject({ ...KEPT, sql, cube_query, owner_id: z.uuid(), certified: z.boolean() })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("SavedQueryPatch", { example: { name: "Orders by country" } });
export type SavedQueryPatch = z.infer<typeof SavedQueryPatch>;

/** What its versions are versions of. */
export type SavedDefinition = Pick<SavedQuery, "name" | "description" | "tags" | "questions"> & Question;

/** `sql` takes the place of `cube_query`, and the other way round. */
export function changedDefinition(
  before: SavedDefinition,
  { owner_id: _, certified: __, ...patch }: SavedQueryPatch,
): SavedDefinition {
  const merged = { ...before, ...patch };
  if (patch.sql !== undefined && patch.cube_query === undefined) delete merged.cube_query;
  if (patch.cube_query !== undefined && patch.sql === undefined) delete merged.sql;
  return merged as SavedDefinition;
}

/** The definition as it is kept. Throws `validation_failed` for one that is too long, or no question. */
export function packDefinition(definition: SavedDefinition): string {
  const flaws = flawsOfQuestion(definition);
  const text = JSON.stringify({ ...namedBy(definition), ...questionOf(definition) });
  if (new TextEncoder().encode(text).length > QUESTION_LIMITS.savedQueryBytesMax)
    flaws.push({ pointer: "", message: `A saved query may have ${QUESTION_LIMITS.savedQueryBytesMax / 1024} KiB.` });
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
  return text;
}

/** In one order of its members, so that equal questions are equal texts. */
export const questionOf = ({ sql, cube_query, integration_id, parameters }: Question): Question => ({
  ...(sql === undefined ? { cube_query } : { sql }),
  integration_id,
  parameters,
});

/** The definition as it is read. Versions from before queries had questions have none. */
export const unpackDefinition = (text: string): SavedDefinition => ({
  questions: [],
  ...(JSON.parse(text) as Omit<SavedDefinition, "questions">),
});

/** The part of a definition that lists show, and that people and agents find it by. */
export const namedBy = ({ name, description, tags, questions }: SavedDefinition) => ({
  ...{ name, description, tags, questions },
});

/** What a search looks through. */
export const searchTextOf = (definition: SavedDefinition): string => {
  const { name, description, tags, questions, sql, cube_query: cube } = definition;
  return foldText([name, description ?? "", ...tags, ...questions, sql ?? JSON.stringify(cube)].join("\n"));
};

export const searchWordsOf = (search: string): string[] =>
  foldText(search)
    .split(/\s+/)
    .filter((word) => word !== "");

/** The audit log's facts of a saved query: the text, which may hold anything, is kept with its versions. */
export const auditedQuery = (query: SavedQuery): AuditFacts => ({
  name: query.name,
  owner_id: query.owner_id,
  version: query.version,
  certified: query.certified,
  archived_at: query.archived_at,
});

// The noun: a publication, which answers callers who are no users, under one data-access role. Endpoints and published
// dashboards are kinds of it. What all kinds have is here. Pure.

import { z } from "@hono/zod-openapi";
import { shownBy } from "../../http/shown-by.ts";
import type { AuditAction } from "../../platform/db/audit-actions.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import type { publications, PublicationKind } from "../../platform/db/schema/question-schema.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/scope.ts";
import { QUESTION_LIMITS } from "../saved-queries/limits.ts";
import { PUBLICATION_LIMITS } from "./limits.ts";

export type { PublicationKind } from "../../platform/db/schema/question-schema.ts";

/** A publication is its row. */
export type PublicationRow = typeof publications.$inferSelect;

type KindWords = {
  /** What one is called in failures, and several of them. */
  noun: string;
  nouns: string;
  /** Where its callers find it. */
  root: string;
};

export const KIND_WORDS: Record<PublicationKind, KindWords> = {
  endpoint: { noun: "endpoint", nouns: "endpoints", root: "/v1/endpoints" },
  dashboard: { noun: "published dashboard", nouns: "published dashboards", root: "/v1/dashboards" },
};

export const pathOf = ({ kind, teamId, name }: Pick<PublicationRow, "kind" | "teamId" | "name">): string =>
  `${KIND_WORDS[kind].root}/${teamId}/${name}`;

export const PublicationId = z
  .uuid()
  .transform((id) => id.toLowerCase())
  .openapi({ type: "string", format: "uuid" });

/** The settings of every kind; `name` is set once. */
export const PUBLICATION_SETTINGS = {
  description: z.string().max(QUESTION_LIMITS.savedQueryDescriptionCharactersMax).nullable(),
  role_id: PublicationId.openapi({ description: "The data-access role whose grants bind every caller." }),
  audience: z
    .string()
    .min(1)
    .max(PUBLICATION_LIMITS.audienceCharactersMax)
    .openapi({ description: "The `aud` that a token must have." }),
  numbers: z.enum(["exact", "string"]),
  rate_per_minute: z
    .int()
    .min(1)
    .max(PUBLICATION_LIMITS.ratePerMinuteMax)
    .openapi({ description: "Calls of one key or token, within what the team's plan allows." }),
};

/** A new publication is declared by these. */
export const NEW_PUBLICATION_SETTINGS = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/, "A small letter, then small letters, digits, _ and -, at most 63.")
    .openapi({ description: "Stands in the address, and stays as it is." }),
  ...PUBLICATION_SETTINGS,
  description: PUBLICATION_SETTINGS.description.default(null),
  audience: PUBLICATION_SETTINGS.audience.default("fjord"),
  numbers: PUBLICATION_SETTINGS.numbers.default("exact"),
  rate_per_minute: PUBLICATION_SETTINGS.rate_per_minute.default(PUBLICATION_LIMITS.ratePerMinuteDefault),
};
type NewSettings = z.infer<z.ZodObject<typeof NEW_PUBLICATION_SETTINGS>>;
type SettingsPatch = { [Name in keyof Settings]?: Settings[Name] | undefined };
type Settings = z.infer<z.ZodObject<typeof PUBLICATION_SETTINGS>>;

const instant = z.iso.datetime();

/** What every kind shows of itself. */
export const PUBLICATION_FIELDS = {
  id: z.uuid(),
  name: z.string(),
  path: z.string().openapi({ description: "Where it is called." }),
  description: z.string().nullable(),
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
};

export const shownPublication = (row: PublicationRow) =>
  shownBy({ shape: PUBLICATION_FIELDS }, row, { path: pathOf(row), takes_tokens: row.sealedSecrets !== null });

/**
 * What a kind keeps of what it publishes: its subject at a version, as JSON what is answered of it, and settings that
 * only this kind has.
 */
export type Published = Pick<PublicationRow, "subjectId" | "subjectVersion" | "content"> &
  Partial<Pick<PublicationRow, "frameAncestors" | "openParameters">>;

export function newPublication(
  { teamId, userId, now }: Pick<Scope, "teamId" | "userId" | "now">,
  kind: PublicationKind,
  input: NewSettings,
  published: Published,
): PublicationRow {
  const at = now.toISOString();
  return {
    id: newId(now),
    teamId,
    kind,
    name: input.name,
    description: input.description,
    frameAncestors: null,
    openParameters: null,
    ...published,
    roleId: input.role_id,
    publisherId: userId,
    audience: input.audience,
    numbers: input.numbers,
    ratePerMinute: input.rate_per_minute,
    sealedSecrets: null,
    vaultKeyId: null,
    previousSecretUntil: null,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** Who changes a publication publishes it from then on. */
export const changedPublication = (
  { userId, now }: Pick<Scope, "userId" | "now">,
  before: PublicationRow,
  patch: SettingsPatch,
): PublicationRow => ({
  ...before,
  description: patch.description === undefined ? before.description : patch.description,
  roleId: patch.role_id ?? before.roleId,
  audience: patch.audience ?? before.audience,
  numbers: patch.numbers ?? before.numbers,
  ratePerMinute: patch.rate_per_minute ?? before.ratePerMinute,
  publisherId: userId,
  revision: before.revision + 1,
  updatedAt: now.toISOString(),
});

/** Who published it, as they are now; undefined where they are gone. */
export type Publisher = { role: "member" | "admin"; holdsRole: boolean };

/**
 * Whether the publisher reads what the role grants. An admin reads everything, and who holds the role reads what it
 * grants, since roles add up.
 */
export const isCovered = (publisher: Publisher | undefined): boolean =>
  publisher !== undefined && (publisher.role === "admin" || publisher.holdsRole);

/** The audit log's facts that every kind has. */
export const auditedPublication = (row: PublicationRow): AuditFacts => ({
  name: row.name,
  role_id: row.roleId,
  publisher_id: row.publisherId,
  audience: row.audience,
  rate_per_minute: row.ratePerMinute,
});

/** How a kind's change stands in the audit log. */
export type AuditedAs = { action: AuditAction; factsOf: (row: PublicationRow) => AuditFacts };

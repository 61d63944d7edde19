// /v4/glossary: what a team's words mean, for people and for agents.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { expectedVersion, IF_MATCH, tagged } from "../../http/request/version-tag.ts";
import { createRouter } from "../../http/router.ts";
import { createGlossaryTerm } from "./create.ts";
import { deleteGlossaryTerm } from "./delete.ts";
import { getGlossaryTerm } from "./get.ts";
import { GLOSSARY_LIMITS } from "./limits.ts";
import { listGlossaryTerms } from "./list.ts";
import {
  GlossaryTerm,
  GlossaryTermPatch,
  GlossaryTermVersionDetail,
  ListedGlossaryTermVersion,
  NewGlossaryTerm,
} from "./term.ts";
import { updateGlossaryTerm } from "./update.ts";
import { getGlossaryTermVersion } from "./versions/get.ts";
import { listGlossaryTermVersions } from "./versions/list.ts";

const TermPath = z.object({ term_id: z.string() });
const Window = z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 }));

export const glossary = createRouter(["Knowledge", "Extensions"]);

glossary.operation("createGlossaryTerm", "POST /", {
  permission: "queries:manage",
  audit: "glossary_term.create",
  summary: "Add a term to the glossary",
  description:
    "A word of the team's, its synonyms and what it means, with the tables and members that it is about. Agents read it " +
    "before they ask, so that it is written by whom the certified mark is set by.",
  body: NewGlossaryTerm,
  answer: tagged(enveloped("The term", GlossaryTerm, 201)),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createGlossaryTerm(ctx, body),
});

glossary.operation("listGlossaryTerms", "GET /", {
  permission: "query",
  summary: "List the glossary",
  description: "In the order of the alphabet. Links to what your roles hide are left out.",
  query: Window,
  answer: enveloped("A page of terms", pageOf("GlossaryTermPage", GlossaryTerm)),
  run: (ctx, { query }) => listGlossaryTerms(ctx, query),
});

glossary.operation("getGlossaryTerm", "GET /{term_id}", {
  permission: "query",
  summary: "Get a term of the glossary",
  description: "The `ETag` is what a change sends as `If-Match`.",
  params: TermPath,
  answer: tagged(enveloped("The term", GlossaryTerm)),
  run: (ctx, { params }) => getGlossaryTerm(ctx, params.term_id),
});

glossary.operation("updateGlossaryTerm", "PATCH /{term_id}", {
  permission: "queries:manage",
  audit: "glossary_term.update",
  summary: "Change a term of the glossary",
  description:
    'The fields that are sent, as the next version. Send `If-Match: "<version>"` to change only what you have read.',
  requestHeaders: IF_MATCH,
  params: TermPath,
  body: GlossaryTermPatch,
  answer: tagged(enveloped("The term as it is now", GlossaryTerm)),
  fails: ["resource_conflict", "precondition_failed"],
  run: (ctx, { params, body: patch }) => {
    const expected = expectedVersion(ctx.request);
    return updateGlossaryTerm(ctx, params.term_id, { patch, expected });
  },
});

glossary.operation("deleteGlossaryTerm", "DELETE /{term_id}", {
  permission: "queries:manage",
  audit: "glossary_term.delete",
  summary: "Delete a term of the glossary",
  description: "For good, with its versions.",
  params: TermPath,
  answer: nothing("Deleted"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteGlossaryTerm(ctx, params.term_id),
});

glossary.operation("listGlossaryTermVersions", "GET /{term_id}/versions", {
  permission: "query",
  summary: "List a term's versions",
  description: `Newest first; the newest ${GLOSSARY_LIMITS.termVersionsKeptMax} are kept.`,
  params: TermPath,
  query: Window,
  answer: enveloped("A page of versions", pageOf("GlossaryTermVersionPage", ListedGlossaryTermVersion)),
  run: (ctx, { params, query }) => listGlossaryTermVersions(ctx, params.term_id, query),
});

glossary.operation("getGlossaryTermVersion", "GET /{term_id}/versions/{version}", {
  permission: "query",
  summary: "Get what a term said at one version",
  description: "To go back to it, send its members to `PATCH /v4/glossary/{term_id}`.",
  params: TermPath.extend({ version: z.string() }),
  answer: enveloped("The version", GlossaryTermVersionDetail),
  run: (ctx, { params }) => getGlossaryTermVersion(ctx, params.term_id, params.version),
});

// /v4/catalog/search: what there is that a question may be about.

import { z } from "@hono/zod-openapi";
import { enveloped } from "../../../http/answer.ts";
import { integerParameter, listParameter, textParameter } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { CatalogHit, HIT_KINDS } from "./hit.ts";
import { SEARCH_LIMITS } from "./limits.ts";
import { searchCatalog } from "./search.ts";

export const catalogSearch = createRouter(["Catalog", "Extensions"]);

const CatalogHits = z.object({ items: z.array(CatalogHit) }).openapi("CatalogHits");

catalogSearch.operation("searchCatalog", "GET /", {
  permission: "catalog:read",
  summary: "Search tables, members of models, saved queries, docs and the glossary",
  description:
    "By the words of a question in any of their forms, by synonyms, and by the likest spelling of a word that nothing has; " +
    "ranked by BM25 over names, titles, comments, descriptions, tags, columns, questions and synonyms. Only what the " +
    "caller may read is searched: tables and columns by their roles, the rest by their rights.",
  query: z.strictObject({
    text: textParameter({ min: 1, max: SEARCH_LIMITS.questionCharactersMax }),
    kind: listParameter(z.enum(HIT_KINDS)).openapi({ description: "Only these; repeat the parameter." }),
    limit: integerParameter({ min: 1, max: SEARCH_LIMITS.hitsMax, default: 10 }),
  }),
  answer: enveloped("What was found, the likest first", CatalogHits),
  run: async (ctx, { query: { text, kind, limit } }) => ({
    items: await searchCatalog(ctx, { text, kinds: kind ?? HIT_KINDS, limit }),
  }),
});

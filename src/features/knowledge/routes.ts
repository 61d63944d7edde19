// /v4/knowledge: what a team knows that answers a question, besides its tables.

import { z } from "@hono/zod-openapi";
import { enveloped } from "../../http/answer.ts";
import { integerParameter, textParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { getKnowledge } from "./get.ts";
import { Knowledge } from "./knowledge.ts";
import { KNOWLEDGE_LIMITS } from "./limits.ts";

export const knowledge = createRouter(["Knowledge", "Extensions"]);

knowledge.operation("getKnowledge", "GET /", {
  permission: "query",
  summary: "Get the terms and verified queries that are like a question",
  description:
    "Terms of the glossary, and certified saved queries as pairs of questions and answers, ranked by BM25 over their " +
    "words; without a question all that there are. Queries that reach what your roles hide are left out, and so are links.",
  query: z.strictObject({
    question: textParameter({ min: 1, max: KNOWLEDGE_LIMITS.questionCharactersMax }).optional(),
    limit: integerParameter({ min: 1, max: KNOWLEDGE_LIMITS.itemsMax, default: KNOWLEDGE_LIMITS.itemsDefault }),
  }),
  answer: enveloped("What is like the question, the likest first", Knowledge),
  run: (ctx, { query: { question, limit } }) => getKnowledge(ctx, { question, limit }),
});

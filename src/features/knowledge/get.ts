import type { Needs } from "../../clients/context.ts";
import { fieldsOfQuery, fieldsOfTerm } from "../catalog/search/fields.ts";
import { rank, type Field } from "../catalog/search/rank.ts";
import { listTermWords } from "../glossary/list.ts";
import { showLinks } from "../glossary/links/show-links.ts";
import { readDefinitions } from "../saved-queries/find.ts";
import { listSavedQueries } from "../saved-queries/list.ts";
import { findUserNames } from "../teams/users/names.ts";
import type { Knowledge, VerifiedQuery } from "./knowledge.ts";
import { KNOWLEDGE_LIMITS } from "./limits.ts";
import { QueryJudge } from "./verified/judge.ts";

type Deps = Needs<"scope" | "db" | "openLake">;
/** `question` undefined: terms in the order of the alphabet, queries oldest first. */
export type KnowledgeQuery = { question: string | undefined; limit: number };

/** The likest to the question first; without one, all that there is. Throws what reading a lake's catalog throws. */
export async function getKnowledge(ctx: Deps, { question, limit }: KnowledgeQuery): Promise<Knowledge> {
  const [terms, queries] = await Promise.all([findTerms(ctx, question), findVerified(ctx, question)]);
  return {
    terms: await showLinks(ctx, terms.slice(0, limit)),
    verified_queries: queries.slice(0, limit),
    cut: terms.length > limit || queries.length > limit,
  };
}

async function findTerms(ctx: Deps, question: string | undefined) {
  return likest(await listTermWords(ctx), question, fieldsOfTerm);
}

/** Certified queries that reach nothing which is hidden from the caller. */
async function findVerified(ctx: Deps, question: string | undefined): Promise<VerifiedQuery[]> {
  const page = { limit: KNOWLEDGE_LIMITS.certifiedMax, offset: 0 };
  const { items } = await listSavedQueries(ctx, { words: [], certified: true, archived: false }, page);
  const candidates = likest(items, question, fieldsOfQuery).slice(0, KNOWLEDGE_LIMITS.candidatesMax);
  const [definitions, names] = await Promise.all([
    readDefinitions(ctx, candidates),
    findUserNames(
      ctx,
      candidates.flatMap(({ certified_by: by }) => by ?? []),
    ),
  ]);
  const judge = new QueryJudge(ctx);
  const judged = candidates.map(async (query): Promise<VerifiedQuery[]> => {
    const definition = definitions.get(query.id);
    // It was changed meanwhile, so that nobody vouches for it.
    if (!definition) return [];
    const { isShown, missing } = await judge.judge(definition);
    if (!isShown) return [];
    const { id, version, certified_by, certified_at } = query;
    const { tags: _, ...said } = definition;
    const certified_by_name = names.get(certified_by ?? "") ?? null;
    return [{ ...said, id, version, certified_by, certified_at, certified_by_name, missing }];
  });
  return (await Promise.all(judged)).flat();
}

const likest = <Item>(items: Item[], question: string | undefined, fields: (item: Item) => Field[]): Item[] =>
  question === undefined ? items : rank(items, fields, question).map(({ item }) => item);

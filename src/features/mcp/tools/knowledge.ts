// The part of an agent's context that people wrote for it: terms and verified queries, as many as have room.

import type { GlossaryTerm } from "../../glossary/term.ts";
import { KNOWLEDGE_LIMITS } from "../../knowledge/limits.ts";
import type { Knowledge, VerifiedQuery } from "../../knowledge/knowledge.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { OperationCalls } from "../operation-calls.ts";

/** The likest to the question first. `left_out` says that there is more, and what to do. */
export async function showKnowledge(calls: OperationCalls, question: string | undefined) {
  const asked = question && [...question.trim()].slice(0, KNOWLEDGE_LIMITS.questionCharactersMax).join("");
  const query = { limit: KNOWLEDGE_LIMITS.itemsMax, ...(asked && { question: asked }) };
  const { terms, verified_queries: pairs, cut } = await calls.call<Knowledge>("getKnowledge", { query });
  const glossary = takeFitting(terms.map(showTerm), MCP_LIMITS.glossaryCharactersMax);
  const verified = takeFitting(pairs.map(showPair), MCP_LIMITS.verifiedCharactersMax);
  const isCut = cut || glossary.length < terms.length || verified.length < pairs.length;
  const leftOut = asked ? "Less likely ones were left out." : "There are more: send the question, for the likest.";
  return { glossary, verified_queries: verified, ...(isCut && { left_out: leftOut }) };
}

const showTerm = ({ term, synonyms, definition, links }: GlossaryTerm) => ({
  ...{ term, definition },
  ...(synonyms.length > 0 && { synonyms }),
  ...(links.length > 0 && {
    links: links.map(({ integration_id, name, missing }) => ({ integration_id, name, ...(missing && { missing }) })),
  }),
});

const showPair = ({ name, questions, description, parameters, missing, ...pair }: VerifiedQuery) => ({
  questions: [name, ...questions],
  ...(description !== null && { description }),
  ...{ sql: pair.sql, cube_query: pair.cube_query, integration_id: pair.integration_id },
  ...(Object.keys(parameters).length > 0 && { parameters }),
  ...{ verified_by: pair.certified_by_name, verified_at: pair.certified_at },
  ...(missing.length > 0 && { missing }),
});

/** Whole items, each that still has room. */
function takeFitting<Item>(items: readonly Item[], charactersMax: number): Item[] {
  let left = charactersMax;
  return items.filter((item) => {
    const { length } = JSON.stringify(item);
    if (length > left) return false;
    left -= length;
    return true;
  });
}

// `extends`: a definition takes over all that its parent has and it does not say itself, as in Cube. What is read has
// no parents any more.

import { SEMANTIC_LIMITS } from "../../limits.ts";
import type { Findings } from "./shape.ts";

type Fields = Record<string, unknown>;
type Named = { name: string };
/** In these lists a definition's own items take the places of its parent's of one name, or follow them. */
const BY_NAME = ["joins", "measures", "dimensions", "segments", "hierarchies"];
/** In these lists a definition's own items follow its parent's. */
const APPENDED = ["cubes", "folders"];
const EITHER = ["sql", "sql_table"];
/** Nobody extends so far but to see what happens. */
const PARENTS_MAX = 20;

export function resolveExtends(definitions: readonly Fields[], findings: Findings): Fields[] {
  const byName = new Map(definitions.map((definition) => [definition["name"] as string, definition]));
  let members = 0;
  return definitions.flatMap((definition) => {
    const chain = chainOf(definition, byName, findings);
    if (!chain) return [];
    // Counted first: what a chain adds up to can be far more than was written.
    members += chain.reduce((sum, link) => sum + sizeOf(link), 0);
    if (members > SEMANTIC_LIMITS.modelMembersMax) {
      if (members < Number.POSITIVE_INFINITY)
        findings.flaw(
          findings.placeOf(definition),
          `The model has more than ${SEMANTIC_LIMITS.modelMembersMax} members, with those that are taken over by extends.`,
        );
      members = Number.POSITIVE_INFINITY;
      return [];
    }
    if (chain.length === 1) return [definition];
    return [findings.remember(chain.reduceRight(inherit, {}), findings.placeOf(definition))];
  });
}

const sizeOf = (definition: Fields): number =>
  [...BY_NAME, ...APPENDED].reduce(
    (sum, field) => sum + ((definition[field] as unknown[] | undefined)?.length ?? 0),
    1,
  );

/** The definition, its parent, and so on. */
function chainOf(definition: Fields, byName: Map<string, Fields>, findings: Findings): Fields[] | undefined {
  const chain = [definition];
  for (let parent = definition["extends"]; parent !== undefined; parent = chain.at(-1)!["extends"]) {
    const found = byName.get(parent as string);
    findings.member = definition["name"] as string;
    const place = findings.placeOf(definition);
    if (!found) return findings.flaw(place, `It extends ${String(parent)}, which is not there.`);
    if (chain.includes(found)) return findings.flaw(place, `It extends itself, by way of ${String(parent)}.`);
    if (chain.push(found) > PARENTS_MAX) return findings.flaw(place, `It has more than ${PARENTS_MAX} parents.`);
  }
  return chain;
}

function inherit(parent: Fields, child: Fields): Fields {
  const { extends: _, ...own } = child;
  const merged = { ...parent, ...own };
  if (EITHER.some((field) => own[field] !== undefined))
    for (const field of EITHER) if (own[field] === undefined) delete merged[field];
  for (const field of BY_NAME)
    if (parent[field] && own[field]) merged[field] = byName(parent[field] as Named[], own[field] as Named[]);
  for (const field of APPENDED)
    if (parent[field] && own[field]) merged[field] = [...(parent[field] as unknown[]), ...(own[field] as unknown[])];
  return merged;
}

function byName(inherited: readonly Named[], own: readonly Named[]): Named[] {
  const merged = new Map(inherited.map((member) => [member.name, member]));
  for (const member of own) merged.set(member.name, member);
  return [...merged.values()];
}

// A term by its id, and the failures that changes of terms share.

import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { GLOSSARY_LIMITS } from "./limits.ts";
import { findTerm, sumVersionBytes } from "./store.ts";
import { packContent, type KeptTerm, type TermContent } from "./term.ts";

/** Another team's answers exactly as a missing one. */
export async function requireTerm({ scope, db }: Needs<"scope" | "db">, id: string): Promise<KeptTerm> {
  const term = await findTerm(db, scope.teamId, id.toLowerCase());
  if (!term) throw notFound("Term", id);
  return term;
}

export const termTaken = (term: string): Problem =>
  new Problem("resource_conflict", `The glossary has a term ${term} already.`);

export const changedMeanwhile = (): Problem =>
  new Problem("resource_conflict", "The term was changed meanwhile; read it again.");

/** Throws `business_quota_exceeded` where the glossary, of all versions, would grow past its bound. */
export async function requireStorageSpace({ scope, db }: Needs<"scope" | "db">, content: TermContent): Promise<void> {
  const bytes = new TextEncoder().encode(packContent(content)).byteLength;
  if ((await sumVersionBytes(db, scope.teamId)) + bytes <= GLOSSARY_LIMITS.termBytesPerTeamMax) return;
  throw new Problem(
    "business_quota_exceeded",
    "A team's glossary, with the versions that are kept, may have at most " +
      `${GLOSSARY_LIMITS.termBytesPerTeamMax / 1024 / 1024} MiB.`,
  );
}

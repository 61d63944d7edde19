import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { KIND_WORDS, type PublicationKind, type PublicationRow } from "./publication.ts";
import { findPublication } from "./store.ts";

/** Another team's, and one of another kind, answer exactly as a missing one. */
export async function requirePublication(
  { scope, db }: Needs<"scope" | "db">,
  kind: PublicationKind,
  id: string,
): Promise<PublicationRow> {
  const found = await findPublication(db, scope.teamId, kind, id.toLowerCase());
  if (!found)
    throw notFound(
      KIND_WORDS[kind].noun.replace(/^./, (letter) => letter.toUpperCase()),
      id,
    );
  return found;
}

export const changedMeanwhile = ({ kind }: Pick<PublicationRow, "kind">): Problem =>
  new Problem("resource_conflict", `The ${KIND_WORDS[kind].noun} was changed meanwhile; read it again.`);

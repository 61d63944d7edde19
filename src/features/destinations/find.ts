import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { DestinationRow } from "./destination.ts";
import { findDestination } from "./store.ts";

/** Another team's answers exactly as a missing one. */
export async function requireDestination({ scope, db }: Needs<"scope" | "db">, id: string): Promise<DestinationRow> {
  const destination = await findDestination(db, scope.teamId, id.toLowerCase());
  if (!destination) throw notFound("Destination", id);
  return destination;
}

export const changedMeanwhile = (): Problem =>
  new Problem("resource_conflict", "The destination was changed meanwhile; read it again.");

export function nameTaken(name: string): Problem {
  const message = `The team has a destination called ${name} already.`;
  return new Problem("resource_conflict", message, [{ pointer: "/name", message }]);
}

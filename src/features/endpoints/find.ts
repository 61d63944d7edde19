import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { EndpointRow } from "./endpoint.ts";
import { findEndpoint } from "./store.ts";

/** Another team's answers exactly as a missing one. */
export async function requireEndpoint({ scope, db }: Needs<"scope" | "db">, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, scope.teamId, id.toLowerCase());
  if (!endpoint) throw notFound("Endpoint", id);
  return endpoint;
}

export const changedMeanwhile = (): Problem =>
  new Problem("resource_conflict", "The endpoint was changed meanwhile; read it again.");

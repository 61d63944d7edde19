import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { ProviderRow } from "./provider.ts";
import { findProviderOf } from "./store.ts";

/** The team's. Throws 404 where it has none. */
export async function getIdentityProvider({ scope, db }: Needs<"scope" | "db">): Promise<ProviderRow> {
  const provider = await findProviderOf(db, scope.teamId);
  if (!provider) throw new Problem("resource_not_found", "The team has no identity provider.");
  return provider;
}

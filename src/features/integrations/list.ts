import { isUuid } from "../../core/ids.ts";
import type { Needs } from "../../platform/context.ts";
import { INTEGRATION_TYPES, typeOf } from "./credentials.ts";
import { categoryOf, type Integration } from "./integration.ts";
import { selectIntegrations } from "./store.ts";

export type IntegrationQuery = {
  type?: string | undefined;
  category?: string | undefined;
  name?: string | undefined;
  id?: string | undefined;
  limit: number;
  offset: number;
};

/** The team's integrations, oldest first. A filter that matches nothing, an unknown type included, finds nothing. */
export async function listIntegrations(
  { scope, db }: Needs<"scope" | "db">,
  query: IntegrationQuery,
): Promise<Integration[]> {
  const { type, category, name, id, limit, offset } = query;
  if (id !== undefined && !isUuid(id)) return [];
  const types = INTEGRATION_TYPES.filter(
    (known) =>
      (type === undefined || known === typeOf(type)) && (category === undefined || categoryOf(known) === category),
  );
  if (types.length === 0) return [];
  return selectIntegrations(db, scope.teamId, { types, name, id: id?.toLowerCase() }, { limit, offset });
}

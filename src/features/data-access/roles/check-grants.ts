import { EVERY } from "../../../../kernel/access/access.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { QUERIED_BY, type IntegrationType } from "../../integrations/credentials/credentials.ts";
import { findIntegrations } from "../../integrations/find.ts";
import type { Grant } from "../../access/grant.ts";
import { packGrants } from "./role.ts";
import type { GrantsRow } from "./store.ts";

/**
 * Grants as they are kept. Throws `validation_failed` where they name what the team has not, which another team's
 * integration is too; what they name in `before` may be gone since, and then grants nothing.
 */
export async function checkGrants(
  ctx: Needs<"scope" | "db">,
  grants: readonly Grant[],
  before: readonly Grant[] = [],
): Promise<GrantsRow> {
  const packed = packGrants(grants);
  const known = new Set([EVERY, ...before.map(({ integration_id: id }) => id)]);
  const asked = [...new Set(grants.map(({ integration_id: id }) => id))].filter((id) => !known.has(id));
  const found = asked.length > 0 ? await findIntegrations(ctx, asked) : [];
  const flawOfId = new Map(found.map(({ id, type }) => [id, flawOf(type)]));
  for (const [id, flaw] of flawOfId) if (flaw === null) known.add(id);
  const flaws = grants.flatMap(({ integration_id: id }, index): Flaw[] => {
    if (known.has(id)) return [];
    const message = flawOfId.get(id) ?? `Integration ${id} was not found.`;
    return [{ pointer: `/grants/${index}/integration_id`, message }];
  });
  if (flaws.length > 0) throw new Problem("validation_failed", flaws[0]!.message, flaws);
  return { ...packed, digest: await sha256Hex(packed.text) };
}

/** Why nothing of an integration can be granted; null where something can. */
function flawOf(type: IntegrationType): string | null {
  switch (QUERIED_BY[type]) {
    case "sql":
      return null;
    case "cube_query":
      return (
        "A semantic model has no tables: grant those of the integration it lies on, and it offers what can be asked of " +
        "them."
      );
    case null:
      return `An integration of type ${type} has no tables to grant.`;
  }
}

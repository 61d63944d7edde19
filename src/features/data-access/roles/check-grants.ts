import { EVERY } from "../../../../kernel/access/access.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
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
  for (const { id, type } of found) if (type !== "cube") known.add(id);
  const models = new Set(found.filter(({ type }) => type === "cube").map(({ id }) => id));
  const flaws = grants.flatMap(({ integration_id: id }, index): Flaw[] => {
    if (known.has(id)) return [];
    const message = models.has(id) ? OF_MODEL : `Integration ${id} was not found.`;
    return [{ pointer: `/grants/${index}/integration_id`, message }];
  });
  if (flaws.length > 0) throw new Problem("validation_failed", flaws[0]!.message, flaws);
  return { ...packed, digest: await sha256Hex(packed.text) };
}

const OF_MODEL =
  "A semantic model has no tables: grant those of the integration it lies on, and it offers what can be asked of them.";

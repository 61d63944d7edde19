import { EVERY } from "../../../../containers/engine/contract/access/access.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { findIntegrations } from "../../integrations/find.ts";
import type { Grant } from "../grant.ts";
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
  if (asked.length > 0) for (const { id } of await findIntegrations(ctx, asked)) known.add(id);
  const flaws = grants.flatMap(({ integration_id: id }, index): Flaw[] =>
    known.has(id) ? [] : [{ pointer: `/grants/${index}/integration_id`, message: `Integration ${id} was not found.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", flaws[0]!.message, flaws);
  return { ...packed, digest: await sha256Hex(packed.text) };
}

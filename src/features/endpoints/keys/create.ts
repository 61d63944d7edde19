import { newId } from "../../../core/ids.ts";
import { PUBLICATION_LIMITS } from "../../publications/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { mintSuffix, requireFuture } from "../../teams/keys/key.ts";
import { requirePublication } from "../../publications/find.ts";
import { requireReading } from "../../publications/requirements.ts";
import { endpointKeyOf, type MintedEndpointKey, type NewEndpointKey } from "./key.ts";
import { countEndpointKeys, insertEndpointKey } from "./store.ts";

/** A key that opens this endpoint and nothing else. It is in this answer and nowhere else. */
export async function createEndpointKey(
  ctx: Needs<"scope" | "db">,
  endpointId: string,
  { name, expires_at }: NewEndpointKey,
): Promise<MintedEndpointKey> {
  const { scope, db } = ctx;
  requireReading(scope);
  const endpoint = await requirePublication(ctx, "endpoint", endpointId);
  const owner = { teamId: scope.teamId, endpointId: endpoint.id };
  requireFuture(expires_at, scope.now);
  if ((await countEndpointKeys(db, owner)) >= PUBLICATION_LIMITS.keysPerEndpointMax)
    throw new Problem(
      "business_quota_exceeded",
      `An endpoint may have at most ${PUBLICATION_LIMITS.keysPerEndpointMax} keys; revoke one first.`,
    );
  const { suffix } = await mintSuffix();
  const key = endpointKeyOf(suffix);
  const minted = {
    id: newId(scope.now),
    name,
    hint: key.slice(-4),
    created_by: scope.userId,
    created_at: scope.now.toISOString(),
    // One spelling of the instant, so that stored text compares in the order of time.
    expires_at: expires_at && new Date(expires_at).toISOString(),
  };
  await db.batch([
    insertEndpointKey(db, owner, minted, await sha256Hex(key)),
    recordAudit(db, scope, "endpoint_key.create", {
      id: minted.id,
      after: { endpoint_id: endpoint.id, name, hint: minted.hint, expires_at: minted.expires_at },
    }),
  ]);
  return { ...minted, key };
}

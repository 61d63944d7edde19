import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requirePublication } from "../../publications/find.ts";
import { deleteEndpointKeyRow, findEndpointKey, hasEndpointKey } from "./store.ts";

/** Revokes a key: the next call with it is refused, everywhere. */
export async function deleteEndpointKey(ctx: Needs<"scope" | "db">, endpointId: string, id: string): Promise<void> {
  const { scope, db } = ctx;
  const endpoint = await requirePublication(ctx, "endpoint", endpointId);
  const owner = { teamId: scope.teamId, endpointId: endpoint.id };
  const key = await findEndpointKey(db, owner, id.toLowerCase());
  if (!key) throw notFound("Key", id);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "endpoint_key.delete",
      subjectId: key.id,
      when: hasEndpointKey(owner, key.id),
      before: { endpoint_id: endpoint.id, name: key.name, hint: key.hint, expires_at: key.expires_at },
    }),
    deleteEndpointKeyRow(db, owner, key.id),
  ]);
}

import { invalidAt } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { newSecret } from "../../platform/crypto/webhook-signature.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { openAddress, sealAddress } from "./address.ts";
import {
  auditedDestination,
  changeRow,
  IS_SIGNED,
  previousUntil,
  shownDestination,
  type WrittenDestination,
} from "./destination.ts";
import { changedMeanwhile, requireDestination } from "./find.ts";
import { isUpdatable, updateDestinationRow } from "./store.ts";

/** Makes a new secret. The one before it signs as well until receivers have changed over. */
export async function setDestinationSecret(
  ctx: Needs<"scope" | "db" | "vault">,
  id: string,
): Promise<WrittenDestination> {
  const { scope, db } = ctx;
  const before = await requireDestination(ctx, id);
  if (!IS_SIGNED[before.kind]) {
    const message = `Messages to a destination of kind ${before.kind} are not signed: it has no secret.`;
    throw invalidAt("/path/destination_id", message);
  }
  const { url, secrets } = await openAddress(ctx, before);
  const secret = newSecret();
  const sealed = await sealAddress(ctx, before, { url, secrets: [secret, ...secrets.slice(0, 1)] });
  const after = changeRow(before, { previousSecretUntil: previousUntil(scope.now) }, { sealed, now: scope.now });
  // Before the change: after it, one that lost the race would find the version of the one that won.
  const [, changed] = await db.batch([
    recordAuditIf(db, scope, {
      action: "destination_secret.set",
      subjectId: before.id,
      when: isUpdatable(before, after),
      before: auditedDestination(before),
      after: auditedDestination(after),
    }),
    updateDestinationRow(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile();
  return { ...shownDestination(after), secret };
}

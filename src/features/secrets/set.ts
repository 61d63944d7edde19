import { SECRET_LIMITS } from "./limits.ts";
import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { SECRET_KEY, type SecretValue } from "./secret.ts";
import { countSecrets, findSealedSecret, saveSecret } from "./store.ts";

/**
 * Writes a secret, new or in place of the one before. The vault seals its value, bound to team and key; keys are no
 * secret.
 */
export async function setSecret(
  { scope, db, vault }: Needs<"scope" | "db" | "vault">,
  key: string,
  { value }: SecretValue,
): Promise<void> {
  if (!SECRET_KEY.test(key)) throw notFound("Secret", key);
  if (new TextEncoder().encode(value).byteLength > SECRET_LIMITS.bytesMax)
    throw new Problem("body_too_large", `A secret may have at most ${SECRET_LIMITS.bytesMax} bytes.`);
  if (
    (await countSecrets(db, scope.teamId)) >= SECRET_LIMITS.perTeamMax &&
    (await findSealedSecret(db, scope.teamId, key)) === undefined
  ) {
    throw new Problem("business_quota_exceeded", `A team may have at most ${SECRET_LIMITS.perTeamMax} secrets.`);
  }
  const sealed = await vault.seal({ teamId: scope.teamId, secretKey: key }, value);
  await db.batch([
    saveSecret(db, scope.teamId, { key, sealed, at: scope.now.toISOString() }),
    recordAudit(db, scope, "secret.set", key),
  ]);
}

// The verbs on secrets. Values are sealed by the vault, bound to team and key; keys are no secret.

import { LIMITS } from "../../core/limits.ts";
import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { openDb } from "../../platform/db/client.ts";
import { retiredKeyIds, seal, unseal } from "../../platform/crypto/vault.ts";
import { SECRET_KEY, type SecretValue } from "./secret.ts";
import {
  countSecrets,
  deleteSecretRow,
  findSealedSecret,
  resealSecretRow,
  saveSecret,
  selectSecretKeys,
  selectSecretsSealedUnder,
} from "./store.ts";

export const listSecrets = ({ scope, db }: Needs<"scope" | "db">): Promise<string[]> =>
  selectSecretKeys(db, scope.teamId);

export async function getSecret({ scope, db, env }: Needs<"scope" | "db" | "env">, key: string): Promise<string> {
  const sealed = await findSealedSecret(db, scope.teamId, key);
  if (sealed === undefined) throw notFound("Secret", key);
  return unseal(env, { teamId: scope.teamId, secretKey: key }, sealed);
}

/** New or in place of the one before. */
export async function setSecret(
  { scope, db, env }: Needs<"scope" | "db" | "env">,
  key: string,
  { value }: SecretValue,
): Promise<void> {
  if (!SECRET_KEY.test(key)) throw notFound("Secret", key);
  if (new TextEncoder().encode(value).byteLength > LIMITS.secretBytesMax)
    throw new Problem("body_too_large", `A secret may have at most ${LIMITS.secretBytesMax} bytes.`);
  if (
    (await countSecrets(db, scope.teamId)) >= LIMITS.secretsPerTeamMax &&
    (await findSealedSecret(db, scope.teamId, key)) === undefined
  ) {
    throw new Problem("business_quota_exceeded", `A team may have at most ${LIMITS.secretsPerTeamMax} secrets.`);
  }
  const sealed = await seal(env, { teamId: scope.teamId, secretKey: key }, value);
  await db.batch([
    saveSecret(db, scope.teamId, key, sealed, scope.now.toISOString()),
    recordAudit(db, scope, "secret.set", key),
  ]);
}

export async function deleteSecret({ scope, db }: Needs<"scope" | "db">, key: string): Promise<void> {
  const gone = await deleteSecretRow(db, scope.teamId, key);
  if (gone.length === 0) throw notFound("Secret", key);
  await recordAudit(db, scope, "secret.delete", key);
}

const RESEAL_ROWS_MAX = 50;

/** Key rotation, a bounded batch a tick. A secret that changes meanwhile is left to the change, which seals anew. */
export async function resealSecrets(env: Env): Promise<{ secretsResealed: number }> {
  const keyIds = retiredKeyIds(env);
  const db = openDb(env.DB);
  let secretsResealed = 0;
  for (const row of keyIds.length === 0 ? [] : await selectSecretsSealedUnder(db, keyIds, RESEAL_ROWS_MAX)) {
    const owner = { teamId: row.teamId, secretKey: row.key };
    try {
      secretsResealed += (await resealSecretRow(db, row, await seal(env, owner, await unseal(env, owner, row.sealed))))
        .length;
    } catch (error) {
      console.error(
        JSON.stringify({ event: "reseal_failed", teamId: row.teamId, secretKey: row.key, cause: String(error) }),
      );
    }
  }
  return { secretsResealed };
}

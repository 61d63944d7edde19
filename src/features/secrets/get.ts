import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { unseal } from "../../platform/crypto/vault.ts";
import { findSealedSecret } from "./store.ts";

/** The value as it was written. */
export async function getSecret({ scope, db, env }: Needs<"scope" | "db" | "env">, key: string): Promise<string> {
  const sealed = await findSealedSecret(db, scope.teamId, key);
  if (sealed === undefined) throw notFound("Secret", key);
  return unseal(env, { teamId: scope.teamId, secretKey: key }, sealed);
}

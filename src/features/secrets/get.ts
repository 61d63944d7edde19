import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { findSealedSecret } from "./store.ts";

/** The value as it was written. */
export async function getSecret({ scope, db, vault }: Needs<"scope" | "db" | "vault">, key: string): Promise<string> {
  const sealed = await findSealedSecret(db, scope.teamId, key);
  if (sealed === undefined) throw notFound("Secret", key);
  return vault.unseal({ teamId: scope.teamId, secretKey: key }, sealed);
}

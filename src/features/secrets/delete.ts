import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { deleteSecretRow, hasSecret } from "./store.ts";

/** Deletes a secret for good; a run that has read it keeps what it has. */
export async function deleteSecret({ scope, db }: Needs<"scope" | "db">, key: string): Promise<void> {
  const [, deleted] = await db.batch([
    recordAuditIf(db, scope, { action: "secret.delete", subjectId: key, when: hasSecret(scope.teamId, key) }),
    deleteSecretRow(db, scope.teamId, key),
  ]);
  if (deleted.length === 0) throw notFound("Secret", key);
}

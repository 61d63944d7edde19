import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetCallers } from "../keys/find-caller.ts";
import { getUser } from "./get.ts";
import { deleteUserRows, lacksUserRow } from "../store.ts";
import { auditedUser, requireAuthorityOver } from "./user.ts";

/**
 * Removes a person and all their keys. Nobody removes themselves, and the last admin with a key that works, or with one
 * that never ends, stays. What runs with the person's rights is cancelled by who takes the message.
 */
export async function deleteUser(ctx: Needs<"scope" | "db" | "wakeUps">, id: string): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const user = await getUser({ scope, db }, id);
  requireAuthorityOver(scope, user);
  if (id === scope.userId) throw new Problem("resource_conflict", "You cannot remove yourself; another admin can.");

  const [, gone] = await db.batch([
    ...deleteUserRows(db, scope.teamId, id, scope.now.toISOString()),
    recordAuditIf(db, scope, {
      action: "user.delete",
      subjectId: id,
      when: lacksUserRow(scope.teamId, id),
      before: auditedUser(user),
    }),
  ]);
  if (gone.length === 0) {
    throw new Problem(
      "resource_conflict",
      "The last admin with a key, or with one that never expires, cannot be removed, nor the platform's last such " +
        "operator; give somebody else a key without `expires_at` first.",
    );
  }
  forgetCallers((caller) => caller.userId === id);
  await wakeUps.send("rights_lost", { teamId: scope.teamId, id });
}

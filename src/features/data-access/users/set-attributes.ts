import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { forgetAccess } from "../../access/known-states.ts";
import { sortAttributes, type UserAttributes, type UserAttributesChange } from "./attributes.ts";
import { getUserAttributes } from "./get-attributes.ts";
import { hasUser, saveAttributes } from "./store.ts";

/** Sets all attributes of a user: one that is not sent is gone. */
export async function setUserAttributes(
  ctx: Needs<"scope" | "db">,
  userId: string,
  change: UserAttributesChange,
): Promise<UserAttributes> {
  const { scope, db } = ctx;
  const before = await getUserAttributes(ctx, userId);
  const who = { teamId: scope.teamId, userId: before.user_id };
  const attributes = sortAttributes(change.attributes);
  const digest = await sha256Hex(JSON.stringify(attributes));
  const at = scope.now.toISOString();
  const [, saved] = await db.batch([
    recordAuditIf(db, scope, {
      action: "user_attributes.set",
      subjectId: who.userId,
      before: before.attributes,
      after: attributes,
      when: hasUser(who),
    }),
    saveAttributes(db, who, { attributes, digest, at }),
  ]);
  forgetAccess(who.teamId, who.userId);
  if (saved.length === 0) throw notFound("User", userId);
  return { user_id: who.userId, attributes, updated_at: at };
}

import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../../teams/users/get.ts";
import type { UserAttributes } from "./attributes.ts";
import { findAttributes } from "./store.ts";

/** None are set at first. */
export async function getUserAttributes(ctx: Needs<"scope" | "db">, userId: string): Promise<UserAttributes> {
  const user = await getUser(ctx, userId.toLowerCase());
  const found = await findAttributes(ctx.db, { teamId: ctx.scope.teamId, userId: user.id });
  return { user_id: user.id, attributes: found?.attributes ?? {}, updated_at: found?.updatedAt ?? null };
}

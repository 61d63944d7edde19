import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { getRole } from "../roles/get.ts";
import type { RoleMember } from "./member.ts";
import { selectMembers } from "./store.ts";

/** The users who have a role. */
export async function listRoleMembers(
  ctx: Needs<"scope" | "db">,
  roleId: string,
  page: Page,
): Promise<PageOf<RoleMember>> {
  const { id } = await getRole(ctx, roleId);
  return selectMembers(ctx.db, { teamId: ctx.scope.teamId, roleId: id }, page);
}

import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../users/get.ts";
import type { Identity } from "./identity.ts";
import { selectIdentities } from "./store.ts";

type Deps = Needs<"scope" | "db">;

/** The caller's own, oldest first. */
export const listIdentities = ({ scope, db }: Deps, page: Page): Promise<PageOf<Identity>> =>
  selectIdentities(db, scope.teamId, scope.userId, page);

/** Lists the identities of a user of the team. */
export async function listUserIdentities(ctx: Deps, userId: string, page: Page): Promise<PageOf<Identity>> {
  const user = await getUser(ctx, userId);
  return selectIdentities(ctx.db, ctx.scope.teamId, user.id, page);
}

import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../users/get.ts";
import type { Passkey } from "./passkey.ts";
import { selectPasskeys } from "./store.ts";

type Deps = Needs<"scope" | "db">;

/** The caller's own, oldest first. */
export const listPasskeys = ({ scope, db }: Deps, page: Page): Promise<PageOf<Passkey>> =>
  selectPasskeys(db, scope.teamId, scope.userId, page);

/** The passkeys of a user of the team. */
export async function listUserPasskeys(ctx: Deps, userId: string, page: Page): Promise<PageOf<Passkey>> {
  const user = await getUser(ctx, userId);
  return selectPasskeys(ctx.db, ctx.scope.teamId, user.id, page);
}

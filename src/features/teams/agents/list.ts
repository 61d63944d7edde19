import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { idleSince } from "../sessions/session.ts";
import { getUser } from "../users/get.ts";
import type { AgentAuthorization } from "./authorization.ts";
import { selectAuthorizations } from "./store.ts";

type Deps = Needs<"scope" | "db">;

/** The caller's own authorizations of agents, oldest first. */
export const listAuthorizations = (ctx: Deps, page: Page): Promise<PageOf<AgentAuthorization>> =>
  selectOf(ctx, ctx.scope.userId, page);

/** The authorizations that a user of the team has given, oldest first. */
export async function listUserAuthorizations(
  ctx: Deps,
  userId: string,
  page: Page,
): Promise<PageOf<AgentAuthorization>> {
  return selectOf(ctx, (await getUser(ctx, userId)).id, page);
}

function selectOf({ scope, db }: Deps, userId: string, page: Page): Promise<PageOf<AgentAuthorization>> {
  const when = { at: scope.now.toISOString(), idleSince: idleSince(scope.now) };
  return selectAuthorizations(db, { teamId: scope.teamId, userId }, { page, when });
}

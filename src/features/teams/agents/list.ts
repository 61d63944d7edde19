import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { idleSince } from "../sessions/session.ts";
import { getUser } from "../users/get.ts";
import type { AgentAuthorization } from "./authorization.ts";
import { selectAuthorizations } from "./store.ts";

type Deps = Needs<"scope" | "db">;

/** What the caller has let agents do, oldest first. */
export function listAuthorizations(
  { scope, db }: Deps,
  page: Page,
  userId = scope.userId,
): Promise<PageOf<AgentAuthorization>> {
  const when = { at: scope.now.toISOString(), idleSince: idleSince(scope.now) };
  return selectAuthorizations(db, { teamId: scope.teamId, userId }, { page, when });
}

/** The same of a user of the team. */
export async function listUserAuthorizations(
  ctx: Deps,
  userId: string,
  page: Page,
): Promise<PageOf<AgentAuthorization>> {
  return listAuthorizations(ctx, page, (await getUser(ctx, userId)).id);
}
